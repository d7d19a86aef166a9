#include <cstdio>
#include <cstdlib>

#include "../include/oneapi/tbb/detail/_assert.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace r1 {

void assertion_failure(const char* location, int line, const char* expression,
                       const char* comment) noexcept {
  std::fprintf(stderr, "tbb: %s (%s is false in %s, line %d).\n",
               comment != nullptr ? comment : "an assertion does not hold", expression, location,
               line);
  std::fflush(stderr);
  std::abort();
}

}  // namespace r1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb
