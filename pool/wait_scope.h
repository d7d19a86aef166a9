// WaitScope: what a thread that waits may run meanwhile.
//
// Scheduler-internal.  The thread in the slot.
#ifndef FILCH_POOL_WAIT_SCOPE_H_
#define FILCH_POOL_WAIT_SCOPE_H_

#include "filch/pool/arena_sources.h"
#include "filch/pool/slot.h"

namespace filch {
namespace pool_internal {

// Of a thread that waits now.  Deep in its stack it runs only what it has spawned itself; enqueued
// tasks are for outermost waits.
inline ArenaSources::Scope WaitScope(const Slot& slot) {
  const bool deep = slot.IsDeep();
  return {slot.isolation, slot.depth == slot.outermost_depth && slot.isolation == 0 && !deep,
          !deep};
}

// A thread that may take anything can be called when there is work.
inline bool IsCallable(const ArenaSources::Scope& scope) {
  return scope.isolation == 0 && scope.steals;
}

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_WAIT_SCOPE_H_
