// <oneapi/tbb/profiling.h> under the name that TBB 2020 had for it.
#include "../oneapi/tbb/profiling.h"
