// WaitFor: waits for something, and runs other tasks meanwhile.
//
// Scheduler-internal; Join, TaskGroup and all other waits end here.
#ifndef FILCH_POOL_WAIT_FOR_H_
#define FILCH_POOL_WAIT_FOR_H_

#include "filch/pool/arena_sources.h"
#include "filch/pool/completion.h"
#include "filch/pool/next_task.h"
#include "filch/pool/slot.h"

namespace filch {
namespace pool_internal {

// Runs other tasks until `completion` is complete, and sleeps when there are
// none.  The thread in `slot`.
void WaitFor(Slot& slot, Completion& completion);

// What a thread does as soon as its thief has shared something.
enum class ThiefShares {
  kHelp,    // it is a part of what the thread waits for, as a rule
  kLookOn,  // it is not
};

// As WaitFor, for what is over soon, as a rule: looks briefly whether it is before it begins to
// wait as for anything else.
void WaitAfterLooking(Slot& slot, Completion& completion, ThiefShares then);

// Waits, as WaitFor does, for a task that the thread in `slot` may run, which its caller
// runs; or nothing, and `completion` is complete.
Choice AwaitTask(Slot& slot, const ArenaSources::Scope& scope, Completion& completion);

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_WAIT_FOR_H_
