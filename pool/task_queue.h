// TaskQueue: a first-in first-out queue of tasks for many producers and many
// consumers.
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

namespace filch {
namespace pool_internal {

class TaskQueue {
 public:
  // Any thread.
  void Push(Task& task) {
    task.set_link(nullptr);
    const std::lock_guard<std::mutex> lock(mutex_);
    if (first_ == nullptr) {
      first_ = &task;
    } else {
      last_->set_link(&task);
    }
    last_ = &task;
    size_.fetch_add(1, std::memory_order_seq_cst);  // Q1: before the pusher looks for sleepers
  }

  // The oldest task, or null.  Any thread.
  Task* Pop() {
    if (Empty()) return nullptr;
    const std::lock_guard<std::mutex> lock(mutex_);
    return TakeFirst();
  }

  // The oldest task that has isolation tag `isolation`, or null.  Any thread.
  Task* PopIsolated(std::uint64_t isolation) {
    if (Empty()) return nullptr;
    const std::lock_guard<std::mutex> lock(mutex_);
    Task* before = nullptr;
    for (Task* task = first_; task != nullptr; before = task, task = task->link()) {
      if (task->isolation() != isolation) continue;
      if (before == nullptr) return TakeFirst();
      before->set_link(task->link());
      if (last_ == task) last_ = before;
      size_.fetch_sub(1, std::memory_order_relaxed);  // Q1: taking away wakes nobody
      return task;
    }
    return nullptr;
  }

  // Any thread.
  bool Empty() const {
    return size_.load(std::memory_order_seq_cst) == 0;  // Q1: after the sleeper announced itself
  }

 private:
  Task* TakeFirst() {
    Task* const task = first_;
    if (task != nullptr) {
      first_ = task->link();
      size_.fetch_sub(1, std::memory_order_relaxed);  // Q1: taking away wakes nobody
    }
    return task;
  }

  std::mutex mutex_;
  Task* first_ = nullptr;
  Task* last_ = nullptr;
  std::atomic<std::int64_t> size_{0};
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_TASK_QUEUE_H_
