// WaitGroup: a count of tasks, and the wait for them.
//
// What TaskGroup is made of, for those who have a Context already and decide
// themselves what becomes of it: loops, facades.  Everybody else wants TaskGroup.
//
//   WaitGroup tasks(context);
//   tasks.Run([] { Work(); });
//   bool cancelled = tasks.Wait();
//
// Run may be called from any thread, from tasks of the group too, and while
// others wait.  Any thread may wait, and helps: it runs tasks of its arena, and
// if the group's tasks are in another arena it goes there, so a wait makes
// progress even in a pool without workers.  A pool where tasks of the group were
// spawned must outlive the wait.
//
// Memory ordering: what a thread did before Run is visible to the task; what
// the tasks did is visible after Wait.
//
// Counting: the thread in the slot where the group was made counts with plain
// stores, there and in an arena that it has entered from there, all others with one atomic
// addition each, or for several tasks that a thief runs one after the other (a steal-counted
// join).
#ifndef FILCH_POOL_WAIT_GROUP_H_
#define FILCH_POOL_WAIT_GROUP_H_

#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include "filch/pool/arena.h"
#include "filch/pool/closure_memory.h"
#include "filch/pool/completion.h"
#include "filch/pool/context.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/group_count.h"
#include "filch/pool/in_memory.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"
#include "filch/topology/catch_all.h"

namespace filch {

namespace pool_internal {
struct Choice;
template <typename F>
class GroupTask;

// Whether a closure that is passed by value is in registers.
template <typename Closure>
inline constexpr bool kInRegisters = std::is_trivially_copyable_v<Closure> &&
                                     sizeof(Closure) <= 2 * sizeof(void*) &&
                                     alignof(Closure) <= alignof(void*);
}  // namespace pool_internal

class WaitGroup {
 public:
  // The context must outlive the group, and the group the use of its tasks: it
  // is to be destroyed when no task is left, as after a wait.
  explicit WaitGroup(Context& context) : WaitGroup(context, pool_internal::CurrentSlot()) {}
  // The same for a caller that has looked up the slot: the calling thread's, or the one that it
  // makes groups in (CurrentSlotForGroup).
  WaitGroup(Context& context, pool_internal::Slot& slot) : home_(&slot), context_(context) {}
  WaitGroup(const WaitGroup&) = delete;
  WaitGroup& operator=(const WaitGroup&) = delete;

  // Starts a task that calls f(), on this thread's deque.  Throws
  // std::bad_alloc or what copying f throws, and then there is no task.
  template <typename F>
  void Run(F&& f) {
    RunOn(pool_internal::CurrentSlot(), std::forward<F>(f));
  }
  // The same for a caller that has looked up the calling thread's slot.
  template <typename F>
  void RunOn(pool_internal::Slot& slot, F&& f);
  // The same, and made for one that is in another slot than where the group was made.
  template <typename F>
  void RunFromAfar(pool_internal::Slot& slot, F f);

  // Counts a task that the caller makes itself; it calls Done when it is over.
  void Add() { CountSpawned(pool_internal::CurrentSlot()); }
  // Puts a task that was counted on this thread's deque.  Throws std::bad_alloc,
  // and then the scheduler does not have it.  Any thread.
  void Spawn(Task& task) { SpawnOn(pool_internal::CurrentSlot(), task); }

  // Puts a task that was counted into the shared queue of an arena, which needs no memory.
  // Who waits for the group in that arena may run it.  Any thread.
  void EnqueueIn(Arena& arena, Task& task) noexcept;

  // One task is over; `execution` is the task's.  The group may be gone when
  // this returns.
  void Done(Execution& execution) { CountDone(execution.slot); }
  // The same for a counted task that will never run.
  void Withdraw() { CountDone(pool_internal::CurrentSlot()); }

  // Waits for all tasks and throws the context's exception, if there is one.  True if the
  // context was cancelled.  It keeps both until Reset.
  bool Wait() {
    WaitForTasks();
    // Nothing has gone wrong here, and nothing in the whole process.
    if (__builtin_expect(context_.untouched() && !context_.IsCancelled(), 1)) return false;
    return Settle();
  }

  // Waits for all tasks; cancellation and exception stay in the context.
  void WaitForTasks() {
    if (!IsComplete()) WaitForTheRest();
  }

