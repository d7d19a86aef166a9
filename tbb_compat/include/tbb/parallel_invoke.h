// <oneapi/tbb/parallel_invoke.h> under its other name.
#include "../oneapi/tbb/parallel_invoke.h"
