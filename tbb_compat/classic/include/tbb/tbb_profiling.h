// Names and events for a profiler, as in the modern root's profiling.h.
// The version comes first.
// clang-format off
#include "tbb_stddef.h"
#include "../../../include/oneapi/tbb/profiling.h"
