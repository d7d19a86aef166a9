#include "filch/pool/wait_table.h"

#include "filch/pool/first_use.h"
#include "filch/pool/forked_child.h"

namespace filch {
namespace pool_internal {

template class BasicWaitTable<Parker>;

namespace {

// Whoever forks does not take all the locks: the child needs nothing that they guard.
class ProcessWaitTable final : private ForkListener {
 public:
  ProcessWaitTable() : ForkListener(Order::kLast) { ForkedChild::Tell(*this); }

  WaitTable table;

 private:
  void LockForFork() override {}
  void UnlockAfterFork() override {}
  void BeginInChild(bool) override { table.BeginInChild(); }
};

}  // namespace

WaitTable& GlobalWaitTable() {
  // Never destroyed: threads may still wake each other while statics go away.
  static FirstUse<ProcessWaitTable> first_use;
  return first_use.Get().table;
}

}  // namespace pool_internal
}  // namespace filch
