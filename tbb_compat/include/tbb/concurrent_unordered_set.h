// <oneapi/tbb/concurrent_unordered_set.h> under its other name.
#include "../oneapi/tbb/concurrent_unordered_set.h"
