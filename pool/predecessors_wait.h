// WaitForPredecessors: waits until a task has one predecessor left, the waiting
// thread itself.
//
// This is the blocking style of programs that count by hand: the task that waits
// sets its count of predecessors to the number of its children and one more,
// spawns them, and waits until the one is left.  Programs that can, continue in
// another task instead (rule 2) and never wait.
//
// The waiting thread runs other tasks meanwhile: its own newest first, that is
// the children unless somebody stole them.
//
//   parent.set_predecessors(2 + 1);
//   slot.Spawn(b);                                      // successor: parent
//   WaitForPredecessors(slot, parent, &a, Waiters::kOne);  // likewise
//
// Memory ordering: what the predecessors did is visible afterwards.
#ifndef FILCH_POOL_PREDECESSORS_WAIT_H_
#define FILCH_POOL_PREDECESSORS_WAIT_H_

#include <cstdint>

#include "filch/pool/dispatch.h"
#include "filch/pool/next_task.h"
#include "filch/pool/outcome.h"
#include "filch/pool/run_task.h"
#include "filch/pool/running_task.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"

namespace filch {
namespace pool_internal {

// Rules 1 to 3 for the thread in `slot`, outside of any isolation.  What it finds
// runs in the isolation where the thread is then: most tasks follow from one that
// has run there.
class OwnSources {
 public:
  explicit OwnSources(Slot& slot) : slot_(slot) {}

  Choice Inherit(Task* task, Rule rule) { return {task, 0, rule}; }
  void PushOwn(Task& task) { slot_.SpawnSurely(task); }
  __attribute__((always_inline)) Choice PopOwn() {
    if (__builtin_expect(slot_.NeedsAttention(), 0)) slot_.Attend();
    Choice own{nullptr, 0, Rule::kOwnDeque};
    if (!slot_.deque.Pop(&own.task, &own.isolation)) return {};
    if (own.task == nullptr) __builtin_unreachable();
    EnterIsolation(slot_, own.isolation);
    return own;
  }
  __attribute__((always_inline)) Choice PopSibling(const Task& successor) {
    const Choice sibling = pool_internal::PopSibling(slot_, successor);
    if (sibling) EnterIsolation(slot_, sibling.isolation);
    return sibling;
  }
  Choice TakeMail() { return {}; }
  Choice TakeShared() { return {}; }
  Choice Steal() { return {}; }

 private:
  Slot& slot_;
};

// Runs `first`, if it is not null, and then own tasks until the waiter is the only
// predecessor left: true, and the count may be anything; or until there is none to run:
// false.  The completions of predecessors that run here are counted here, and the task
// learns of them when this returns: nobody else waits for it.
template <typename Kind>
inline __attribute__((always_inline)) bool RunOwnPredecessors(Slot& slot, Task& task, Task* first) {
  OwnSources sources(slot);
  const RunningOwnTask running(slot);
  Choice choice{first, 0, Rule::kReturned};
  std::int32_t left_if_alone = 1;  // the waiter, and what is complete and not counted yet
  for (;;) {
    Task* returned = nullptr;
    Task* ready = nullptr;
    if (choice) {
      const Outcome outcome = RunTaskHere<Kind>(slot, *choice.task, choice.rule);
      returned = outcome.returned;
      if (outcome.successor == &task) {
        ++left_if_alone;
      } else if (outcome.successor != nullptr) {
        if (IsOneOfTwo(outcome) && !task.HasPredecessors(left_if_alone)) {
          choice = TakeSibling(sources, *outcome.successor);
          if (choice) continue;
        }
        if (outcome.successor->PredecessorDone()) ready = outcome.successor;
      }
    }
    if (returned == nullptr && ready == nullptr && task.HasPredecessors(left_if_alone)) {
      return true;
    }
    choice = NextTask(sources, returned, ready);
    if (!choice) break;
  }
  task.PredecessorsDone(left_if_alone - 1);
  return false;
}

// The rest of a wait whose own tasks are done, or must not run.
void WaitForOtherPredecessors(Slot& slot, Task& task);

// How many threads may wait for one task at the same time.
enum class Waiters {
  kOne,   // children that the waiter runs itself are counted without read-modify-write
  kMany,  // each completion is seen by all of them
};

// `first`, if it is not null, is run at once, as if the waiter had spawned it and
// found it again.  Afterwards the count is 1 if there are many waiters; one waiter sets
// it to what it likes.  Kind is what nearly all tasks are that
// the caller has to do with: to call those by pointer makes an empty task a fifth
// dearer.  The thread in `slot`.
template <typename Kind = UnknownKind>
inline __attribute__((always_inline)) void WaitForPredecessors(Slot& slot, Task& task, Task* first,
                                                               Waiters waiters) {
  if (__builtin_expect(OwnsDeque(slot) && waiters == Waiters::kOne, 1)) {
    if (RunOwnPredecessors<Kind>(slot, task, first)) return;
  } else if (first != nullptr) {
    RunChain(slot, {first, slot.isolation, Rule::kReturned});
  }
  WaitForOtherPredecessors(slot, task);
}

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_PREDECESSORS_WAIT_H_
