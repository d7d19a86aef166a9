// <oneapi/tbb/parallel_scan.h> under its other name.
#include "../oneapi/tbb/parallel_scan.h"
