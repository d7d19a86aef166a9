// <oneapi/tbb/tbbmalloc_proxy.h> under its other name.
#include "../oneapi/tbb/tbbmalloc_proxy.h"
