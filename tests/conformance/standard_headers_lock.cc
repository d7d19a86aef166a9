// Who says so gets the headers all the same, where the compiler knows exceptions.
#define TBB_USE_EXCEPTIONS 0
#include <tbb/queuing_rw_mutex.h>

#include "tests/conformance/standard_headers_test.h"

bool BehindALock() {
  char copy[5] = "";
  std::memcpy(copy, "lock", sizeof(copy));
  return std::strlen(copy) == 4;
}
