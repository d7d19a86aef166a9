// QueuedCompletion: something that a thread waits for, or a task in the queues of an arena
// where the thread began to wait.
//
// For a thread that sleeps in another arena, and would take enqueued tasks if it slept in
// that one; returners.h says why.  The thread goes back there when it is complete.
//
// Memory ordering: the wait becomes a returner and then looks at the queues (W9).
#ifndef FILCH_POOL_QUEUED_COMPLETION_H_
#define FILCH_POOL_QUEUED_COMPLETION_H_

#include "filch/pool/arena.h"
#include "filch/pool/either_completion.h"

namespace filch {
namespace pool_internal {

struct SomethingIsQueued {
  static bool Has(const Arena& arena) { return arena.HasQueued(); }
  static const void* Key(const Arena& arena) { return arena.queue_key(); }
  static void Announce(Arena& arena) { arena.returners().Add(); }
  static void Withdraw(Arena& arena) { arena.returners().Remove(); }
};

using QueuedCompletion = EitherCompletion<SomethingIsQueued>;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_QUEUED_COMPLETION_H_
