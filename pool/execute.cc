#include "filch/pool/execute.h"

#include <exception>
#include <utility>

#include "filch/pool/arena.h"
#include "filch/pool/arena_fp_scope.h"
#include "filch/pool/away_scope.h"
#include "filch/pool/context.h"
#include "filch/pool/delegation.h"
#include "filch/pool/enter.h"
#include "filch/pool/outer_isolation.h"
#include "filch/pool/outermost_scope.h"
#include "filch/pool/parker.h"
#include "filch/pool/reenter.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"
#include "filch/pool/wait_table.h"

namespace filch {
namespace pool_internal {
namespace {

// The thread in the slot, who is in the arena already, is as one that has just come.
class AnewScope {
 public:
  explicit AnewScope(Slot& slot)
      : slot_(slot),
        context_(std::exchange(slot.context, nullptr)),
        outermost_(slot),
        no_isolation_(slot) {
    ++slot.executions;
  }
  ~AnewScope() {
    --slot_.executions;
    slot_.context = context_;
  }
  AnewScope(const AnewScope&) = delete;
  AnewScope& operator=(const AnewScope&) = delete;

 private:
  Slot& slot_;
  Context* const context_;
  const OutermostScope outermost_;
  const NoIsolationScope no_isolation_;
};

// Work that a thread wants done in a full arena, on the stack of that thread.
// Whoever takes it out of the arena's queue runs the work.
class DelegatedTask final : public Task {
 public:
  explicit DelegatedTask(WorkRef work) : Task(&DelegatedTask::RunInside, nullptr), work_(work) {}

  bool done() const { return delegation_.done(); }
  // Once it is done: throws what the work has thrown.
  void Rethrow() const {
    if (exception_ != nullptr) std::rethrow_exception(exception_);
  }

 private:
  static Task* RunInside(Task& task, Execution&) noexcept {
    auto& self = static_cast<DelegatedTask&>(task);
    {
      Slot& slot = *current_slot;
      const OutermostScope scope(slot);
      const ArenaFpScope fp_scope(slot.fp_settings);
      const bool enqueued = slot.arena->NoteEnqueued(slot, false);
      const bool in_call = std::exchange(slot.in_call, true);
      try {
        self.work_();
      } catch (...) {
        self.exception_ = std::current_exception();
      }
      slot.in_call = in_call;
      slot.arena->NoteEnqueued(slot, enqueued);
    }
    self.delegation_.Finish();
    // From here on only the address is used.
    GlobalWaitTable().WakeAll(&self);
    return nullptr;
  }

  const WorkRef work_;
  std::exception_ptr exception_;
  Delegation delegation_;
};

// The arena is full, and the calling thread is not in it: a thread inside runs `work`, or this
// one as soon as a slot is free.
void ExecuteWhenPossible(Arena& arena, WorkRef work) {
  DelegatedTask task(work);
  arena.Delegate(task);

  Parker parker;
  WaitTable::Waiter for_slot;
  WaitTable::Waiter for_task;
  arena.slots().vacancy().AddSeeker();
  GlobalWaitTable().Enlist(for_slot, arena.slots().vacancy_key(), parker);
  GlobalWaitTable().Enlist(for_task, &task, parker);
  Slot* slot = nullptr;
  {
    // Also while it looks, and once: it may have a slot of this very arena further out, and
    // be the seeker that is woken because all threads there are away.
    const AwayScope away(current_slot);
    bool taken = false;  // a thread inside runs it
    while (!task.done()) {
      if (!taken) slot = arena.slots().OccupyToDelegate();
      if (slot != nullptr) {
        if (arena.TakeBackDelegated(task)) break;
        arena.Vacate(*slot);
        slot = nullptr;
        taken = true;
      }
      if (!task.done()) parker.Park();
    }
  }
  GlobalWaitTable().Delist(for_task);
  GlobalWaitTable().Delist(for_slot);
  arena.slots().vacancy().RemoveSeeker();
  if (slot == nullptr) return task.Rethrow();
  const EnterScope scope(*slot, EnterScope::Call());
  work();
}

}  // namespace

void Execute(Arena& arena, WorkRef work) {
  Slot* const here = current_slot;
  if (here != nullptr && here->arena == &arena) {
    const AnewScope anew(*here);
    const ArenaFpScope fp_scope(here->fp_settings);
    return work();
  }
  if (Slot* const slot = arena.slots().OccupyFromOutside()) {
    const EnterScope scope(*slot, EnterScope::Call());
    return work();
  }
  // One of the threads that fill it may be this one.
  if (Slot* const own = here != nullptr ? SlotBelow(*here, arena) : nullptr) {
    const ReenterScope scope(*own);
    const AnewScope anew(*own);
    return work();
  }
  ExecuteWhenPossible(arena, work);
}

}  // namespace pool_internal
}  // namespace filch
