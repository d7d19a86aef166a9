// <oneapi/tbb/concurrent_lru_cache.h> under its other name.
#include "../oneapi/tbb/concurrent_lru_cache.h"
