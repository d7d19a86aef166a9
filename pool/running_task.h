// RunningTask, RunningOwnTask: the thread in a slot while it runs tasks, one after the other.
//
// What it was in before, isolation, context and task, is put back when they are over.
//
// Scheduler-internal.
#ifndef FILCH_POOL_RUNNING_TASK_H_
#define FILCH_POOL_RUNNING_TASK_H_

#include <cstdint>

#include "filch/pool/arena_hook.h"
#include "filch/pool/context.h"
#include "filch/pool/enter.h"
#include "filch/pool/next_task.h"
#include "filch/pool/outcome.h"
#include "filch/pool/run_task.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"

namespace filch {
namespace pool_internal {

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
    return RunTask(slot_, choice);
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

#endif  // FILCH_POOL_RUNNING_TASK_H_
