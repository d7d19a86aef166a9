// <oneapi/tbb/info.h> under its other name.
#include "../oneapi/tbb/info.h"
