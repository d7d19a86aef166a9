#include "filch/pool/task.h"

#include <cstdint>

#include "filch/pool/wait_table.h"

namespace filch {

bool Task::AwaitedPredecessorDone(Task* task, std::int32_t before) {
  const std::int32_t left = (before & ~kAwaited) - 1;
  // The waiter may have seen it already, and the task be gone: the address is
  // only a key.
  if (left == 1) pool_internal::GlobalWaitTable().WakeAll(task);
  return left == 0;
}

}  // namespace filch
