// ReenterScope: the calling thread is back in a slot that it is in already, further down
// its stack, while the scope lasts.
//
// A thread that entered another arena and waits there may have to run what lies in its
// own deque here.  From another slot of this arena it could reach only what thieves
// reach, and it would not be in the isolated region that it is in here: in it the thread
// takes only what belongs to that, whatever it waits for.
//
//   if (Slot* own = SlotBelow(slot, arena)) {
//     const ReenterScope scope(*own);
//
// Scheduler-internal.  The thread in the slots.
#ifndef FILCH_POOL_REENTER_H_
#define FILCH_POOL_REENTER_H_

#include "filch/pool/arena_fp_scope.h"
#include "filch/pool/slot.h"
#include "filch/pool/stay_binding.h"
#include "filch/topology/cpu_set.h"

namespace filch {
namespace pool_internal {

// The slot in the arena where the thread in `slot` is, too: the last that it entered; or
// null.
inline Slot* SlotBelow(const Slot& slot, const Arena& arena) {
  Slot* below = slot.outer;
  while (below != nullptr && below->arena != &arena) below = below->outer;
  return below;
}

class ReenterScope {
 public:
  // `slot` is below the calling thread's current one.  It becomes the first of the
  // thread's slots; the others keep their order, and stay the thread's.
  explicit ReenterScope(Slot& slot)
      : slot_(slot), before_(*current_slot), outer_(slot.outer), fp_scope_(slot.fp_settings) {
    above_ = &before_;
    while (above_->outer != &slot) above_ = above_->outer;
    above_->outer = outer_;
    slot.outer = &before_;
    current_slot = &slot;
    cpus_before_ = BindToArenaOf(slot);
  }
  ~ReenterScope() {
    if (__builtin_expect(!cpus_before_.empty(), 0)) BindIfPossible(cpus_before_);
    current_slot = &before_;
    slot_.outer = outer_;
    above_->outer = &slot_;
  }
  ReenterScope(const ReenterScope&) = delete;
  ReenterScope& operator=(const ReenterScope&) = delete;

 private:
  Slot& slot_;
  Slot& before_;
  Slot* const outer_;
  Slot* above_;  // the one that was entered from the slot
  // How the thread is bound outside; empty: the arena does not bind it.
  CpuSet cpus_before_;
  const ArenaFpScope fp_scope_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_REENTER_H_
