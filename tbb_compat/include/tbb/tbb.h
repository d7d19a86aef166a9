// <oneapi/tbb.h> under its other name.
#include "../oneapi/tbb.h"
