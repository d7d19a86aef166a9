// <oneapi/tbb/spin_rw_mutex.h> under its other name.
#include "../oneapi/tbb/spin_rw_mutex.h"
