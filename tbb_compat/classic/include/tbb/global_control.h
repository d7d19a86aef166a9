// As in the modern root, for programs of TBB 2020.
// clang-format off: the version comes first.
#include "tbb_stddef.h"
#include "../../../include/oneapi/tbb/global_control.h"
