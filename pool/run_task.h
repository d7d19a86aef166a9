// RunTask: runs one task on the thread in a slot.
//
// Scheduler-internal.  Templates and inlined, so that a wait that finds its tasks in the thread's
// own deque, the usual case, compiles to straight code.
#ifndef FILCH_POOL_RUN_TASK_H_
#define FILCH_POOL_RUN_TASK_H_

#include <cstdint>
#include <limits>

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

// Calls the task's function.  From its return on the task may be gone; its successor waits for
// us.
template <typename Kind>
inline __attribute__((always_inline)) Outcome CallTask(Slot& slot, Task& task, Rule rule,
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

// Looks whether the task is cancelled, which floating-point settings it wants, and
// whether the slot is traced.
Outcome RunTaskSlowly(Slot& slot, Task& task, Rule rule);

// What the thread runs next runs in `isolation`.
inline __attribute__((always_inline)) void EnterIsolation(Slot& slot, std::uint64_t isolation) {
  if (isolation == slot.isolation) return;
  slot.isolation = isolation;
  // What was left in the deque when the region was here before lies below.
  slot.isolation_floor = std::numeric_limits<std::int64_t>::min();
}

// In the isolation where the thread is.
template <typename Kind>
inline __attribute__((always_inline)) Outcome RunTaskHere(Slot& slot, Task& task, Rule rule) {
  slot.context = task.context();
  slot.innermost = &task;
  if (__builtin_expect(SlowDispatch::IsNeeded(), 0)) return RunTaskSlowly(slot, task, rule);
  return CallTask<Kind>(slot, task, rule, false);
}

// In the task's isolation.
inline __attribute__((always_inline)) Outcome RunTask(Slot& slot, const Choice& choice) {
  EnterIsolation(slot, choice.isolation);
  return RunTaskHere<UnknownKind>(slot, *choice.task, choice.rule);
}

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_RUN_TASK_H_
