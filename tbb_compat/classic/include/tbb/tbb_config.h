// The macros that programs of TBB 2020 set and test; see tbb_stddef.h.
#include "tbb_stddef.h"
