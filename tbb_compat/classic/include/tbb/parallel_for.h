// As in the modern root, for programs of TBB 2020.
#include "tbb_stddef.h"
#include "../../../include/oneapi/tbb/parallel_for.h"
