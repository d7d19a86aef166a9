// <oneapi/tbb/parallel_reduce.h> under its other name.
#include "../oneapi/tbb/parallel_reduce.h"
