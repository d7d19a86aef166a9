// <oneapi/tbb/blocked_range2d.h> under its other name.
#include "../oneapi/tbb/blocked_range2d.h"
