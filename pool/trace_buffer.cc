#include "filch/pool/trace_buffer.h"

#include <chrono>

namespace filch {
namespace pool_internal {
namespace {

// One entry more than is asked for: Read leaves out the one being written.
std::size_t CapacityFor(std::size_t events) {
  std::size_t capacity = 2;
  while (capacity <= events) capacity *= 2;
  return capacity;
}

}  // namespace

TraceBuffer::TraceBuffer(std::size_t events)
    : mask_(CapacityFor(events) - 1), entries_(new Entry[mask_ + 1]) {}

void TraceBuffer::Record(TraceKind kind, std::uint8_t detail) {
  const std::uint64_t index = recorded_.load(std::memory_order_relaxed);
  Entry& entry = entries_[index & mask_];
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  // X1: whoever reads these words sees at least `index` events recorded.
  entry.nanoseconds.store(std::chrono::nanoseconds(now).count(), std::memory_order_release);
  entry.kind_and_detail.store(static_cast<std::uint32_t>(kind) << 8 | detail,
                              std::memory_order_release);  // X1
  recorded_.store(index + 1, std::memory_order_release);   // X1: publishes the entry
}

std::vector<TraceEvent> TraceBuffer::Read() const {
  const std::uint64_t end = recorded_.load(std::memory_order_acquire);  // X1: entries before it
  const std::uint64_t begin = end > mask_ ? end - mask_ : 0;
  std::vector<TraceEvent> events;
  events.reserve(end - begin);
  for (std::uint64_t index = begin; index != end; ++index) {
    const Entry& entry = entries_[index & mask_];
    TraceEvent event;
    event.nanoseconds = entry.nanoseconds.load(std::memory_order_acquire);             // X1
    const std::uint32_t word = entry.kind_and_detail.load(std::memory_order_acquire);  // X1
    event.kind = static_cast<TraceKind>(word >> 8);
    event.detail = static_cast<std::uint8_t>(word);
    events.push_back(event);
  }
  // The entry of a later event may have been what was read.
  const std::uint64_t now = recorded_.load(std::memory_order_relaxed);  // X1: after the entries
  const std::uint64_t kept = now > mask_ ? now - mask_ : 0;
  if (kept > begin) {
    const auto lost = static_cast<std::ptrdiff_t>(kept < end ? kept - begin : end - begin);
    events.erase(events.begin(), events.begin() + lost);
  }
  return events;
}

}  // namespace pool_internal
}  // namespace filch
