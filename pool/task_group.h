// TaskGroup: any number of tasks, and one wait for all of them.
//
//   filch::TaskGroup group;
//   for (const Job& job : jobs) group.Run([&job] { Process(job); });
//   group.Wait();
//
// Run may be called from any thread, from tasks of the group too, and while
// others wait.  Any thread may wait, and helps: it runs tasks of its arena, and
// if the group's tasks are in another arena it goes there, so a wait makes
// progress even in a pool without workers.  A group may be used again after a
// wait, when every thread that waited has returned.  For two functions, Join is several
// times cheaper.
//
// The first exception cancels the group and is thrown by Wait when every task
// is accounted for; if several threads wait, by one of them, whichever that is.  Tasks
// that have not started when the group is cancelled are destroyed without being run.
//
// Memory ordering: what a thread did before Run is visible to the task; what
// the tasks did is visible after Wait.
#ifndef FILCH_POOL_TASK_GROUP_H_
#define FILCH_POOL_TASK_GROUP_H_

#include <utility>

#include "filch/pool/context.h"
#include "filch/pool/context_scope.h"
#include "filch/pool/helping.h"
#include "filch/pool/task.h"
#include "filch/pool/wait_group.h"

namespace filch {

class TaskGroup {
 public:
  // Cancelled with the context of the task that makes it, that is with the group or loop
  // which that task belongs to, and which it must not outlive.
  TaskGroup() : context_(CurrentContext()), tasks_(context_) {}
  // Cancels and waits if there are tasks left; their exception is dropped.
  ~TaskGroup() {
    if (__builtin_expect(!tasks_.IsComplete(), 0)) Abandon();
  }
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;

  // Starts a task that calls f(), on this thread's deque.  Throws
  // std::bad_alloc or what copying f throws, and then there is no task.
  template <typename F>
  void Run(F&& f) {
    tasks_.Run(std::forward<F>(f));
  }

  // Counts a task that the caller makes itself; it calls Done when it is over.
  void Add() { tasks_.Add(); }
  // Puts a task that was counted on this thread's deque.  Throws std::bad_alloc,
  // and then the scheduler does not have it.  Any thread.
  void Spawn(Task& task) { tasks_.Spawn(task); }
  // One task is over; `execution` is the task's.  The group may be gone when
  // this returns.
  void Done(Execution& execution) { tasks_.Done(execution); }
  // The same for a counted task that will never run.
  void Withdraw() { tasks_.Withdraw(); }

  // Waits for all tasks and rethrows the first exception.  True if the group
  // was cancelled.  The group is as new afterwards.  Several threads may wait at once, but
  // then one of them throws, the others may return true or false, and no thread may Run or
  // Cancel until all have returned: the last one makes the group as new once more.
  bool Wait() {
    WaitForTasks();
    // Nothing has gone wrong here, and nothing in the whole process.
    if (__builtin_expect(context_.untouched() && !context_.IsCancelled(), 1)) return false;
    return Settle();
  }

  // The same; what the thread may run meanwhile is the caller's choice.
  bool Wait(Helping helping) {
    return WithHelping(helping, [this] { return Wait(); });
  }

  // Waits for all tasks; cancellation and exception stay in the group.
  void WaitForTasks() { tasks_.WaitForTasks(); }

  // Tasks that have not started will not run.  Any thread.
  void Cancel() { context_.Cancel(); }

  Context& context() { return context_; }

  // Whether no task is left.  Any thread that may wait.
  bool IsComplete() const { return tasks_.IsComplete(); }

 private:
  bool Settle();
  void Abandon();

  Context context_;
  WaitGroup tasks_;
};

}  // namespace filch

#endif  // FILCH_POOL_TASK_GROUP_H_
