// <oneapi/tbb/version.h> under its other name.
#include "../oneapi/tbb/version.h"
