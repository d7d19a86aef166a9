#include <cstdint>

#include "../include/oneapi/tbb/detail/_per_thread.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace r1 {

std::uintptr_t ThreadNumber() {
  static thread_local char own;
  return reinterpret_cast<std::uintptr_t>(&own);
}

}  // namespace r1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb
