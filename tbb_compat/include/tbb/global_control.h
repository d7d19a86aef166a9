// <oneapi/tbb/global_control.h> under its other name.
#include "../oneapi/tbb/global_control.h"