  // Waits as WaitForTasks, but only until `part` has no task left: a group that the
  // calling thread made for this wait, and whose count the ends of some tasks of this
  // group bring down, by Withdraw.
  void WaitForPart(WaitGroup& part);

  Context& context() { return context_; }

  // Whether the group was made in this slot, which may be null. Any thread.
  bool IsHome(const pool_internal::Slot* slot) const { return slot == home_; }

  // Whether no task is left.  Any thread that may wait.
  bool IsComplete() const { return count_.IsComplete(); }
  // Whether many seem to be, of those that the thread in the home slot has spawned; a hint.
  // Likewise.
  bool HasMany() const { return count_.HasManyAtHome(); }

 private:
  friend class GroupCompletion;
  template <typename F>
  friend class pool_internal::GroupTask;
  using Slot = pool_internal::Slot;
  class Abstention;
  class WaitersElsewhere;
  struct WaitState;

  // Whether the thread in the slot is the one in the home slot, from which it may have entered
  // another arena: to make a group, and to run and wait in an arena, is common.
  bool IsOfHome(const Slot& slot) const { return &slot == home_ || slot.outer == home_; }

  void CountSpawned(Slot& slot) {
    if (__builtin_expect(&slot == home_, 1)) {
      count_.SpawnedAtHome();
    } else {
      CountSpawnedFromAfar(slot);
    }
  }

  void CountDone(Slot& slot) {
    if (__builtin_expect(IsOfHome(slot), 1)) {
      CountDoneAtHome();
    } else {
      CountDoneRemotely(1);
    }
  }
  // The group's signals are read before the group may be gone; its address is still a key
  // afterwards.
  void CountDoneAtHome() {
    const pool_internal::GroupSignals& signals = *home_->group_signals;
    if (__builtin_expect(count_.DoneAtHome(signals), 0)) WakeWaiters(this);
  }
  void CountDoneRemotely(std::uint32_t tasks) {
    const pool_internal::GroupSignals& signals = *home_->group_signals;
    if (count_.DoneRemotely(signals, tasks)) WakeWaiters(this);
  }

  // Done, for a task of that kind.  Its thief may count it with the next.
  void DoneOf(Task::Function kind, const Execution& execution) {
    if (execution.rule == pool_internal::Rule::kSteal && !IsOfHome(execution.slot)) {
      return DoneByThief(kind, execution.slot);
    }
    CountDone(execution.slot);
  }
  void DoneByThief(Task::Function kind, Slot& thief);

  // As RunOn, in all cases.
  template <typename F>
  __attribute__((noinline)) void RunSlowly(Slot& slot, F f);
  // Spawns a task that was counted, or discards it and throws std::bad_alloc.
  template <typename F>
  __attribute__((noinline)) void SpawnOrDiscard(Slot& slot, pool_internal::GroupTask<F>& task);

  // The task may run and the group be gone before this returns.
  void SpawnOn(Slot& slot, Task& task) {
    if (__builtin_expect(slot.arena == home_->arena, 1)) {
      slot.Spawn(task);
    } else {
      SpawnElsewhere(slot, task);
    }
  }

  void CountSpawnedFromAfar(const Slot& slot);
  void SpawnElsewhere(Slot& slot, Task& task);
  pool_internal::Choice AwaitOthers(const WaitState& wait);
  void HelpElsewhere(Slot& slot, pool_internal::Completion& completion, const WaitGroup& part,
                     int place);
  static void WakeWaiters(const void* key);
  void WaitForTheRest();
  // The same by a thread that is in no task; and by one in any, whose floating-point settings
  // are those that tasks find.
  void WaitOutermost(Slot& slot);
  void WaitIn(Slot& slot);
  // Until `part` is complete: this group, or one that stands for a part of its tasks.  The
  // thread is in `slot`, and the wait began in `first`.
  void WaitForOthers(Slot& slot, WaitGroup& part, Slot& first);
  bool Settle();

  // The slot where the group was made.
  Slot* const home_;
  Context& context_;
  pool_internal::BasicGroupCount<Arena> count_;
};

namespace pool_internal {

// A task that counts for a group.
class TaskOfGroup : public Task {
 public:
  WaitGroup& group() const { return *group_.Get(); }

 protected:
  TaskOfGroup(Function function, WaitGroup& group)
      : Task(function, &group.context()), group_(&group) {}
  ~TaskOfGroup() = default;

