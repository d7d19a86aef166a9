#include "filch/pool/task_group.h"

#include <exception>
#include <utility>

namespace filch {

bool TaskGroup::Settle() {
  const bool cancelled = context_.IsCancelled();
  std::exception_ptr exception = context_.TakeException();
  context_.Reset();
  if (exception) std::rethrow_exception(std::move(exception));
  return cancelled;
}

void TaskGroup::Abandon() {
  Cancel();
  tasks_.WaitForTasks();
}

}  // namespace filch
