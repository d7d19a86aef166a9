#include "../include/oneapi/tbb/version.h"

const char* TBB_runtime_version(void) { return TBB_VERSION_STRING; }

int TBB_runtime_interface_version(void) { return TBB_INTERFACE_VERSION; }

// What TBB_runtime_interface_version() is in the classic include root.
extern "C" int filch_TBB_classic_runtime_interface_version() { return 11103; }
