// <oneapi/tbb/parallel_pipeline.h> under its other name.
#include "../oneapi/tbb/parallel_pipeline.h"
