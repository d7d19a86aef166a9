// OutermostScope: waits inside of it are outermost ones, as on a thread that is in no task.
//
// What a thread executes in an arena may wait for what is enqueued there, and every thread
// of the arena may be in such a wait, so they take enqueued tasks (wait_scope.h).
//
// Scheduler-internal.  The thread in the slot.
#ifndef FILCH_POOL_OUTERMOST_SCOPE_H_
#define FILCH_POOL_OUTERMOST_SCOPE_H_

#include <cstdint>
#include <utility>

#include "filch/pool/slot.h"

namespace filch {
namespace pool_internal {

class OutermostScope {
 public:
  explicit OutermostScope(Slot& slot)
      : slot_(slot),
        steps_before_(std::exchange(slot.steps_into_tasks, slot.StepsIntoTasks())),
        depth_before_(std::exchange(slot.outermost_depth, slot.depth)) {}
  ~OutermostScope() {
    slot_.outermost_depth = depth_before_;
    slot_.steps_into_tasks = steps_before_;
  }
  OutermostScope(const OutermostScope&) = delete;
  OutermostScope& operator=(const OutermostScope&) = delete;

 private:
  Slot& slot_;
  const std::int32_t steps_before_;
  const std::int32_t depth_before_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_OUTERMOST_SCOPE_H_
