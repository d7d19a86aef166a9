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
//   pool_internal::WaitForPredecessors(slot, parent, &a);  // likewise
//
// Memory ordering: what the predecessors did is visible afterwards.
#ifndef FILCH_POOL_PREDECESSORS_WAIT_H_
#define FILCH_POOL_PREDECESSORS_WAIT_H_

#include "filch/pool/slot.h"
#include "filch/pool/task.h"

namespace filch {
namespace pool_internal {

// How many threads may wait for one task at the same time.
enum class Waiters {
  kOne,   // children that the waiter runs itself are counted without read-modify-write
  kMany,  // each completion is seen by all of them
};

// `first`, if it is not null, is run at once, as if the waiter had spawned it and
// found it again.  Afterwards the count is 1.  The thread in `slot`.
void WaitForPredecessors(Slot& slot, Task& task, Task* first, Waiters waiters);

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_PREDECESSORS_WAIT_H_