 private:
  // Written alone, and not in one with the beginning of a closure by way of a vector register.
  const InMemory<WaitGroup*> group_;
};

// One that owns a closure.
template <typename F>
class GroupTask final : public TaskOfGroup {
 public:
  // Throws std::bad_alloc or what copying the closure throws.
  template <typename Source>
  static GroupTask& Make(Slot& slot, WaitGroup& group, Source&& f) {
    const auto construct = [&](void* memory) noexcept(kNothrow<Source>) -> GroupTask& {
      return *::new (memory) GroupTask(group, std::forward<Source>(f));
    };
    return ClosureMemory<GroupTask>::Make(slot.memory, construct);
  }
  // The same with memory that is at hand; null: there is none, or something may throw, and
  // `f` is as it was.
  template <typename Source>
  static GroupTask* TryMake(Slot& slot, WaitGroup& group, Source&& f) {
    if constexpr (ClosureMemory<GroupTask>::kPooled && kNothrow<Source>) {
      if (void* const memory = ClosureMemory<GroupTask>::TryAllocate(slot.memory)) {
        return ::new (memory) GroupTask(group, std::forward<Source>(f));
      }
    }
    return nullptr;
  }

  // Destroys a task that the scheduler does not have (any more).
  static void Discard(Slot& slot, GroupTask& task) {
    task.~GroupTask();
    ClosureMemory<GroupTask>::Free(slot.memory, &task);
  }

 private:
  template <typename Source>
  static constexpr bool kNothrow = std::is_nothrow_constructible_v<F, Source&&>;

  template <typename Source>
  GroupTask(WaitGroup& group, Source&& f)
      : TaskOfGroup(&GroupTask::RunAndCount, group), f_(std::forward<Source>(f)) {}
  ~GroupTask() = default;

  static Task* RunAndCount(Task& task, Execution& execution) noexcept {
    auto& self = static_cast<GroupTask&>(task);
    if (__builtin_expect(!execution.cancelled, 1)) {
      FILCH_TRY { self.f_(); }
      FILCH_CATCH_ALL { self.group().context().CaptureCurrentException(); }
    }
    WaitGroup& group = self.group();
    Discard(execution.slot, self);
    group.DoneOf(&GroupTask::RunAndCount, execution);
    return nullptr;
  }

  F f_;
};

}  // namespace pool_internal

template <typename F>
inline __attribute__((always_inline)) void WaitGroup::RunOn(Slot& slot, F&& f) {
  using GroupTaskOfF = pool_internal::GroupTask<std::decay_t<F>>;
  GroupTaskOfF* task;
  if constexpr (pool_internal::kInRegisters<std::decay_t<F>>) {
    // The usual way has no call but the last one, whichever that is: what would have to survive
    // calls is dear in functions that make groups (InMemory says why).  A larger closure would
    // be in memory for it, and is dearer there.
    task = __builtin_expect(&slot == home_, 1)
               ? GroupTaskOfF::TryMake(slot, *this, std::forward<F>(f))
               : nullptr;
    if (__builtin_expect(task == nullptr, 0)) {
      return RunSlowly<std::decay_t<F>>(slot, std::forward<F>(f));
    }
  } else {
    task = &GroupTaskOfF::Make(slot, *this, std::forward<F>(f));
    if (__builtin_expect(&slot != home_, 0)) {
      CountSpawnedFromAfar(slot);
      return SpawnOrDiscard(slot, *task);
    }
  }
  count_.SpawnedAtHome();
  if (__builtin_expect(!slot.TrySpawn(*task), 0)) SpawnOrDiscard(slot, *task);
}

template <typename F>
inline __attribute__((always_inline)) void WaitGroup::RunFromAfar(Slot& slot, F f) {
  auto& task = pool_internal::GroupTask<F>::Make(slot, *this, std::move(f));
  CountSpawned(slot);
  SpawnOrDiscard(slot, task);
}

template <typename F>
void WaitGroup::RunSlowly(Slot& slot, F f) {
  RunFromAfar(slot, std::move(f));
}

template <typename F>
void WaitGroup::SpawnOrDiscard(Slot& slot, pool_internal::GroupTask<F>& task) {
  FILCH_TRY { SpawnOn(slot, task); }
  FILCH_CATCH_ALL {  // std::bad_alloc: the deque could not grow
    pool_internal::GroupTask<F>::Discard(slot, task);
    CountDone(slot);
    FILCH_RETHROW;
  }
}

}  // namespace filch

#endif  // FILCH_POOL_WAIT_GROUP_H_
