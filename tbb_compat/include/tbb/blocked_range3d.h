// <oneapi/tbb/blocked_range3d.h> under its other name.
#include "../oneapi/tbb/blocked_range3d.h"
