// <oneapi/tbb/queuing_mutex.h> under its other name.
#include "../oneapi/tbb/queuing_mutex.h"
