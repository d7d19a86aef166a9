// <oneapi/tbb/concurrent_map.h> under its other name.
#include "../oneapi/tbb/concurrent_map.h"
