// <oneapi/tbb/task_scheduler_init.h> under its other name.
#include "../oneapi/tbb/task_scheduler_init.h"
