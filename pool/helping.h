// Helping: what a thread that waits may run meanwhile, on its own stack.
//
//   group.Wait(Helping::kOwnTasks);                  // this wait
//   WithHelping(Helping::kOwnTasks, [&] { ... });    // every wait in there, Join's too
//
// Use kOwnTasks where a stranger's task is a nuisance: it may take long, while what is
// waited for is over soon.  It costs parallelism: the thread sleeps while others have
// more than they can do.  Where a stranger's task would be an error, because a lock is
// held, use Isolate; for tasks of one group and no others, IsolatedGroup.
//
// Any thread.  The strictest of the choices in force on a stack decides, so a task that
// the waiting thread runs does not bring strangers in by a wait of its own; and deep in
// its stack (thread_stack.h) a thread always runs own tasks only.
// Guaranteed: what others have spawned into the group is run by them or by a worker, of
// which one comes even at a limit of 0; a wait hangs if they and every worker wait for
// something that only comes after it.  Who may not take a task is never called for one;
// see SLEEP.md.
#ifndef FILCH_POOL_HELPING_H_
#define FILCH_POOL_HELPING_H_

#include <cstdint>
#include <limits>
#include <utility>

#include "filch/pool/current_slot.h"
#include "filch/pool/slot.h"

namespace filch {

enum class Helping {
  // Every task of the arena, and those of the group that is waited for wherever they
  // are.
  kAnything,
  // What the thread has spawned itself in the slot where it is, and what was sent to
  // this slot.
  kOwnTasks,
};

namespace pool_internal {

// No stack is left for tasks of others.
constexpr std::uintptr_t kNoStackForOthers = std::numeric_limits<std::uintptr_t>::max();

class HelpingScope {
 public:
  HelpingScope(Slot& slot, Helping helping) : slot_(slot), floor_(slot.stack_floor) {
    if (helping == Helping::kOwnTasks) slot.stack_floor = kNoStackForOthers;
  }
  ~HelpingScope() { slot_.stack_floor = floor_; }
  HelpingScope(const HelpingScope&) = delete;
  HelpingScope& operator=(const HelpingScope&) = delete;

 private:
  Slot& slot_;
  const std::uintptr_t floor_;
};

}  // namespace pool_internal

// Returns what f returns and throws what f throws.  Any thread.
template <typename F>
auto WithHelping(Helping helping, F&& f) -> decltype(f()) {
  const pool_internal::HelpingScope scope(pool_internal::CurrentSlot(), helping);
  return std::forward<F>(f)();
}

}  // namespace filch

#endif  // FILCH_POOL_HELPING_H_
