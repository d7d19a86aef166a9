"""The headers of oneTBB 2023.2 that filch provides."""

PROVIDED_HEADERS = [
    "blocked_nd_range",
    "blocked_range",
    "blocked_range2d",
    "blocked_range3d",
    "partitioner",
    "tick_count",
    "version",
]
