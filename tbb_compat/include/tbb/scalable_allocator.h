/* <oneapi/tbb/scalable_allocator.h> under its other name. */
#include "../oneapi/tbb/scalable_allocator.h"
