/* As in the modern root, for programs of TBB 2020, and of C. */
#ifdef __cplusplus
// The version comes first.
// clang-format off
#include "tbb_stddef.h"
#endif
#include "../../../include/oneapi/tbb/scalable_allocator.h"
