// PlacedIsolationScope: an isolated region (isolate.h) that is known by its place on the stack.
//
// Scheduler-internal: for facades whose programs live on that.
#ifndef FILCH_POOL_PLACED_ISOLATION_H_
#define FILCH_POOL_PLACED_ISOLATION_H_

#include "filch/pool/outer_isolation.h"
#include "filch/pool/slot.h"

namespace filch {
namespace pool_internal {

// A region that is known by its place, which is the scope's own on the stack: one that
// the thread enters in the same place right after it is the same region, and tasks that
// were left in the first are run by waits in the second.  So it is in TBB, and programs
// that isolate the start of a task and the wait for it, each by itself, live on that.
class PlacedIsolationScope {
 public:
  explicit PlacedIsolationScope(Slot& slot) : outer_(slot) { Enter(slot); }

 private:
  void Enter(Slot& slot);

  const OuterIsolation outer_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_PLACED_ISOLATION_H_
