// <oneapi/tbb/profiling.h> under its other name.
#include "../oneapi/tbb/profiling.h"
