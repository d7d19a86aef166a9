// SharedQueue: the queue of an arena for tasks that anybody may take (rule 5),
// first in first out, with levels of urgency, for many producers and consumers.
//
// Producers never wait, neither for each other nor for consumers: a push is one
// exchange and one store, and needs no memory, because tasks are linked through
// themselves.  Consumers pass a lock, which producers never touch; and while tasks
// are queued, the two sides write to different cache lines.  For a queue whose Pop
// must not miss what is being pushed, take TaskQueue.
//
// Between its exchange and its store, a producer hides its task and those pushed
// after it from Pop, but not from Empty: whoever finds nothing although the queue is
// not empty looks again before it sleeps.
//
// Guaranteed: tasks of one level come out in the order of the exchanges, each once.
// Any thread: everything.
// Memory ordering: what a thread did before Push(t) is visible to the one whose
// Pop returns t.  Push and Empty are sequentially consistent: a sleeper that
// announces itself and then finds the queue empty is seen by the next pusher's
// look for sleepers.
//
// After D. Vyukov, "Intrusive MPSC node-based queue" (2010); the place of its stub
// node is taken by `first`, and the last task is taken away by compare-exchange, so
// that `last` alone tells whether a level is empty.
#ifndef FILCH_POOL_SHARED_QUEUE_H_
#define FILCH_POOL_SHARED_QUEUE_H_

#include <atomic>

#include "filch/deque/spin_lock.h"
#include "filch/pool/pool_atomics.h"
#include "filch/pool/task.h"
#include "filch/topology/cache_line.h"

namespace filch {
namespace pool_internal {

template <typename Task, typename Atomics = PoolAtomics>
class BasicSharedQueue {
 public:
  // How many levels of urgency there are; 0 is the least.
  static constexpr int kLevels = 3;

  // Behind the tasks of the same level.  True: the level was empty.  Any thread.
  bool Push(Task& task, int level = 1) {
    List& list = lists_[level];
    task.link_word().store(nullptr, std::memory_order_relaxed);  // Q2: published with the task
    Task* const before = list.last.exchange(
        &task, std::memory_order_seq_cst);  // Q1: before the pusher looks for sleepers
    // The task before stays until it is linked: only the last one has no link.
    if (before == nullptr) {
      list.first.store(&task, std::memory_order_release);  // Q2: the first one, to Pop
      return true;
    }
    before->link_word().store(&task, std::memory_order_release);  // Q2: the next one, to Pop
    return false;
  }

  // The oldest task of the highest level, or null.  Any thread.
  Task* Pop() {
    for (int level = kLevels - 1; level >= 0; --level) {
      if (lists_[level].first.load(std::memory_order_relaxed) == nullptr) {  // Q2: a hint
        continue;
      }
      const LockHolder holder(&lock_);
      if (Task* const task = TakeFirst(lists_[level])) return task;
    }
    return nullptr;
  }

  // Any thread.
  bool Empty() const {
    for (const List& list : lists_) {
      if (list.last.load(std::memory_order_seq_cst) != nullptr) {  // Q1: the sleeper announced
        return false;
      }
    }
    return true;
  }

  // Calls f(task) with every task that Pop could return now, in that order; nobody
  // takes one meanwhile.  Any thread.
  template <typename F>
  void ForEach(const F& f) const {
    const LockHolder holder(&lock_);
    for (int level = kLevels - 1; level >= 0; --level) {
      const Task* task = lists_[level].first.load(std::memory_order_acquire);  // Q2: a report
      while (task != nullptr) {
        f(*task);
        task = task->link_word().load(std::memory_order_acquire);  // Q2: a report
      }
    }
  }

 private:
  using LockHolder = SpinLockHolder<Atomics>;
  template <typename T>
  using Atomic = typename Atomics::template Atomic<T>;

  struct List {
    // Written by producers; null if and only if the list is empty.
    alignas(kCacheLineSize) Atomic<Task*> last{nullptr};
    // Written by consumers under the lock, and by who pushes into an empty list.
    alignas(kCacheLineSize) Atomic<Task*> first{nullptr};
  };

  // Under the lock.  Null: there is none, or its producer has not linked it yet.
  static Task* TakeFirst(List& list) {
    Task* const task = list.first.load(std::memory_order_acquire);  // Q2: it
    if (task == nullptr) return nullptr;
    Task* const next = task->link_word().load(std::memory_order_acquire);  // Q2: the next one
    if (next != nullptr) {
      list.first.store(next, std::memory_order_relaxed);  // Q3: the lock orders consumers
      __builtin_prefetch(next);
      return task;
    }
    // Perhaps the last one.  First, because a producer that finds the list empty
    // writes there at once.
    list.first.store(nullptr, std::memory_order_relaxed);  // Q3: before it looks empty
    Task* last = task;
    if (list.last.compare_exchange_strong(last, nullptr,
                                          std::memory_order_seq_cst,  // Q3: to the next producer
                                          std::memory_order_relaxed)) {
      return task;
    }
    // A producer has still to link the next one.
    list.first.store(task, std::memory_order_relaxed);  // Q3: the lock orders consumers
    return nullptr;
  }

  mutable SpinLock<Atomics> lock_;
  List lists_[kLevels];
};

using SharedQueue = BasicSharedQueue<Task>;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_SHARED_QUEUE_H_
