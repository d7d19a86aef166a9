// <oneapi/tbb/parallel_do.h> under its other name.
#include "../oneapi/tbb/parallel_do.h"
