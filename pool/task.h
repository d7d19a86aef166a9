// Task: the one node that the scheduler runs.
//
// A task is a function and what the scheduler needs to know around it.  Users
// of the pool rarely meet it: Join, TaskGroup and ParallelFor make tasks.  A
// facade or a library that wants rules 1 and 2 (a task that returns the next
// one, a task that succeeds others) derives its own.
//
// Ownership: the scheduler never reads a task after its function returned, so
// a task may destroy itself, live on the stack of the one who waits for it, or
// make itself part of something else.
//
// Memory ordering: what a thread did before it handed a task to the scheduler is visible to
// the task's function, and what the functions of all its predecessors did, too (T1).
#ifndef FILCH_POOL_TASK_H_
#define FILCH_POOL_TASK_H_

#include <atomic>
#include <cstdint>

#include "filch/pool/context.h"
#include "filch/pool/predecessor_count.h"

namespace filch {

class Task;

namespace pool_internal {
struct Slot;

// The rules of next_task.h, by which a thread chooses what it runs.
enum class Rule : std::uint8_t {
  kNone = 0,
  kReturned = 1,
  kSuccessor = 2,
  kOwnDeque = 3,
  kAffinity = 4,
  kSharedQueue = 5,
  kSteal = 6,
};
}  // namespace pool_internal

// One execution of one task, as the task sees it.
struct Execution {
  // The slot whose thread runs the task.
  pool_internal::Slot& slot;
  // The task's context was cancelled before it started: it must do its
  // bookkeeping and release what it holds, and not the work itself.
  bool cancelled = false;
  // The rule by which the thread chose the task.
  pool_internal::Rule rule = pool_internal::Rule::kNone;
  // Whose predecessor this task is (rule 2).  A task that hands its successor
  // on, to a task that continues its work, sets it to null.
  Task* successor = nullptr;

  // Whether the task comes from another slot's deque or from the mail.
  bool stolen() const {
    return rule == pool_internal::Rule::kSteal || rule == pool_internal::Rule::kAffinity;
  }
};

class Task {
 public:
  // Runs the task and returns the one to run next on this thread (rule 1), or
  // null.  It must not throw: what user code throws goes to the context.
  using Function = Task* (*)(Task& self, Execution& execution) noexcept;

  Task(Function function, Context* context) : function_(function), context_(context) {}
  // A task with a successor, and with a count of predecessors from the start.
  Task(Function function, Context* context, Task* successor, std::int32_t predecessors)
      : function_(function),
        context_(context),
        successor_(successor),
        predecessors_(predecessors) {}
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  Task* Run(Execution& execution) noexcept { return function_(*this, execution); }

  // What it runs, for reports.
  Function code() const { return function_; }
  // Whether it is a task of that kind.
  bool Runs(Function kind) const { return function_ == kind; }
  Context* context() const { return context_; }
  void set_context(Context* context) { context_ = context; }

  // The task that becomes ready when this one and all its other predecessors
  // are complete.  Before the task is handed to the scheduler.
  Task* successor() const { return successor_; }
  void set_successor(Task* successor) { successor_ = successor; }

  // How many tasks have this one as successor, less than 2^30.  While none of them is with
  // the scheduler.
  void set_predecessors(std::int32_t count) { predecessors_.Set(count); }
  // What is left of them.  Any thread while the task exists.
  std::int32_t predecessors() const { return predecessors_.Left(); }
  // Adds `count`, which may be negative but must not take the last one away; the
  // new number.  Any thread that is sure of a predecessor that has started, or that
  // was counted for this thread, and is not complete.
  std::int32_t AddPredecessors(std::int32_t count) { return predecessors_.Add(count); }

  // One predecessor is complete; true if it was the last one.  Else the task may
  // be gone when this returns.
  bool PredecessorDone() {
    return predecessors_.CountOff([this] { WakeWaiters(this); });
  }

  // One predecessor is complete, and the only other one that is left, as
  // HasPredecessors(2) has told, is in the caller's hands and runs next.
  void PredecessorDoneBesideLast() { predecessors_.CountOffBesideLast(); }

  // One predecessor will never run; what is left.
  std::int32_t RemovePredecessor() {
    return predecessors_.Remove([this] { WakeWaiters(this); });
  }

  // Whether `count` predecessors and no more are not complete, and no thread that waits
  // has announced itself.
  bool HasPredecessors(std::int32_t count) const { return predecessors_.Is(count); }

  // `count` predecessors are complete, the waiting thread is another one: one is
  // left at least.
  void PredecessorsDone(std::int32_t count) { predecessors_.CountOffOwn(count); }

  // A thread is about to sleep until one predecessor is left: from now on, that
  // unparks whoever waits in the wait table for the task's address.  Any thread, which
  // asks predecessors() afterwards.
  void AnnounceWaiter() { predecessors_.AnnounceWaiter(); }

  // Link and isolation while the task is in an intrusive queue; the queue's.
  Task* link() const { return link_.load(std::memory_order_relaxed); }  // Q2: the queue orders it
  void set_link(Task* link) { link_.store(link, std::memory_order_relaxed); }  // Q2: likewise
  std::atomic<Task*>& link_word() { return link_; }
  const std::atomic<Task*>& link_word() const { return link_; }
  std::uint64_t isolation() const { return isolation_; }
  void set_isolation(std::uint64_t isolation) { isolation_ = isolation; }

 protected:
  ~Task() = default;

  // Another function of the same kind.  Before the task is handed to the scheduler, or
  // while it runs.
  void set_function(Function function) { function_ = function; }

 private:
  // The task may be gone: its address is a key, and no more.
  static void WakeWaiters(const Task* task);

  // What is not set here is written by whoever uses it first: a join, the most
  // frequent task, uses none of it.  Context and successor are apart, because a
  // compiler that finds them side by side moves both by way of a vector register.
  Function function_;
  Context* context_;
  std::atomic<Task*> link_;
  Task* successor_ = nullptr;
  std::uint64_t isolation_;
  pool_internal::PredecessorCount predecessors_;
};

}  // namespace filch

#endif  // FILCH_POOL_TASK_H_
