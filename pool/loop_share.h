// RunShare: what a thread does from when it comes to a shared loop until it leaves it.
//
// A template over its thread, so that a model checker runs this very order of events; see
// loop_parts.h for why it is this one.
//
// `thread` has, all for its own use and none of them throwing:
//   Work(part)             leaves an invitation if too few are open, claims the part's units and
//                          runs them, until none is left or the loop is cancelled
//   IsCancelled()
//   Random(n)              a number below n
//   TakeInvitationsBack()  those that nobody has taken; counts each as taken
//   AwaitGuests()          until those are done who took one; it may run other tasks
//   More()                 units that it had given to somebody who did not take them, or nothing
//   LeastToSteal()         how many units somebody must have for it to be worth taking some
//   LetOthersFinish()      waits a while for what the others have, if it is not worth taking; says
//                          whether somebody has enough now
//   LooksNoFurther()       whether it need not look for more: the others have what they do, most
//                          likely
//   OwesNoLook()           whether nobody relies on that it looks for more: it has neither taken
//                          nor left an invitation, or everybody else is done
#ifndef FILCH_POOL_LOOP_SHARE_H_
#define FILCH_POOL_LOOP_SHARE_H_

#include "filch/partitioner/stealing_range.h"
#include "filch/partitioner/unit_interval.h"

namespace filch {
namespace pool_internal {

// Runs `units`, held in `part`, and then what can be stolen, until that is nothing.  Who came
// by an invitation of this thread is done when it returns.
template <typename Parts, typename Thread>
void RunShare(Parts& parts, typename Parts::Part& part, UnitInterval units, Thread& thread) {
  const auto random = [&](int n) { return thread.Random(n); };
  while (!units.empty()) {
    part.busy = true;
    while (!units.empty()) {
      parts.Fill(part, units);
      thread.Work(part);
      // What a cancelled loop leaves is dropped, before this thread may fill its range again: that
      // the loop is cancelled it may see late.
      part.range.Claim(kAllUnits);
      if (thread.IsCancelled()) break;
      units = thread.More();
      if (units.empty() && !thread.LooksNoFurther()) {
        units = parts.Steal(random, thread.LeastToSteal());
      }
    }
    part.busy = false;
    // Before the wait for the guests: one of them may be stuck in a unit until another is
    // run that it has published, and may have relied on an invitation that is taken back here.
    thread.TakeInvitationsBack();
    if (thread.IsCancelled() || thread.OwesNoLook()) break;
    if (thread.LetOthersFinish()) units = parts.Steal(random, thread.LeastToSteal());
    if (units.empty()) units = parts.StealAfterTaking(random);
  }
  thread.AwaitGuests();
}

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_LOOP_SHARE_H_
