#include "filch/pool/wait_group.h"

#include <cstdint>
#include <optional>

#include "filch/pool/arena.h"
#include "filch/pool/arena_sources.h"
#include "filch/pool/completion.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/dispatch.h"
#include "filch/pool/enter.h"
#include "filch/pool/fp_scope.h"
#include "filch/pool/free_slot_completion.h"
#include "filch/pool/group_signals.h"
#include "filch/pool/helping.h"
#include "filch/pool/next_task.h"
#include "filch/pool/parker.h"
#include "filch/pool/queued_completion.h"
#include "filch/pool/reenter.h"
#include "filch/pool/slot.h"
#include "filch/pool/stolen_ends.h"
#include "filch/pool/task.h"
#include "filch/pool/wait_for.h"
#include "filch/pool/wait_scope.h"
#include "filch/pool/wait_table.h"

namespace filch {

using pool_internal::ArenaSources;
using pool_internal::Choice;
using pool_internal::Completion;
using pool_internal::CurrentSlot;
using pool_internal::EnterScope;
using pool_internal::FreeSlotCompletion;
using pool_internal::GlobalWaitTable;
using pool_internal::Parker;
using pool_internal::QueuedCompletion;
using pool_internal::ReenterScope;
using pool_internal::Slot;
using pool_internal::SlotBelow;
using pool_internal::WaitTable;

namespace {

// A number that is another one if tasks of groups that were made in the slot have been spawned in
// other arenas, or of some that were made in few other slots.  For who waits for such a group.
std::uint32_t SpawnedElsewhere(const Slot& home) {
  return home.group_signals->spawned_elsewhere() + home.home_spawns.count();
}

}  // namespace

class GroupCompletion final : public Completion {
 public:
  // `part` is complete, or tasks of the group have been spawned elsewhere since `seen`.
  GroupCompletion(const WaitGroup& group, WaitGroup& part, Slot& slot, std::uint32_t seen)
      : part_(part),
        home_(*group.home_),
        at_part_(part, slot),
        at_group_(group, slot),
        is_of_part_(&part != &group),
        seen_(seen) {}

  bool IsComplete() const override {  // after Enlist
    return part_.IsComplete() || SpawnedElsewhere(home_) != seen_;
  }

  void Enlist(Parker& parker) override {
    at_part_.Enlist(parker);
    part_.count_.Recount();
    if (is_of_part_) at_group_.Enlist(parker);
  }

  void Delist() override {
    if (is_of_part_) at_group_.Delist();
    at_part_.Delist();
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

   private:
    const void* const key_;
    pool_internal::GroupSignals& signals_;
    const bool at_home_;
    WaitTable::Waiter waiter_;
  };

  WaitGroup& part_;
  const Slot& home_;
  Place at_part_;
  Place at_group_;
  const bool is_of_part_;
  const std::uint32_t seen_;
};

void WaitGroup::CountSpawnedFromAfar(const Slot& slot) {
  if (IsOfHome(slot)) {
    count_.SpawnedAtHome();
  } else {
    count_.SpawnedRemotely();
  }
}

// Those who wait for a group, where a task of it is on its way to where they do not sleep.
class WaitGroup::WaitersElsewhere {
 public:
  // The calling thread is in `slot`, or in none.
  WaitersElsewhere(const WaitGroup& group, const Slot* slot)
      : key_(&group),
        signals_(*group.home_->group_signals),
        home_(slot != nullptr && group.IsOfHome(*slot) ? group.home_ : nullptr) {}

  // The task is there, and the group may be gone.  One who sleeps may be the only one that can run
  // it.
  void Call() {
    if (home_ != nullptr ? home_->home_spawns.Note(signals_) : signals_.NoteSpawnedElsewhere()) {
      WakeWaiters(key_);
    }
  }

