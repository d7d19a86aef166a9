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

#include <cstddef>
#include <cstdint>
#include <vector>

#include "filch/pool/trace_ring.h"

namespace filch {
namespace pool_internal {

class TraceBuffer {
 public:
  // Keeps at least the last `events`, more than 0.  Throws std::bad_alloc.
  explicit TraceBuffer(std::size_t events) : ring_(events) {}

  void Record(TraceKind kind, std::uint8_t detail = 0);

  // What is kept, the oldest first.
  std::vector<TraceEvent> Read() const;

 private:
  BasicTraceRing<> ring_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_TRACE_BUFFER_H_
