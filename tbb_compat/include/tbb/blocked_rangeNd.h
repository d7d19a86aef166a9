// <oneapi/tbb/blocked_rangeNd.h> under its other name.
#include "../oneapi/tbb/blocked_rangeNd.h"