 private:
  const void* const key_;
  pool_internal::GroupSignals& signals_;
  Slot* const home_;  // of the calling thread, if it is the one there
};

void WaitGroup::SpawnElsewhere(Slot& slot, Task& task) {
  WaitersElsewhere waiters(*this, &slot);
  // Nobody forgets an arena.
  if (count_.elsewhere().At(0) != slot.arena) count_.elsewhere().Note(slot.arena);
  slot.Spawn(task);
  waiters.Call();
}

void WaitGroup::EnqueueIn(Arena& arena, Task& task) noexcept {
  WaitersElsewhere waiters(*this, pool_internal::current_slot);
  arena.Enqueue(task);
  waiters.Call();
}

void WaitGroup::WakeWaiters(const void* key) { GlobalWaitTable().WakeAll(key); }

void WaitGroup::DoneByThief(Task::Function kind, Slot& thief) {
  pool_internal::StolenEnds& ends = thief.stolen_ends;
  // In the thief's cache if the task was short, as it was taken there.
  const bool more = thief.stolen_from != nullptr && thief.stolen_from->HasShared();
  if (more && (ends.Empty() || ends.AreOf(*this))) {
    return ends.Note(
        *this, kind,
        [](const WaitGroup& group, const Task& task) {
          return &static_cast<const pool_internal::TaskOfGroup&>(task).group() == &group;
        },
        [](WaitGroup& group, std::uint32_t tasks) { group.CountDoneRemotely(tasks); });
  }
  CountDoneRemotely(1 + ends.TakeOf(*this));
}

inline __attribute__((always_inline)) void WaitGroup::WaitIn(Slot& slot) {
  const bool owns_deque = __builtin_expect(pool_internal::OwnsDeque(slot), 1);
  if (owns_deque && pool_internal::RunOwnTasks(slot, *this)) return;
  WaitForOthers(slot, *this, slot);
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
  WaitForOthers(slot, part, slot);
}

// While it lasts others run what the waiting thread does not: a worker comes where tasks of the
// group are.
class WaitGroup::Abstention {
 public:
  explicit Abstention(WaitGroup& group) : group_(group) {
    group.home_->arena->AddAbstainer();
    while (Arena* const arena = group.count_.elsewhere().At(elsewhere_)) {
      arena->AddAbstainer();
      ++elsewhere_;
    }
  }
  ~Abstention() {
    while (elsewhere_ > 0) group_.count_.elsewhere().At(--elsewhere_)->RemoveAbstainer();
    group_.home_->arena->RemoveAbstainer();
  }
  Abstention(const Abstention&) = delete;
  Abstention& operator=(const Abstention&) = delete;

