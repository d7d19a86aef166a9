#include "filch/pool/helped_call.h"

#include "filch/pool/enter.h"
#include "filch/pool/execute.h"
#include "filch/pool/helping.h"
#include "filch/pool/reenter.h"

namespace filch {

void HelpedCall::WaitInside() {
  const IsolationReentry inside(region_);
  tasks_.WaitForTasks();
}

// A wait that took itself to the arena of the call would be outside of the region there, or
// in another one, so they are there before it begins.
void HelpedCall::HelpUntilEnd() {
  if (tasks_.IsComplete()) return;
  const pool_internal::Slot& slot = pool_internal::CurrentSlot();
  if (slot.arena == &arena_) return WaitInside();
  if (pool_internal::SlotBelow(slot, arena_) != nullptr) {
    return ExecuteIn(arena_, [this] { WaitInside(); });
  }
  if (pool_internal::Slot* const there = arena_.slots().OccupyToHelp()) {
    const pool_internal::EnterScope scope(*there);
    return WaitInside();
  }
  WithHelping(Helping::kOwnTasks, [this] { WaitInside(); });
}

}  // namespace filch
