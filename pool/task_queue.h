// TaskQueue: a first-in first-out queue of tasks for many producers and many
// consumers.
//
// It is the mailbox of a slot (rule 4), the order of a SerialQueue, and what an arena has besides
// its shared queue (SharedQueue): tasks that were delegated to it, or set aside.  Tasks are linked
// through themselves, so Push never allocates and never fails.  A lock guards the list; Empty
// answers without it.
//
// Memory ordering: what a thread did before Push(t) is visible to the one whose
// Pop returns t.  Empty is sequentially consistent with Push: a sleeper that
// announces itself and then finds the queue empty is seen by the next pusher's
// look for sleepers.
#ifndef FILCH_POOL_TASK_QUEUE_H_
#define FILCH_POOL_TASK_QUEUE_H_

#include <atomic>
#include <cstdint>
#include <mutex>

#include "filch/pool/sleeping_lock.h"
#include "filch/pool/task.h"
#include "filch/topology/std_atomics.h"

namespace filch {
namespace pool_internal {

// A lock whose seekers look for a while before they sleep: who sends mail often meets its
// addressee, and with a std::mutex one of them slept.  A static loop of 130 ns took 1.1 us
// instead of 0.7 (two virtual Intel Xeon processors, 2026-11-23).
template <typename Task, typename Atomics = StdAtomics, typename Mutex = SleepingLock>
class BasicTaskQueue {
 public:
  // Any thread.
  void Push(Task& task) {
    task.set_link(nullptr);
    const std::lock_guard<Mutex> lock(mutex_);
    Task* const last = last_;
    if (first_ == nullptr) {
      first_ = &task;
    } else {
      last->set_link(&task);
    }
    last_ = &task;
    size_.fetch_add(1, std::memory_order_seq_cst);  // Q1: before the pusher looks for sleepers
  }

  // The oldest task, or null.  Any thread.
  Task* Pop() {
    if (Empty()) return nullptr;
    const std::lock_guard<Mutex> lock(mutex_);
    return first_ != nullptr ? TakeFirst() : nullptr;
  }

  // The same of those that have isolation tag `isolation`.  Any thread.
  Task* PopIsolated(std::uint64_t isolation) {
    if (Empty()) return nullptr;
    return TakeFirstThat([isolation](const Task& task) { return task.isolation() == isolation; });
  }

  // True: the task was in the queue, and is not any more.  Any thread.
  bool Remove(Task& task) {
    return TakeFirstThat([&task](const Task& other) { return &other == &task; }) != nullptr;
  }

  // How many tasks are queued; a hint while others push and pop.  Any thread.
  std::int64_t ApproximateSize() const {
    return size_.load(std::memory_order_relaxed);  // Q1: for those who only report
  }

  // Calls f(task) with the task that Pop would return, if there is one; nobody
  // takes it meanwhile.  Any thread.
  template <typename F>
  void LookAtOldest(const F& f) const {
    const std::lock_guard<Mutex> lock(mutex_);
    if (first_ != nullptr) f(*first_);
  }

  // Any thread.
  bool Empty() const {
    return size_.load(std::memory_order_seq_cst) == 0;  // Q1: after the sleeper announced itself
  }

 private:
  template <typename Wanted>
  Task* TakeFirstThat(const Wanted& wanted) {
    const std::lock_guard<Mutex> lock(mutex_);
    Task* before = nullptr;
    for (Task* task = first_; task != nullptr; before = task, task = task->link()) {
      if (!wanted(*task)) continue;
      if (before == nullptr) return TakeFirst();
      before->set_link(task->link());
      if (last_ == task) last_ = before;
      size_.fetch_sub(1, std::memory_order_relaxed);  // Q1: wakes nobody, and one is left
      return task;
    }
    return nullptr;
  }
  Task* TakeFirst() {
    Task* const task = first_;
    first_ = task->link();
    size_.fetch_sub(1, std::memory_order_release);  // O2: what it has said; Q1: wakes nobody
    return task;
  }

  mutable Mutex mutex_;
  typename Atomics::template Plain<Task*> first_{nullptr};
  typename Atomics::template Plain<Task*> last_{nullptr};
  typename Atomics::template Atomic<std::int64_t> size_{0};
};

using TaskQueue = BasicTaskQueue<Task>;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_TASK_QUEUE_H_
