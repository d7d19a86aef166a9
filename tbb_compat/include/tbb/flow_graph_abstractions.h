// <oneapi/tbb/flow_graph_abstractions.h> under its other name.
#include "../oneapi/tbb/flow_graph_abstractions.h"
