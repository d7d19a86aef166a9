#include "filch/pool/slow_dispatch.h"

#include <atomic>
#include <cstdint>

namespace filch {
namespace pool_internal {

// Not inline: a program that hides its symbols would have one of its own beside that of a
// shared library.
std::atomic<std::int64_t> SlowDispatch::reasons_{0};

}  // namespace pool_internal
}  // namespace filch
