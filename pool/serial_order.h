// SerialOrder: which of several tasks may start, when they are to run one after the other.
//
// What a SerialQueue is made of.  Whoever counts the first task, or counts one off and
// leaves others, is alone in starting the next one; there is a task for every count.
//
// Any thread.  `start(task)` has the task run, by any thread, that then calls Done.
// Memory ordering: what a thread did before Push is visible to the task, and what a task did
// before Done is visible to the next one (N1).
#ifndef FILCH_POOL_SERIAL_ORDER_H_
#define FILCH_POOL_SERIAL_ORDER_H_

#include <atomic>
#include <cstdint>
#include <mutex>

#include "filch/pool/task.h"
#include "filch/pool/task_queue.h"
#include "filch/topology/std_atomics.h"

namespace filch {
namespace pool_internal {

template <typename Task, typename Atomics = StdAtomics, typename Mutex = std::mutex>
class BasicSerialOrder {
 public:
  // The task is started when all that were pushed before it are over.
  template <typename Start>
  void Push(Task& task, const Start& start) {
    queue_.Push(task);
    const std::int64_t before =
        unfinished_.fetch_add(1, std::memory_order_acq_rel);  // N1: the last one's work; the task
    if (before == 0) start(*queue_.Pop());
  }

  // The task that ran is over.
  template <typename Start>
  void Done(const Start& start) {
    const std::int64_t before =
        unfinished_.fetch_sub(1, std::memory_order_acq_rel);  // N1: its work; the next task
    if (before > 1) start(*queue_.Pop());
  }

 private:
  BasicTaskQueue<Task, Atomics, Mutex> queue_;
  typename Atomics::template Atomic<std::int64_t> unfinished_{0};
};

using SerialOrder = BasicSerialOrder<Task>;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_SERIAL_ORDER_H_
