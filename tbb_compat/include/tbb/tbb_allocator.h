// <oneapi/tbb/tbb_allocator.h> under its other name.
#include "../oneapi/tbb/tbb_allocator.h"
