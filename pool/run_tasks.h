// RunTasks: the inner loop of the scheduler.
//
// Scheduler-internal.  It is a template so that a wait that finds its tasks in
// the thread's own deque, the usual case, compiles to straight code.
#ifndef FILCH_POOL_RUN_TASKS_H_
#define FILCH_POOL_RUN_TASKS_H_

#include <cstdint>
#include <limits>

#include "filch/pool/arena_hook.h"
#include "filch/pool/arena_sources.h"
#include "filch/pool/context.h"
#include "filch/pool/enter.h"
#include "filch/pool/next_task.h"
#include "filch/pool/slot.h"
#include "filch/pool/slow_dispatch.h"
#include "filch/pool/task.h"

namespace filch {
namespace pool_internal {

// What rules 1 and 2 ask for after a task.
struct Followers {
  Task* returned;
  Task* ready;

  explicit operator bool() const { return returned != nullptr || ready != nullptr; }
};

// What a task leaves to its dispatcher: the task that it returned, and the one
// that it is a predecessor of.
struct Outcome {
  Task* returned;
  Task* successor;
};

// Tells the successor of a task that is over.
inline __attribute__((always_inline)) Followers FollowersOf(const Outcome& outcome) {
  const bool ready =
      __builtin_expect(outcome.successor != nullptr, 0) && outcome.successor->PredecessorDone();
  return {outcome.returned, ready ? outcome.successor : nullptr};
}

// Whether nothing but one other predecessor of its successor, besides what follows from
// rule 1, is left after a task.
inline __attribute__((always_inline)) bool IsOneOfTwo(const Outcome& outcome) {
  return outcome.returned == nullptr && outcome.successor != nullptr &&
         outcome.successor->HasPredecessors(2);
}

// What runs next, after a task that IsOneOfTwo, instead of counting it off by a
// read-modify-write: the other one, if that is the newest own task, for then nobody else
// counts.  In a tree of tasks with two children each, it nearly always is.
template <typename Sources>
inline __attribute__((always_inline)) Choice TakeSibling(Sources& sources, Task& successor) {
  const Choice sibling = sources.PopSibling(successor);
  if (sibling) successor.PredecessorDoneBesideLast();
  return sibling;
}

// A kind of task that the loop of a wait knows beforehand: Is(task) tells it, and
// Run(task, execution), which does what the task's function does, is inlined into
// the loop.  This one is for loops that know nothing.
struct UnknownKind {
  static bool Is(const Task&) { return false; }
  static Task* Run(Task& task, Execution& execution) noexcept { return task.Run(execution); }
};

// One task at a time, on the thread in `slot`.
class Dispatch {
 public:
  // In the task's isolation.
  static __attribute__((always_inline)) Outcome Run(Slot& slot, const Choice& choice) {
    Enter(slot, choice.isolation);
    return RunHere<UnknownKind>(slot, *choice.task, choice.rule);
  }

  // In the one where the thread is.
  template <typename Kind>
  static __attribute__((always_inline)) Outcome RunHere(Slot& slot, Task& task, Rule rule) {
    slot.context = task.context();
    slot.innermost = &task;
    if (__builtin_expect(SlowDispatch::IsNeeded(), 0)) return RunSlowly(slot, task, rule);
    return Call<Kind>(slot, task, rule, false);
  }

  // What follows runs in `isolation`.
  static __attribute__((always_inline)) void Enter(Slot& slot, std::uint64_t isolation) {
    if (isolation == slot.isolation) return;
    slot.isolation = isolation;
    // What was left in the deque when the region was here before lies below.
    slot.isolation_floor = std::numeric_limits<std::int64_t>::min();
  }

 private:
  // Looks whether the task is cancelled, which floating-point settings it wants, and
  // whether the slot is traced.
  static Outcome RunSlowly(Slot& slot, Task& task, Rule rule);

  // From the return of the task's function on the task may be gone; its successor
  // waits for us.
  template <typename Kind>
  static __attribute__((always_inline)) Outcome Call(Slot& slot, Task& task, Rule rule,
                                                     bool cancelled) {
    slot.stats.dispatched.Increment();
    if (__builtin_expect(Kind::Is(task), 1)) {
      // Not the same object as below: nobody needs its address, so it is never in
      // memory.
      Execution execution{slot, cancelled, rule, task.successor()};
      Task* const returned = Kind::Run(task, execution);
      return {returned, execution.successor};
    }
    Execution execution{slot, cancelled, rule, task.successor()};
    Task* const returned = task.Run(execution);
    return {returned, execution.successor};
  }
};

// Runs tasks and leaves the thread's state as it found it.
class RunningTask {
 public:
  explicit RunningTask(Slot& slot)
      : slot_(slot),
        isolation_(slot.isolation),
        floor_(slot.isolation_floor),
        context_(slot.context),
        innermost_(slot.innermost) {
    ++slot.depth;
  }
  __attribute__((always_inline)) ~RunningTask() {
    --slot_.depth;
    slot_.isolation = isolation_;
    slot_.isolation_floor = floor_;
    slot_.context = context_;
    slot_.innermost = innermost_;
  }
  RunningTask(const RunningTask&) = delete;
  RunningTask& operator=(const RunningTask&) = delete;

