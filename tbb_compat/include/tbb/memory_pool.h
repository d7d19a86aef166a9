// <oneapi/tbb/memory_pool.h> under its other name.
#include "../oneapi/tbb/memory_pool.h"
