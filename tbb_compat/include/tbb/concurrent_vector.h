// <oneapi/tbb/concurrent_vector.h> under its other name.
#include "../oneapi/tbb/concurrent_vector.h"
