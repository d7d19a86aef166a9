// <oneapi/tbb/combinable.h> under its other name.
#include "../oneapi/tbb/combinable.h"
