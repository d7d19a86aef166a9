// <oneapi/tbb/rw_mutex.h> under its other name.
#include "../oneapi/tbb/rw_mutex.h"
