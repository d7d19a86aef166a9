// <oneapi/tbb/partitioner.h> under its other name.
#include "../oneapi/tbb/partitioner.h"
