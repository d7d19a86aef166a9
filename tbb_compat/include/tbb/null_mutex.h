// <oneapi/tbb/null_mutex.h> under its other name.
#include "../oneapi/tbb/null_mutex.h"
