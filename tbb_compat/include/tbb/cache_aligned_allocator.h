// <oneapi/tbb/cache_aligned_allocator.h> under its other name.
#include "../oneapi/tbb/cache_aligned_allocator.h"
