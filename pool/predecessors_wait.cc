#include "filch/pool/predecessors_wait.h"

#include "filch/pool/announced_completion.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"
#include "filch/pool/wait_for.h"

namespace filch {
namespace pool_internal {
namespace {

class PredecessorsCompletion final : public AnnouncedCompletion<Task> {
 public:
  explicit PredecessorsCompletion(Task& task) : AnnouncedCompletion(task) {}

  bool IsComplete() const override { return awaited().predecessors() == 1; }
};

}  // namespace

void WaitForOtherPredecessors(Slot& slot, Task& task) {
  if (task.predecessors() == 1) return;
  PredecessorsCompletion completion(task);
  WaitFor(slot, completion);
}

}  // namespace pool_internal
}  // namespace filch
