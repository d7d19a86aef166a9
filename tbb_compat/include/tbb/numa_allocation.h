// <oneapi/tbb/numa_allocation.h> under its other name.
#include "../oneapi/tbb/numa_allocation.h"
