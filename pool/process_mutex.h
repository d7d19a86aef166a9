// ProcessMutex: a lock that no child of fork() finds locked.
//
// For locks of which there are a few in the process.  A thread of the parent may hold one while
// another thread forks, and would never give it back in the child; so whoever forks takes them,
// too.  A lock of a pool, of which there may be many, is taken by the pool (ForkListener).
//
// Nothing else is locked under one that is taken last (ForkListener::Order), and no code of the
// program runs there.
//
// Scheduler-internal.  Any thread.
// Memory ordering: SleepingLock's.
#ifndef FILCH_POOL_PROCESS_MUTEX_H_
#define FILCH_POOL_PROCESS_MUTEX_H_

#include "filch/pool/forked_child.h"
#include "filch/pool/sleeping_lock.h"

namespace filch {
namespace pool_internal {

class ProcessMutex final : public SleepingLock, private ForkListener {
 public:
  // Not by a thread that has a lock of a listener.
  explicit ProcessMutex(Order its_order = Order::kLast) : ForkListener(its_order) {
    ForkedChild::Tell(*this);
  }
  ~ProcessMutex() { ForkedChild::TellNoMore(*this); }
  ProcessMutex(const ProcessMutex&) = delete;
  ProcessMutex& operator=(const ProcessMutex&) = delete;

  using ForkListener::Order;

 private:
  void LockForFork() override { lock(); }
  void UnlockAfterFork() override { unlock(); }
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_PROCESS_MUTEX_H_
