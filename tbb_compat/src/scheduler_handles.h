// SchedulerHandles: how many handles of the scheduler there are, and what becomes of the
// scheduler when one is finalized.
//
// Of threads that finalize theirs at once, the last one ends the scheduler's threads, if
// nobody else uses it.  `Scheduler` is what they work for:
//
//   bool IsUsed();   whether anybody has used it since it was ended last
//   void Leave();    the calling thread does what it has begun, and uses it no more, unless
//                    it is inside of something
//   bool IsFree();   whether nobody uses it, the calling thread included
//   void End();      ends its threads
//
// Any thread.
// Memory ordering: nothing is published (S1, S2 of README.md).  IsFree takes the lock under
// which Leave has said of another thread that it is gone, and that was before this one
// counted its handle as the last: so its turn comes after that, too.
#ifndef FILCH_TBB_COMPAT_SRC_SCHEDULER_HANDLES_H_
#define FILCH_TBB_COMPAT_SRC_SCHEDULER_HANDLES_H_

#include <atomic>

#include "filch/topology/std_atomics.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace r1 {

template <typename Atomics = filch::StdAtomics>
class BasicSchedulerHandles {
 public:
  void Add() {
    count_.fetch_add(1, std::memory_order_relaxed);  // S1: a count that orders nothing
  }
  // The scheduler stays as it is.
  void Remove() {
    count_.fetch_sub(1, std::memory_order_relaxed);  // S1: a count that orders nothing
  }
  // Whether there are any; a hint.
  bool Any() const {
    return count_.load(std::memory_order_relaxed) > 0;  // S1: a count that orders nothing
  }

  // One handle less, and the scheduler ends if that was the last one and nobody uses it.
  // True: nothing of it is left.
  template <typename Scheduler>
  bool Finalize(Scheduler&& scheduler) {
    const bool used = scheduler.IsUsed();
    // First, so that the last one finds that nobody else is there.
    scheduler.Leave();
    const bool last = count_.fetch_sub(1, std::memory_order_relaxed) == 1;  // S2: after Leave
    if (!used) return true;
    if (!last || !scheduler.IsFree()) return false;
    scheduler.End();
    return true;
  }

 private:
  typename Atomics::template Atomic<int> count_{0};
};

using SchedulerHandles = BasicSchedulerHandles<>;

}  // namespace r1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_SRC_SCHEDULER_HANDLES_H_
