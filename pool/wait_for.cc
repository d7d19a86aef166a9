#include "filch/pool/wait_for.h"

#include "filch/pool/arena.h"
#include "filch/pool/hand_over.h"
#include "filch/pool/idle_loops.h"
#include "filch/pool/idle_thread.h"
#include "filch/pool/slot.h"
#include "filch/pool/wait_scope.h"

namespace filch {
namespace pool_internal {

void WaitFor(Slot& slot, Completion& completion) {
  const ArenaSources::Scope scope = WaitScope(slot);
  IdleThread thread(slot, scope, completion);
  WaitUntilComplete(thread, completion, IsCallable(scope), scope.serves_queue);
}

void WaitAfterLooking(Slot& slot, Completion& completion, ThiefShares then) {
  AwaitBriefly([&] {
    if (completion.IsComplete()) return true;
    const int thief = then == ThiefShares::kHelp ? completion.Thief() : -1;
    return thief >= 0 && slot.arena->slots()[thief].deque.HasShared();
  });
  if (!completion.IsComplete()) WaitFor(slot, completion);
}

Choice AwaitTask(Slot& slot, const ArenaSources::Scope& scope, Completion& completion) {
  IdleThread thread(slot, scope, completion);
  return AwaitTask(thread, completion, IsCallable(scope), scope.serves_queue);
}

}  // namespace pool_internal
}  // namespace filch
