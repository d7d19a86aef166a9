// As in the modern root, for programs of TBB 2020.
// The version comes first.
// clang-format off
#include "tbb_stddef.h"
#include "tbb_exception.h"
#include "../../../include/oneapi/tbb/parallel_for_each.h"
