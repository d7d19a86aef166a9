// EnterScope: the calling thread is in a slot while the scope lasts.
#ifndef FILCH_POOL_ENTER_H_
#define FILCH_POOL_ENTER_H_

#include "filch/pool/arena.h"
#include "filch/pool/slot.h"
#include "filch/pool/thread_stack.h"

namespace filch {
namespace pool_internal {

// Makes the occupied slot the calling thread's own; what the last thread left
// there besides work is forgotten.
inline void BeginStay(Slot& slot) {
  slot.isolation = 0;
  slot.isolation_floor = 0;
  slot.context = nullptr;
  slot.innermost = nullptr;
  slot.depth = 0;
  slot.stack_floor = ThreadStackFloor();
}

class EnterScope {
 public:
  // The slot is occupied for the calling thread.
  explicit EnterScope(Slot& slot) : slot_(slot), outer_(current_slot) {
    BeginStay(slot);
    current_slot = &slot;
  }
  ~EnterScope() {
    current_slot = outer_;
    slot_.arena->Vacate(slot_);
  }
  EnterScope(const EnterScope&) = delete;
  EnterScope& operator=(const EnterScope&) = delete;

 private:
  Slot& slot_;
  Slot* const outer_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_ENTER_H_
