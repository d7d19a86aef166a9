// Outcome: what a task leaves to its dispatcher, and what that makes of it by rules 1 and 2.
//
// Scheduler-internal.  The thread that has run the task.
#ifndef FILCH_POOL_OUTCOME_H_
#define FILCH_POOL_OUTCOME_H_

#include "filch/pool/next_task.h"
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

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_OUTCOME_H_