  // Runs the task. Hooks that were added after the thread came, maybe by whoever made the
  // task, hear of the thread first.
  __attribute__((always_inline)) Outcome Run(const Choice& choice) {
    if (__builtin_expect(HooksWait(slot_), 0)) TellHooks();
    return Dispatch::Run(slot_, choice);
  }

 private:
  // What a hook does is done where the thread was before its first task.
  __attribute__((noinline)) void TellHooks() {
    slot_.isolation = isolation_;
    slot_.isolation_floor = floor_;
    slot_.context = context_;
    slot_.innermost = innermost_;
    TellHooksOfEntry(slot_);
  }

  Slot& slot_;
  const std::uint64_t isolation_;
  const std::int64_t floor_;
  Context* const context_;
  Task* const innermost_;
};

// The same for a thread that is in no isolation now: the floor means nothing then,
// so it is neither kept nor put back.
class RunningOwnTask {
 public:
  explicit RunningOwnTask(Slot& slot)
      : slot_(slot), context_(slot.context), innermost_(slot.innermost) {
    ++slot.depth;
  }
  __attribute__((always_inline)) ~RunningOwnTask() {
    --slot_.depth;
    slot_.isolation = 0;
    slot_.context = context_;
    slot_.innermost = innermost_;
  }
  RunningOwnTask(const RunningOwnTask&) = delete;
  RunningOwnTask& operator=(const RunningOwnTask&) = delete;

 private:
  Slot& slot_;
  Context* const context_;
  Task* const innermost_;
};

// Runs the followers of a task, and what follows from them.
void RunFollowers(Slot& slot, Followers followers);

// Runs `choice` and then what the six rules give, until they give nothing or
// `stop()` says so; rules 1 and 2 are followed to their end.
template <typename Sources, typename Stop>
void RunTasks(Sources& sources, Choice choice, const Stop& stop) {
  RunningTask running(sources.slot());
  while (choice) {
    const Outcome outcome = running.Run(choice);
    if (IsOneOfTwo(outcome) && !stop()) {
      choice = TakeSibling(sources, *outcome.successor);
      if (choice) continue;
    }
    const Followers followers = FollowersOf(outcome);
    if (!followers && stop()) return;
    choice = NextTask(sources, followers.returned, followers.ready);
  }
}

// What a thread that waits now may run meanwhile.  Deep in its stack it runs
// only what it has spawned itself; enqueued tasks are for outermost waits.
inline ArenaSources::Scope WaitScope(const Slot& slot) {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const bool deep = here < slot.stack_floor;
  return {slot.isolation, slot.depth == slot.outermost_depth && slot.isolation == 0 && !deep,
          !deep};
}

// Runs tasks of the thread in `slot` by rules 1 to 6 until `complete()` or until
// it finds none at once.  False: it found none at all, in no slot.
template <typename Complete>
bool RunUntilIdle(Slot& slot, const Complete& complete) {
  ArenaSources sources(slot, WaitScope(slot));
  sources.set_reach(Reach::kEverywhere);
  const Choice first = NextTask(sources, nullptr, nullptr);
  sources.set_reach(Reach::kOneThread);
  RunTasks(sources, first, complete);
  return static_cast<bool>(first);
}

// Runs a task of the own deque and what follows from it.
inline __attribute__((always_inline)) void RunOwnTask(Slot& slot, const Choice& own) {
  const Followers followers = FollowersOf(Dispatch::Run(slot, own));
  if (__builtin_expect(static_cast<bool>(followers), 0)) RunFollowers(slot, followers);
}

// Runs own tasks as RunOwnTasks does, for a group that has many left, without asking after
// each whether any are: thieves count what they have run there, and to ask is to wait for
// the cache line.  A few, and none after one that is not the group's.
void RunTasksOfMany(Slot& slot, const Context& context);

// Whether everything in the deque of the thread in `slot` is its own, and it may take it.
inline __attribute__((always_inline)) bool OwnsDeque(const Slot& slot) {
  return (slot.isolation | static_cast<std::uint64_t>(slot.inherited)) == 0;
}

// The same by rules 1 to 3, for a wait of a thread that OwnsDeque whose tasks are
// still where the thread has pushed them: most waits never get further.  Some of the
// group's tasks are left.  False: some are left still, and the own deque is empty.
template <typename Group>
inline __attribute__((always_inline)) bool RunOwnTasks(Slot& slot, Group& group) {
  const RunningOwnTask running(slot);
  for (;;) {
    Choice own;
    own.rule = Rule::kOwnDeque;
    if (!slot.deque.Pop(&own.task, &own.isolation)) return false;
    // Before the first task, too: the thread may have worked since its last push.  And after the
    // look for it, which takes back half of what was shared if that is all there is.
    if (__builtin_expect(slot.NeedsAttentionBeforeOwn(), 0)) slot.AttendBeforeOwn();
    RunOwnTask(slot, own);
    if (group.IsComplete()) return true;
    if (__builtin_expect(group.HasMany(), 0)) {
      RunTasksOfMany(slot, group.context());
      if (group.IsComplete()) return true;
    }
  }
}

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_RUN_TASKS_H_
