// EnterScope: the calling thread is in a slot while the scope lasts.
//
// Scheduler-internal.  The slot is occupied for that thread, and the scope vacates it.
#ifndef FILCH_POOL_ENTER_H_
#define FILCH_POOL_ENTER_H_

#include <atomic>
#include <cstdint>
#include <limits>

#include "filch/pool/arena.h"
#include "filch/pool/arena_fp_scope.h"
#include "filch/pool/arena_hook.h"
#include "filch/pool/slot.h"
#include "filch/pool/stay_binding.h"
#include "filch/pool/thread_stack.h"

namespace filch {
namespace pool_internal {

// Makes the occupied slot the calling thread's own; what the last thread left
// there besides work is forgotten.
inline void BeginStay(Slot& slot) {
  slot.outer = nullptr;
  slot.isolation = 0;
  slot.isolation_floor = 0;
  // A hint is enough: what thieves are taking away is not there when the thread looks.
  const bool empty = slot.deque.Inspect() == decltype(slot.deque)::Contents::kEmpty;
  slot.inherited = __builtin_expect(empty, 1) ? 0 : slot.deque.bottom();
  if (empty) slot.came_down_from = std::numeric_limits<std::int64_t>::max();
  slot.context = nullptr;
  slot.innermost = nullptr;
  slot.depth = 0;
  slot.outermost_depth = 0;
  slot.steps_into_tasks = 0;
  slot.executions = 0;
  slot.in_call = false;
  slot.expects_work = false;
  slot.stack_floor = ThreadStackFloor();
  slot.fp_settings = slot.arena->options().fp_settings;
}

// Whether hooks have to hear of the stay in `slot`.  The thread in it.
inline bool HooksWait(const Slot& slot) {
  return slot.newest_hook->load(std::memory_order_relaxed) > slot.hooks_told;  // H1: a hint
}

class EnterScope {
 public:
  // For a thread that counts as searching already; ServeUntilIdle tells the hooks.
  struct Searching {};
  // For one that comes to call a function.
  struct Call {};

  // The slot is occupied for the calling thread.
  explicit EnterScope(Slot& slot) : EnterScope(slot, Searching()) {
    if (__builtin_expect(HooksWait(slot), 0)) TellHooksOfEntry(slot);
  }
  EnterScope(Slot& slot, Call) : EnterScope(slot) { slot.in_call = true; }
  EnterScope(Slot& slot, Searching) : slot_(slot), fp_scope_(slot.arena->options().fp_settings) {
    BeginStay(slot);
    slot.outer = current_slot;
    if (__builtin_expect(!slot.arena->options().cpus.empty(), 0)) BindStay(slot);
    current_slot = &slot;
  }
  ~EnterScope() {
    if (__builtin_expect(slot_.hooks_told != 0, 0)) TellHooksOfLeave(slot_);
    if (__builtin_expect(!slot_.cpus_before.empty(), 0)) UnbindStay(slot_);
    current_slot = slot_.outer;
    slot_.arena->Vacate(slot_);
  }
  EnterScope(const EnterScope&) = delete;
  EnterScope& operator=(const EnterScope&) = delete;

 private:
  Slot& slot_;
  const ArenaFpScope fp_scope_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_ENTER_H_
