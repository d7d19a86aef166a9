// <oneapi/tbb/concurrent_queue.h> under its other name.
#include "../oneapi/tbb/concurrent_queue.h"
