// <oneapi/tbb/concurrent_priority_queue.h> under its other name.
#include "../oneapi/tbb/concurrent_priority_queue.h"
