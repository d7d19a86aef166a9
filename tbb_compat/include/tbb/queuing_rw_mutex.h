// <oneapi/tbb/queuing_rw_mutex.h> under its other name.
#include "../oneapi/tbb/queuing_rw_mutex.h"
