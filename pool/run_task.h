// Dispatch: runs one task on the thread in a slot.
//
// And RunningTask, RunningOwnTask: the thread's state, which is put back when its tasks are over.
//
// Scheduler-internal.  Templates and inlined, so that a wait that finds its tasks in the thread's
// own deque, the usual case, compiles to straight code.
#ifndef FILCH_POOL_RUN_TASK_H_
#define FILCH_POOL_RUN_TASK_H_

#include <cstdint>
#include <limits>

#include "filch/pool/arena_hook.h"
#include "filch/pool/context.h"
#include "filch/pool/next_task.h"
#include "filch/pool/outcome.h"
#include "filch/pool/slot.h"
#include "filch/pool/slow_dispatch.h"
#include "filch/pool/task.h"

namespace filch {
namespace pool_internal {

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
    Restore();
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
    Restore();
    TellHooksOfEntry(slot_);
  }

  __attribute__((always_inline)) void Restore() {
    slot_.isolation = isolation_;
    slot_.isolation_floor = floor_;
    slot_.context = context_;
    slot_.innermost = innermost_;
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

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_RUN_TASK_H_
