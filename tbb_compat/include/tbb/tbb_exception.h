// <oneapi/tbb/tbb_exception.h> under its other name.
#include "../oneapi/tbb/tbb_exception.h"
