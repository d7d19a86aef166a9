#include "filch/pool/predecessors_wait.h"

#include "filch/pool/completion.h"
#include "filch/pool/dispatch.h"
#include "filch/pool/parker.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"
#include "filch/pool/wait_table.h"

namespace filch {
namespace pool_internal {
namespace {

class PredecessorsCompletion final : public Completion {
 public:
  explicit PredecessorsCompletion(Task& task) : task_(task) {}

  bool IsComplete() const override { return task_.predecessors() == 1; }

  void Enlist(Parker& parker) override {
    GlobalWaitTable().Enlist(waiter_, &task_, parker);
    task_.AnnounceWaiter();
  }

  // The announcement stays: it costs the next waiter a wake-up at most.
  void Delist() override { GlobalWaitTable().Delist(waiter_); }

 private:
  Task& task_;
  WaitTable::Waiter waiter_;
};

}  // namespace

void WaitForOtherPredecessors(Slot& slot, Task& task) {
  if (task.predecessors() == 1) return;
  PredecessorsCompletion completion(task);
  WaitFor(slot, completion);
}

}  // namespace pool_internal
}  // namespace filch
