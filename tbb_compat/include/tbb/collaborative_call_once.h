// <oneapi/tbb/collaborative_call_once.h> under its other name.
#include "../oneapi/tbb/collaborative_call_once.h"
