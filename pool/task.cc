#include "filch/pool/task.h"

#include "filch/pool/wait_table.h"

namespace filch {

void Task::WakeWaiters(const Task* task) { pool_internal::GlobalWaitTable().WakeAll(task); }

}  // namespace filch
