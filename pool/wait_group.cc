#include "filch/pool/wait_group.h"

#include <cstdint>
#include <limits>

#include "filch/pool/arena.h"
#include "filch/pool/arena_sources.h"
#include "filch/pool/completion.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/dispatch.h"
#include "filch/pool/enter.h"
#include "filch/pool/fp_scope.h"
#include "filch/pool/group_signals.h"
#include "filch/pool/helping.h"
#include "filch/pool/isolate.h"
#include "filch/pool/next_task.h"
#include "filch/pool/parker.h"
#include "filch/pool/reenter.h"
#include "filch/pool/run_tasks.h"
#include "filch/pool/slot.h"
#include "filch/pool/wait_table.h"

namespace filch {

using pool_internal::ArenaSources;
using pool_internal::Choice;
using pool_internal::Completion;
using pool_internal::CurrentSlot;
using pool_internal::EnterScope;
using pool_internal::GlobalWaitTable;
using pool_internal::Parker;
using pool_internal::ReenterScope;
using pool_internal::Slot;
using pool_internal::SlotBelow;
using pool_internal::WaitTable;

class GroupCompletion final : public Completion {
 public:
  // `part` is complete, or tasks of the group have been spawned elsewhere since `seen`.
  GroupCompletion(const WaitGroup& group, WaitGroup& part, Slot& slot, std::uint32_t seen)
      : part_(part), awaited_(part, slot), group_(group, slot), seen_(seen) {}

  bool IsComplete() const override {  // after Enlist
    return part_.IsComplete() || group_.signals().spawned_elsewhere() != seen_;
  }

  void Enlist(Parker& parker) override {
    awaited_.Enlist(parker);
    part_.count_.Recount();
    if (IsOfPart()) group_.Enlist(parker);
  }

  void Delist() override {
    if (IsOfPart()) group_.Delist();
    awaited_.Delist();
  }

 private:
  // The place of the waiting thread among those that wait for one group.
  class Place {
   public:
    Place(const WaitGroup& group, Slot& slot)
        : key_(&group), signals_(*group.home_->group_signals), at_home_(group.IsOfHome(slot)) {}

    void Enlist(Parker& parker) {
      GlobalWaitTable().Enlist(waiter_, key_, parker);
      signals_.AnnounceWaiter(at_home_);
    }
    void Delist() {
      signals_.WithdrawWaiter();
      GlobalWaitTable().Delist(waiter_);
    }

    const void* key() const { return key_; }
    const pool_internal::GroupSignals& signals() const { return signals_; }

   private:
    const void* const key_;
    pool_internal::GroupSignals& signals_;
    const bool at_home_;
    WaitTable::Waiter waiter_;
  };

  bool IsOfPart() const { return awaited_.key() != group_.key(); }

