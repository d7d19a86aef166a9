// TaskQueue: a first-in first-out queue of tasks, with levels of urgency, for
// many producers and many consumers.
//
// It is the shared queue of an arena (rule 5) and the mailbox of a slot
// (rule 4).  Tasks are linked through themselves, so Push never allocates and
// never fails.  A lock guards the list; Empty answers without it.
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

#include "filch/pool/task.h"
#include "filch/topology/std_atomics.h"

namespace filch {
namespace pool_internal {

template <typename Task, typename Atomics = StdAtomics, typename Mutex = std::mutex>
class BasicTaskQueue {
 public:
  // How many levels of urgency there are; 0 is the least.
  static constexpr int kLevels = 3;

  // Behind the tasks of the same level.  Any thread.
  void Push(Task& task, int level = 1) {
    task.set_link(nullptr);
    const std::lock_guard<Mutex> lock(mutex_);
    List& list = lists_[level];
    Task* const last = list.last;
    if (list.first == nullptr) {
      list.first = &task;
    } else {
      last->set_link(&task);
    }
    list.last = &task;
    size_.fetch_add(1, std::memory_order_seq_cst);  // Q1: before the pusher looks for sleepers
  }

  // The oldest task of the highest level, or null.  Any thread.
  Task* Pop() {
    if (Empty()) return nullptr;
    const std::lock_guard<Mutex> lock(mutex_);
    for (int level = kLevels - 1; level >= 0; --level) {
      if (lists_[level].first != nullptr) return TakeFirst(lists_[level]);
    }
    return nullptr;
  }

  // The same of those that have isolation tag `isolation`.  Any thread.
  Task* PopIsolated(std::uint64_t isolation) {
    if (Empty()) return nullptr;
    const std::lock_guard<Mutex> lock(mutex_);
    for (int level = kLevels - 1; level >= 0; --level) {
      if (Task* const task = TakeIsolated(lists_[level], isolation)) return task;
    }
    return nullptr;
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
    for (int level = kLevels - 1; level >= 0; --level) {
      if (lists_[level].first != nullptr) return f(*lists_[level].first);
    }
  }

  // Any thread.
  bool Empty() const {
    return size_.load(std::memory_order_seq_cst) == 0;  // Q1: after the sleeper announced itself
  }

 private:
  struct List {
    typename Atomics::template Plain<Task*> first{nullptr};
    typename Atomics::template Plain<Task*> last{nullptr};
  };

  Task* TakeFirst(List& list) {
    Task* const task = list.first;
    list.first = task->link();
    size_.fetch_sub(1, std::memory_order_relaxed);  // Q1: taking away wakes nobody
    return task;
  }

  Task* TakeIsolated(List& list, std::uint64_t isolation) {
    Task* before = nullptr;
    for (Task* task = list.first; task != nullptr; before = task, task = task->link()) {
      if (task->isolation() != isolation) continue;
      if (before == nullptr) return TakeFirst(list);
      before->set_link(task->link());
      if (list.last == task) list.last = before;
      size_.fetch_sub(1, std::memory_order_relaxed);  // Q1: taking away wakes nobody
      return task;
    }
    return nullptr;
  }

  mutable Mutex mutex_;
  List lists_[kLevels];
  typename Atomics::template Atomic<std::int64_t> size_{0};
};

using TaskQueue = BasicTaskQueue<Task>;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_TASK_QUEUE_H_
