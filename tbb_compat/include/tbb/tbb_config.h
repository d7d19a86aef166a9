// The macros that programs of TBB 2020 set and test.
#include "../oneapi/tbb/detail/_config.h"
