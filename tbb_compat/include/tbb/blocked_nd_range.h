// <oneapi/tbb/blocked_nd_range.h> under its other name.
#include "../oneapi/tbb/blocked_nd_range.h"
