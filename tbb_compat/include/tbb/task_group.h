// <oneapi/tbb/task_group.h> under its other name.
#include "../oneapi/tbb/task_group.h"
