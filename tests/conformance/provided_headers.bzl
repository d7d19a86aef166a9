"""The headers of oneTBB 2023.2 that filch provides."""

PROVIDED_HEADERS = [
    "blocked_nd_range",
    "blocked_range",
    "blocked_range2d",
    "blocked_range3d",
    "global_control",
    "parallel_for",
    "parallel_for_each",
    "parallel_invoke",
    "parallel_reduce",
    "parallel_sort",
    "partitioner",
    "task",
    "task_arena",
    "task_group",
    "tick_count",
    "version",
]

# The headers of TBB 2020.3 that filch provides.
PROVIDED_CLASSIC_HEADERS = [
    "blocked_range",
    "blocked_range2d",
    "blocked_range3d",
    "global_control",
    "parallel_do",
    "parallel_for",
    "parallel_for_each",
    "parallel_invoke",
    "parallel_reduce",
    "parallel_sort",
    "partitioner",
    "task",
    "task_arena",
    "task_group",
    "task_scheduler_init",
    "tbb_config",
    "tbb_exception",
    "tbb_stddef",
    "tick_count",
]
