#include "filch/pool/trace_buffer.h"

#include <chrono>
#include <cstdint>
#include <vector>

namespace filch {
namespace pool_internal {

void TraceBuffer::Record(TraceKind kind, std::uint8_t detail) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  ring_.Record({std::chrono::nanoseconds(now).count(), kind, detail});
}

std::vector<TraceEvent> TraceBuffer::Read() const { return ring_.Read(); }

}  // namespace pool_internal
}  // namespace filch
