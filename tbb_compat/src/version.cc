#include "oneapi/tbb/version.h"

const char* TBB_runtime_version(void) { return TBB_VERSION_STRING; }

int TBB_runtime_interface_version(void) { return TBB_INTERFACE_VERSION; }
