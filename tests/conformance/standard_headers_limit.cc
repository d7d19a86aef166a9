#include <tbb/global_control.h>

#include "tests/conformance/standard_headers_test.h"

bool BehindALimit() {
  const auto limit =
      std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, 2);
  return limit != nullptr;
}
