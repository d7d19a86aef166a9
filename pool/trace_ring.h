// BasicTraceRing: the last events that one thread at a time records, for others to read meanwhile.
//
// A ring of fixed size.  Recording takes no lock and waits for nobody; a reader finds out by
// the count of events which of those that it has read may have been overwritten, and drops
// them.
//
// One thread at a time: Record.  Any thread: Read.
// Memory ordering: an event is visible before it is counted, and whoever sees a word of it
// that overwrites an older one sees that the older one does not count any more (X1).
#ifndef FILCH_POOL_TRACE_RING_H_
#define FILCH_POOL_TRACE_RING_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "filch/topology/std_atomics.h"

namespace filch {
namespace pool_internal {

enum class TraceKind : std::uint8_t {
  kTaskBegin,  // detail: the rule that chose the task (next_task.h)
  kTaskEnd,
  kParkBegin,  // the thread sleeps
  kParkEnd,
  kWake,  // the thread called another one for work
};

struct TraceEvent {
  std::int64_t nanoseconds = 0;  // of the steady clock
  TraceKind kind = TraceKind::kTaskBegin;
  std::uint8_t detail = 0;
};

template <typename Atomics = StdAtomics>
class BasicTraceRing {
 public:
  // Keeps at least the last `events`, more than 0.  Throws std::bad_alloc.
  explicit BasicTraceRing(std::size_t events)
      : mask_(CapacityFor(events) - 1), entries_(new Entry[mask_ + 1]) {}
  BasicTraceRing(const BasicTraceRing&) = delete;
  BasicTraceRing& operator=(const BasicTraceRing&) = delete;

  void Record(const TraceEvent& event) {
    const std::uint64_t index = recorded_.load(std::memory_order_relaxed);  // X1: one writer
    Entry& entry = entries_[index & mask_];
    // Whoever reads these words sees at least `index` events recorded.
    entry.nanoseconds.store(event.nanoseconds, std::memory_order_release);  // X1: the count
    entry.kind_and_detail.store(static_cast<std::uint32_t>(event.kind) << 8 | event.detail,
                                std::memory_order_release);  // X1: and this one, too
    recorded_.store(index + 1, std::memory_order_release);   // X1: publishes the entry
  }

  // What is kept, the oldest first.
  std::vector<TraceEvent> Read() const {
    const std::uint64_t end = recorded_.load(std::memory_order_acquire);  // X1: entries before it
    const std::uint64_t begin = end > mask_ ? end - mask_ : 0;
    std::vector<TraceEvent> events;
    events.reserve(end - begin);
    for (std::uint64_t index = begin; index != end; ++index) {
      const Entry& entry = entries_[index & mask_];
      TraceEvent event;
      event.nanoseconds = entry.nanoseconds.load(std::memory_order_acquire);  // X1: its count
      const std::uint32_t word =
          entry.kind_and_detail.load(std::memory_order_acquire);  // X1: and its own count
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

 private:
  struct Entry {
    typename Atomics::template Atomic<std::int64_t> nanoseconds{0};
    typename Atomics::template Atomic<std::uint32_t> kind_and_detail{0};
  };

  // One entry more than is asked for: Read leaves out the one being written.
  static std::size_t CapacityFor(std::size_t events) {
    // For these there is no memory.
    constexpr std::size_t kMost = SIZE_MAX / (4 * sizeof(Entry));
    std::size_t capacity = 2;
    while (capacity <= std::min(events, kMost)) capacity *= 2;
    return capacity;
  }

  const std::size_t mask_;
  const std::unique_ptr<Entry[]> entries_;
  typename Atomics::template Atomic<std::uint64_t> recorded_{0};  // since the beginning
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_TRACE_RING_H_
