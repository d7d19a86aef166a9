// <oneapi/tbb/flow_graph.h> under its other name.
#include "../oneapi/tbb/flow_graph.h"
