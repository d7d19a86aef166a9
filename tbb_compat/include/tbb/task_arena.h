// <oneapi/tbb/task_arena.h> under its other name.
#include "../oneapi/tbb/task_arena.h"
