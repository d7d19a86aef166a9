// <oneapi/tbb/enumerable_thread_specific.h> under its other name.
#include "../oneapi/tbb/enumerable_thread_specific.h"
