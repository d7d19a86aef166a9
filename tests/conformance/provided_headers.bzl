"""The headers of oneTBB 2023.2 that filch provides."""

PROVIDED_HEADERS = [
    "blocked_nd_range",
    "blocked_range",
    "blocked_range2d",
    "blocked_range3d",
    "collaborative_call_once",
    "global_control",
    "parallel_for",
    "parallel_for_each",
    "parallel_invoke",
    "parallel_pipeline",
    "parallel_reduce",
    "parallel_scan",
    "parallel_sort",
    "partitioner",
    "task_arena",
    "task_group",
    "tick_count",
    "version",
]
