// TraceBuffer: the last events of one slot, or of a worker between its slots, with
// their times.
//
// A ring of fixed size: recording allocates nothing, takes no lock and costs a
// look at the clock; when it is full the oldest events make room.
//
// The thread in the slot, or the worker: Record.  Any thread: Read, also meanwhile; it leaves
// out what is overwritten while it reads.
#ifndef FILCH_POOL_TRACE_BUFFER_H_
#define FILCH_POOL_TRACE_BUFFER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

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

class TraceBuffer {
 public:
  // Keeps at least the last `events`, more than 0.  Throws std::bad_alloc.
  explicit TraceBuffer(std::size_t events);
  TraceBuffer(const TraceBuffer&) = delete;
  TraceBuffer& operator=(const TraceBuffer&) = delete;

  void Record(TraceKind kind, std::uint8_t detail = 0);

  // What is kept, the oldest first.
  std::vector<TraceEvent> Read() const;

 private:
  struct Entry {
    std::atomic<std::int64_t> nanoseconds{0};
    std::atomic<std::uint32_t> kind_and_detail{0};
  };

  const std::size_t mask_;
  const std::unique_ptr<Entry[]> entries_;
  std::atomic<std::uint64_t> recorded_{0};  // since the beginning
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_TRACE_BUFFER_H_
