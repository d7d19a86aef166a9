// <oneapi/tbb/null_rw_mutex.h> under its other name.
#include "../oneapi/tbb/null_rw_mutex.h"
