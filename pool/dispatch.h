// The dispatch loops: running tasks until there are none.
//
// Scheduler-internal; Join, TaskGroup and the workers are made of it.  Templates, where a wait
// that finds its tasks in the thread's own deque, the usual case, has to compile to straight code.
// The thread in the slot.
#ifndef FILCH_POOL_DISPATCH_H_
#define FILCH_POOL_DISPATCH_H_

#include <cstdint>

#include "filch/pool/arena_sources.h"
#include "filch/pool/context.h"
#include "filch/pool/next_task.h"
#include "filch/pool/outcome.h"
#include "filch/pool/run_task.h"
#include "filch/pool/running_task.h"
#include "filch/pool/slot.h"
#include "filch/pool/stolen_ends.h"
#include "filch/pool/task.h"
#include "filch/pool/wait_scope.h"

namespace filch {
namespace pool_internal {

// Runs one task, and then what rules 1 and 2 give.
void RunChain(Slot& slot, Choice choice);

// Runs the followers of a task, and what follows from them.
void RunFollowers(Slot& slot, Followers followers);

// Runs whatever the thread finds, until it finds nothing.
void RunAll(Slot& slot);

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
    StolenEnds& ends = sources.slot().stolen_ends;
    if (!followers && stop()) return ends.Settle(nullptr);
    choice = NextTask(sources, followers.returned, followers.ready);
    ends.Settle(choice.task);
  }
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
  const Followers followers = FollowersOf(RunTask(slot, own));
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

#endif  // FILCH_POOL_DISPATCH_H_
