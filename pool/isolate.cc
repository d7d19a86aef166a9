#include "filch/pool/isolate.h"

#include <atomic>
#include <cstdint>

namespace filch {
namespace pool_internal {

std::uint64_t NewIsolation() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;  // A2: a unique number, no more
}

}  // namespace pool_internal
}  // namespace filch
