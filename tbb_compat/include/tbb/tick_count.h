// <oneapi/tbb/tick_count.h> under its other name.
#include "../oneapi/tbb/tick_count.h"
