// IsolatedGroup: a TaskGroup whose tasks belong together, so that a thread that waits
// for it can run them, and what they spawn, and nothing else.
//
//   filch::IsolatedGroup group;
//   for (const Job& job : jobs) group.Run([&job] { Process(job); });
//   const std::lock_guard<std::mutex> lock(mutex);
//   group.WaitAmongThem();             // or Wait(Helping::...), as for any other group
//
// Use it where a stranger's task on the stack of the wait would be an error.  Else use
// TaskGroup: here each Run costs some more, and waits inside the group's tasks find less
// to do, because they are in its region (isolate.h).
//
// Any thread, as for TaskGroup, which has the guarantees as well, and the memory ordering.
#ifndef FILCH_POOL_ISOLATED_GROUP_H_
#define FILCH_POOL_ISOLATED_GROUP_H_

#include <utility>

#include "filch/pool/helping.h"
#include "filch/pool/isolate.h"
#include "filch/pool/task_group.h"

namespace filch {

class IsolatedGroup {
 public:
  // Starts a task that calls f(); see TaskGroup::Run.
  template <typename F>
  void Run(F&& f) {
    const IsolationReentry inside(region_);
    group_.Run(std::forward<F>(f));
  }

  // Waits for all tasks, and runs nothing else meanwhile.  The rest as TaskGroup::Wait.
  bool WaitAmongThem() {
    const IsolationReentry inside(region_);
    return group_.Wait();
  }

  // The same; what the thread may run meanwhile is the caller's choice.
  bool Wait(Helping helping = Helping::kAnything) { return group_.Wait(helping); }

  // Tasks that have not started will not run.
  void Cancel() { group_.Cancel(); }

  // Whether no task is left.  Any thread that may wait.
  bool IsComplete() const { return group_.IsComplete(); }

 private:
  const Isolation region_ = Isolation::Make();
  TaskGroup group_;
};

}  // namespace filch

#endif  // FILCH_POOL_ISOLATED_GROUP_H_
