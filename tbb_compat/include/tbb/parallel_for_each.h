// <oneapi/tbb/parallel_for_each.h> under its other name.
#include "../oneapi/tbb/parallel_for_each.h"
