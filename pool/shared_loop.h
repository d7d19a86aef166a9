// SharedLoop: a loop over units while several threads are in it.
//
// Each thread in the loop holds a StealingRange of units, and leaves an
// invitation, a task, in its deque.  Who steals the invitation takes half of
// what somebody has left, leaves an invitation of its own, and steals from the
// others when its part is done; a thread that finds nothing to steal leaves.
//
// Scheduler-internal; RunIndexLoop calls it.  It lives on the stack of the thread
// that runs the loop, which is in it from the beginning and destroys it when its
// own Participate has returned and everybody whom it has brought in by Accept is
// done.  Who came by an invitation has left by then.
#ifndef FILCH_POOL_SHARED_LOOP_H_
#define FILCH_POOL_SHARED_LOOP_H_

#include <atomic>
#include <cstdint>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/arena.h"
#include "filch/pool/context.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/loop_parts.h"
#include "filch/pool/slot.h"

namespace filch {
namespace pool_internal {

class SharedLoop {
 public:
  // The thread in `slot` is going to call Participate.  Of an uneven loop (LoopKind) nobody
  // takes more at once than leaves a part for each thread that could come.
  SharedLoop(LoopBody& body, Context& context, Slot& slot, bool uneven = false)
      : body_(body),
        context_(context),
        uneven_(uneven),
        parts_(slot.arena->slot_count(), slot.index) {}

  LoopBody& body() { return body_; }
  Context& context() { return context_; }
  LoopParts& parts() { return parts_; }
  bool uneven() const { return uneven_; }
  int participants() const {
    return participants_.load(std::memory_order_relaxed);  // L1: a hint for the batch size
  }

  // The share of the thread in `slot` that made the loop, beginning with `units`;
  // `segment` belongs to the units before those.
  void Participate(Slot& slot, UnitInterval units, void* segment) noexcept;
  // The thread in `slot` joins with units of its own.
  void Accept(Slot& slot, UnitInterval units) noexcept;
  // The thread runs a unit of its own, and leaves: of a loop in which each thread has one.
  void RunOne(UnitInterval unit) noexcept;

 private:
  LoopBody& body_;
  Context& context_;
  const bool uneven_;
  std::atomic<int> participants_{1};
  LoopParts parts_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_SHARED_LOOP_H_
