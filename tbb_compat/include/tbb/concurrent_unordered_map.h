// <oneapi/tbb/concurrent_unordered_map.h> under its other name.
#include "../oneapi/tbb/concurrent_unordered_map.h"
