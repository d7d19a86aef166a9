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
#include "filch/pool/completion.h"
#include "filch/pool/parker.h"
#include "filch/pool/wait_table.h"

namespace filch {
namespace pool_internal {

class QueuedCompletion final : public Completion {
 public:
  QueuedCompletion(Completion& awaited, Arena& arena) : awaited_(awaited), arena_(arena) {}

  bool IsComplete() const override { return awaited_.IsComplete() || arena_.HasQueued(); }

  void Enlist(Parker& parker) override {
    awaited_.Enlist(parker);
    GlobalWaitTable().Enlist(waiter_, arena_.queue_key(), parker);
    arena_.returners().Add();
  }

  void Delist() override {
    arena_.returners().Remove();
    GlobalWaitTable().Delist(waiter_);
    awaited_.Delist();
  }

 private:
  Completion& awaited_;
  Arena& arena_;
  WaitTable::Waiter waiter_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_QUEUED_COMPLETION_H_
