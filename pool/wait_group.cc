#include "filch/pool/wait_group.h"

#include <cstdint>

#include "filch/pool/arena.h"
#include "filch/pool/completion.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/dispatch.h"
#include "filch/pool/enter.h"
#include "filch/pool/fp_scope.h"
#include "filch/pool/free_slot_completion.h"
#include "filch/pool/helping.h"
#include "filch/pool/parker.h"
#include "filch/pool/run_tasks.h"
#include "filch/pool/slot.h"
#include "filch/pool/wait_table.h"

namespace filch {

using pool_internal::Completion;
using pool_internal::CurrentSlot;
using pool_internal::EnterScope;
using pool_internal::FreeSlotCompletion;
using pool_internal::GlobalWaitTable;
using pool_internal::Parker;
using pool_internal::Slot;
using pool_internal::WaitTable;

class GroupCompletion final : public Completion {
 public:
  // Also complete when tasks have been spawned elsewhere since `seen`.
  GroupCompletion(WaitGroup& group, Slot& slot, std::uint32_t seen)
      : group_(group),
        signals_(*group.home_->group_signals),
        at_home_(&slot == group.home_),
        seen_(seen) {}

  bool IsComplete() const override {
    return group_.IsComplete() || signals_.spawned_elsewhere() != seen_;  // after Enlist
  }

  void Enlist(Parker& parker) override {
    waiter_.key = &group_;
    waiter_.parker = &parker;
    GlobalWaitTable().Enlist(waiter_);
    signals_.AnnounceWaiter(at_home_);
  }

  void Delist() override {
    signals_.WithdrawWaiter();
    GlobalWaitTable().Delist(waiter_);
  }

 private:
  WaitGroup& group_;
  pool_internal::GroupSignals& signals_;
  const bool at_home_;
  const std::uint32_t seen_;
  WaitTable::Waiter waiter_;
};

void WaitGroup::CountRemoteSpawned() { count_.SpawnedAbroad(); }

void WaitGroup::StartAbroad(Slot& slot, Task& task) {
  CountRemoteSpawned();
  SpawnOn(slot, task);
}

void WaitGroup::SpawnElsewhere(Slot& slot, Task& task) {
  pool_internal::GroupSignals& signals = *home_->group_signals;
  const void* const key = this;
  count_.elsewhere().Note(slot.arena);
  slot.Spawn(task);
  // The group may be gone from here on.  A thread that sleeps for it may be the
  // only one that can run the task.
  signals.NoteSpawnedElsewhere();
  if (signals.HasWaiters()) WakeWaiters(key);
}

void WaitGroup::WakeWaiters(const void* key) { GlobalWaitTable().WakeAll(key); }

void WaitGroup::WaitForTheRest() {
  Slot& slot = CurrentSlot();
  const pool_internal::OutermostFpScope fp_scope(slot);
  if (__builtin_expect(slot.isolation == 0, 1) && pool_internal::RunOwnTasks(slot, *this)) return;
  WaitForOthers(slot);
}

void WaitGroup::WaitForOthers(Slot& slot) {
  pool_internal::RunUntilIdle(slot, [this] { return IsComplete(); });
  Arena& home = *home_->arena;
  while (!IsComplete()) {
    // The signals are read before the tour of the arenas.
    GroupCompletion completion(*this, slot, home_->group_signals->spawned_elsewhere());
    if (slot.stack_floor == pool_internal::kNoStackForOthers) {
      LetOthersHelp(slot, completion);
    } else if (slot.arena == &home) {
      HelpElsewhere(slot, completion, 0);
    } else if (Slot* const there = home.OccupyToHelp()) {
      // The rest of what is within reach is in the home slot's arena.
      const EnterScope scope(*there);
      WaitForOthers(*there);
    } else {
      FreeSlotCompletion with_home(completion, home);
      HelpElsewhere(slot, with_home, 0);
    }
  }
}

// Waits for `completion` while others run what the thread does not: a worker comes
// where tasks of the group are.
void WaitGroup::LetOthersHelp(Slot& slot, Completion& completion) {
  int elsewhere = 0;
  home_->arena->AddAbstainer();
  while (Arena* const arena = count_.elsewhere().At(elsewhere)) {
    arena->AddAbstainer();
    ++elsewhere;
  }
  pool_internal::WaitFor(slot, completion);
  while (elsewhere > 0) count_.elsewhere().At(--elsewhere)->RemoveAbstainer();
  home_->arena->RemoveAbstainer();
}

// Runs what is to be found in the other arenas, from the one in that place on, and
// then waits for `completion`, or for a slot where there was none.
void WaitGroup::HelpElsewhere(Slot& slot, Completion& completion, int place) {
  if (IsComplete()) return;
  Arena* const arena = count_.elsewhere().At(place);
  if (arena == nullptr) return pool_internal::WaitFor(slot, completion);
  Slot* const there = arena->OccupyToHelp();
  if (there == nullptr) {
    FreeSlotCompletion with_slot(completion, *arena);
    return HelpElsewhere(slot, with_slot, place + 1);
  }
  {
    const EnterScope scope(*there);
    while (!IsComplete() && arena->ScanForWork(*there) &&
           pool_internal::RunUntilIdle(*there, [this] { return IsComplete(); })) {
    }
  }
  HelpElsewhere(slot, completion, place + 1);
}

bool WaitGroup::Settle() {
  const bool cancelled = context_.IsCancelled();
  context_.Rethrow();
  return cancelled;
}

}  // namespace filch
