// <oneapi/tbb/concurrent_set.h> under its other name.
#include "../oneapi/tbb/concurrent_set.h"
