// <oneapi/tbb/task_scheduler_observer.h> under its other name.
#include "../oneapi/tbb/task_scheduler_observer.h"
