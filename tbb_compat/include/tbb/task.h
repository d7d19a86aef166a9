// <oneapi/tbb/task.h> under its other name.
#include "../oneapi/tbb/task.h"
