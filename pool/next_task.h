// NextTask: what a thread runs next, by the six rules of the scheduler.
//
// After a task t a thread runs, by the first rule that applies:
//
//   1. the task that t's function returned;
//   2. a successor of t whose last predecessor was t;
//   3. the newest task of the thread's own deque;
//   4. a task with affinity for the thread's slot;
//   5. about the oldest task of the shared queue;
//   6. the oldest task of another slot's deque, chosen at random (Arena::StealFor: after what was
//      set aside, and what others have shared where there are several).
//
// The rules are those of "Scheduling Algorithm" in the documentation of
// Threading Building Blocks.  Where that text is silent: if t both returns a
// task and makes a successor ready, the returned one runs and the successor
// goes to the bottom of the own deque, where rule 3 finds it next.
//
// `Sources` is where the tasks are (ArenaSources in a running pool, a script in
// a test); this function only knows the order.
#ifndef FILCH_POOL_NEXT_TASK_H_
#define FILCH_POOL_NEXT_TASK_H_

#include <cstdint>

#include "filch/pool/task.h"

namespace filch {
namespace pool_internal {

// A task to run, under which isolation, and the rule that chose it.
struct Choice {
  Task* task = nullptr;
  std::uint64_t isolation = 0;
  Rule rule = Rule::kNone;

  explicit operator bool() const { return task != nullptr; }
};

// How far rule 6 looks.
enum class Reach {
  kOneThread,   // at what others have shared, and else into the slot of one of them
  kEverywhere,  // into all slots
  kLastResort,  // likewise, and takes what others may come for, too
};

// The thread that calls it owns the slot behind `from`.
template <typename Sources>
inline __attribute__((always_inline)) Choice NextTask(Sources& from, Task* returned,
                                                      Task* successor) {
  if (returned != nullptr) {
    if (successor != nullptr) from.PushOwn(*successor);
    return from.Inherit(returned, Rule::kReturned);
  }
  if (successor != nullptr) return from.Inherit(successor, Rule::kSuccessor);
  if (Choice own = from.PopOwn()) return own;
  if (Choice mail = from.TakeMail()) return mail;
  if (Choice shared = from.TakeShared()) return shared;
  return from.Steal();
}

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_NEXT_TASK_H_
