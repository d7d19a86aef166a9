// <oneapi/tbb/spin_mutex.h> under its other name.
#include "../oneapi/tbb/spin_mutex.h"
