// <oneapi/tbb/parallel_for.h> under its other name.
#include "../oneapi/tbb/parallel_for.h"
