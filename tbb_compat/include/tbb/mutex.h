// <oneapi/tbb/mutex.h> under its other name.
#include "../oneapi/tbb/mutex.h"
