// <oneapi/tbb/blocked_range.h> under its other name.
#include "../oneapi/tbb/blocked_range.h"
