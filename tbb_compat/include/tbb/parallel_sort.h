// <oneapi/tbb/parallel_sort.h> under its other name.
#include "../oneapi/tbb/parallel_sort.h"