 private:
  WaitGroup& group_;
  int elsewhere_ = 0;
};

namespace {

// What makes a visit to an arena worth while: tasks that were spawned or sent there, or
// enqueued ones as well.
enum class Worth { kSpawned, kAny };

// Runs what there is in the slot's arena, where the thread is, until the group is complete
// or there is nothing to be found that is worth while.
void RunWhatIsThere(Slot& there, const WaitGroup& group, Worth worth) {
  const auto complete = [&group] { return group.IsComplete(); };
  const auto is_worth_while = [&there, worth] {
    return there.arena->ScanForWork(there) || (worth == Worth::kAny && there.arena->HasQueued());
  };
  while (!complete() && is_worth_while() && pool_internal::RunUntilIdle(there, complete)) {
  }
}

// The same in a slot of the thread's further down its stack; whether what is enqueued is for
// a wait there.
bool RunAllIn(Slot& below, const WaitGroup& group) {
  const ReenterScope scope(below);
  RunWhatIsThere(below, group, Worth::kAny);
  return pool_internal::WaitScope(below).serves_queue;
}

}  // namespace

// A wait for `part` by the thread in `slot`, which began in `first`; `seen` is how many tasks were
// elsewhere then.
struct WaitGroup::WaitState {
  Slot& slot;
  const ArenaSources::Scope& scope;
  WaitGroup& part;
  Slot& first;
  std::uint32_t seen;
};

void WaitGroup::WaitForOthers(Slot& slot, WaitGroup& part, Slot& first) {
  const Slot& home = *home_;
  std::uint32_t seen = 0;
  bool has_looked_elsewhere = false;
  const auto stop = [&] {
    return part.IsComplete() || (has_looked_elsewhere && SpawnedElsewhere(home) != seen);
  };
  ArenaSources sources(slot, pool_internal::WaitScope(slot));
  Choice choice = pool_internal::NextTask(sources, nullptr, nullptr);
  for (;;) {
    // Also what AwaitOthers finds, so that each task costs as much of the stack.
    pool_internal::RunTasks(sources, choice, stop);
    if (part.IsComplete()) return;
    // Before the tour of the arenas.
    seen = SpawnedElsewhere(home);
    has_looked_elsewhere = true;
    choice = AwaitOthers({slot, sources.scope(), part, first, seen});
  }
}

// A task to run in the wait's slot until there are more elsewhere; or nothing: the part may be
// complete.
Choice WaitGroup::AwaitOthers(const WaitState& wait) {
  Slot& slot = wait.slot;
  WaitGroup& part = wait.part;
  Slot& first = wait.first;
  Arena& home = *home_->arena;
  GroupCompletion completion(*this, part, slot, wait.seen);
  const bool runs_none = slot.stack_floor == pool_internal::kNoStackForOthers;
  // The usual case: all that is within reach is here.
  const bool all_is_here =
      !runs_none && slot.arena == &home && &slot == &first && count_.elsewhere().At(0) == nullptr;
  // What another thread has left in the own deque is not taken in every wait.
  const bool leaves_some =
      all_is_here ? slot.inherited != 0 && !pool_internal::IsCallable(wait.scope) : slot.IsDeep();
  std::optional<Abstention> abstention;
  if (__builtin_expect(runs_none || leaves_some, 0)) abstention.emplace(*this);
  if (all_is_here) return pool_internal::AwaitTask(slot, wait.scope, completion);
  if (runs_none) {
    pool_internal::WaitFor(slot, completion);
  } else if (slot.arena == &home) {
    if (&slot != &first && RunAllIn(first, part)) {
      QueuedCompletion with_queue(completion, *first.arena);
      HelpElsewhere(slot, with_queue, part, 0);
    } else {
      HelpElsewhere(slot, completion, part, 0);
    }
  } else if (Slot* const own = SlotBelow(slot, home)) {
    const ReenterScope scope(*own);
    WaitForOthers(*own, part, first);
  } else if (Slot* const there = home.slots().OccupyToHelp()) {
    // The rest of what is within reach is in the home slot's arena.
    const EnterScope scope(*there);
    WaitForOthers(*there, part, first);
  } else {
    FreeSlotCompletion with_home(completion, home);
    HelpElsewhere(slot, with_home, part, 0);
  }
  return {};
}

// Runs what is to be found in the other arenas, from the one in that place on, until
// `part` is complete, and then waits for `completion`, or for a slot where there was none.
void WaitGroup::HelpElsewhere(Slot& slot, Completion& completion, const WaitGroup& part,
                              int place) {
  if (part.IsComplete()) return;
  Arena* const arena = count_.elsewhere().At(place);
  if (arena == nullptr) return pool_internal::WaitFor(slot, completion);
  if (Slot* const own = SlotBelow(slot, *arena)) {
    const ReenterScope scope(*own);
    RunWhatIsThere(*own, part, Worth::kSpawned);
  } else if (Slot* const there = arena->slots().OccupyToHelp()) {
    const EnterScope scope(*there);
    // What is enqueued may take for ever, and a worker comes for it.
    there->outermost_depth = Slot::kNeverOutermost;
    RunWhatIsThere(*there, part, Worth::kSpawned);
  } else {
    FreeSlotCompletion with_slot(completion, *arena);
    return HelpElsewhere(slot, with_slot, part, place + 1);
  }
  HelpElsewhere(slot, completion, part, place + 1);
}

bool WaitGroup::Settle() {
  const bool cancelled = context_.IsCancelled();
  context_.Rethrow();
  return cancelled;
}

}  // namespace filch
