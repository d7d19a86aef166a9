// <oneapi/tbb/concurrent_hash_map.h> under its other name.
#include "../oneapi/tbb/concurrent_hash_map.h"
