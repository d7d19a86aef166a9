// <oneapi/tbb/aligned_space.h> under its other name.
#include "../oneapi/tbb/aligned_space.h"