  WaitGroup& part_;
  Place awaited_;
  Place group_;
  const std::uint32_t seen_;
};

void WaitGroup::CountSpawnedFromAfar(const Slot& slot) {
  if (IsOfHome(slot)) {
    count_.SpawnedAtHome();
  } else {
    count_.SpawnedRemotely();
  }
}

void WaitGroup::SpawnElsewhere(Slot& slot, Task& task) {
  pool_internal::GroupSignals& signals = *home_->group_signals;
  // Nobody forgets an arena.
  if (count_.elsewhere().At(0) != slot.arena) count_.elsewhere().Note(slot.arena);
  slot.Spawn(task);
  CallWaitersElsewhere(signals, this);
}

void WaitGroup::EnqueueIn(Arena& arena, Task& task) noexcept { arena.Enqueue(task); }

// A thread that sleeps for the group may be the only one that can run the task.
void WaitGroup::CallWaitersElsewhere(pool_internal::GroupSignals& signals, const void* key) {
  signals.NoteSpawnedElsewhere();
  if (signals.HasWaiters()) WakeWaiters(key);
}

void WaitGroup::WakeWaiters(const void* key) { GlobalWaitTable().WakeAll(key); }

inline __attribute__((always_inline)) void WaitGroup::WaitIn(Slot& slot) {
  const bool owns_deque = __builtin_expect(pool_internal::OwnsDeque(slot), 1);
  if (owns_deque && pool_internal::RunOwnTasks(slot, *this)) return;
  WaitForOthers(slot, *this);
}

void WaitGroup::WaitForTheRest() {
  Slot& slot = CurrentSlot();
  // Two calls of one function, so that a wait inside a task keeps nothing for the scope's end.
  if (__builtin_expect(slot.context == nullptr, 0)) return WaitOutermost(slot);
  WaitIn(slot);
}

void WaitGroup::WaitOutermost(Slot& slot) {
  const pool_internal::OutermostFpScope fp_scope(slot);
  WaitIn(slot);
}

void WaitGroup::WaitForPart(WaitGroup& part) {
  if (part.IsComplete()) return;
  Slot& slot = CurrentSlot();
  const pool_internal::OutermostFpScope fp_scope(slot);
  WaitForOthers(slot, part);
}

void WaitGroup::WaitForOthers(Slot& slot, WaitGroup& part) {
  const pool_internal::GroupSignals& signals = *home_->group_signals;
  std::uint32_t seen = 0;
  bool has_looked_elsewhere = false;
  const auto stop = [&] {
    return part.IsComplete() || (has_looked_elsewhere && signals.spawned_elsewhere() != seen);
  };
  ArenaSources sources(slot, pool_internal::WaitScope(slot));
  Choice choice = pool_internal::NextTask(sources, nullptr, nullptr);
  for (;;) {
    // Also what AwaitOthers finds, so that each task costs as much of the stack.
    pool_internal::RunTasks(sources, choice, stop);
    if (part.IsComplete()) return;
    // The signals are read before the tour of the arenas.
    seen = signals.spawned_elsewhere();
    has_looked_elsewhere = true;
    choice = AwaitOthers(slot, part, seen);
  }
}

// A task to run in the wait's slot until the signals change from what was `seen`; or nothing:
// the part may be complete.
Choice WaitGroup::AwaitOthers(Slot& slot, WaitGroup& part, std::uint32_t seen) {
  const ArenaSources::Scope scope = pool_internal::WaitScope(slot);
  GroupCompletion completion(*this, part, slot, seen);
  if (pool_internal::IsCallable(scope)) {
    if (slot.arena == home_->arena && count_.elsewhere().At(0) == nullptr) {
      // The usual case: all that is within reach is here.
      return pool_internal::AwaitTask(slot, scope, completion);
    }
    HelpElsewhere(slot, part);
  }
  return AwaitHelped(slot, completion);
}

// Calls f with each arena where tasks of the group are or may come to be, the first `most` of
// those beside its own; returns how many these were.
template <typename F>
int WaitGroup::ForArenas(int most, const F& f) {
  f(*home_->arena);
  int elsewhere = 0;
  for (; elsewhere < most; ++elsewhere) {
    Arena* const arena = count_.elsewhere().At(elsewhere);
    if (arena == nullptr) break;
    f(*arena);
  }
  return elsewhere;
}

// Waits as pool_internal::AwaitTask, while a worker comes, at any limit, where tasks are that
// this thread does not run.
Choice WaitGroup::AwaitHelped(Slot& slot, Completion& completion) {
  const ArenaSources::Scope scope = pool_internal::WaitScope(slot);
  const bool abstains = slot.stack_floor == pool_internal::kNoStackForOthers;
  const bool helps_here = pool_internal::IsCallable(scope);
  const int elsewhere = ForArenas(std::numeric_limits<int>::max(), [&](Arena& arena) {
    if (abstains) {
      arena.AddAbstainer();
    } else if (&arena != slot.arena || !helps_here) {
      arena.AddAwaiter();
    }
  });
  const Choice choice = pool_internal::AwaitTask(slot, scope, completion);
  ForArenas(elsewhere, [&](Arena& arena) {
    if (abstains) {
      arena.RemoveAbstainer();
    } else if (&arena != slot.arena || !helps_here) {
      arena.RemoveAwaiter();
    }
  });
  return choice;
}

namespace {

// The newest own task in the slot where the thread is, if it is in the context.
Choice TakeOwnOf(Slot& there, const Context& context) {
  const std::int64_t inherited = there.inherited;
  Choice own = ArenaSources(there, {}).PopOwn();
  if (!own || own.task->context() == &context) return own;
  pool_internal::PutBack(there, *own.task, own.isolation);
  there.inherited = inherited;
  return {};
}

}  // namespace

// Runs tasks of the group in the slot's arena, where the thread is, until `part` is complete or
// there are none at hand.  No others: they may take long, wait for what comes after this wait, or
// want a lock that is held where it began.  Nor do waits inside run others.
void WaitGroup::RunOwnIn(Slot& there, const WaitGroup& part) const {
  // Neither in a region further down the stack, where not all that belongs to it is the group's.
  if (!pool_internal::IsCallable(pool_internal::WaitScope(there))) return;
  const std::uint64_t region = pool_internal::NewIsolation();
  while (!part.IsComplete()) {
    Choice choice = TakeOwnOf(there, context_);
    if (!choice) choice = there.arena->TakeOf(there, context_);
    if (!choice) return;
    if (choice.isolation == 0) choice.isolation = region;
    pool_internal::RunChain(there, choice);
  }
}

// Runs tasks of the group that are at hand in other arenas than the thread's, so that a wait
// need not wait for a worker, which may be busy or far away.
void WaitGroup::HelpElsewhere(Slot& slot, const WaitGroup& part) {
  ForArenas(std::numeric_limits<int>::max(), [&](Arena& arena) {
    if (&arena == slot.arena || part.IsComplete()) return;
    if (Slot* const own = SlotBelow(slot, arena)) {
      const ReenterScope scope(*own);
      RunOwnIn(*own, part);
    } else if (Slot* const there = arena.slots().OccupyToHelp()) {
      const EnterScope scope(*there);
      RunOwnIn(*there, part);
    }
  });
}

bool WaitGroup::Settle() {
  const bool cancelled = context_.IsCancelled();
  context_.Rethrow();
  return cancelled;
}

}  // namespace filch
