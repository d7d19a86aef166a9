// Returners: how many threads wait for something in an arena but sleep in another one, and
// come back for what is enqueued here.
//
// A wait for a group goes where the group's tasks are (WaitGroup), and sleeps in the arena
// where the group was made.  If it is an outermost one where it began, a task that somebody
// enqueues there is for it, as if it slept there; and all other threads there may be
// unable to take it, and every slot be taken.
//
// A returner enlists in the wait table under the arena's key and counts itself here before
// its last look at the queues.  Whoever calls somebody for a queued task, and finds that
// none could come, looks whether there are any and wakes all; nobody relies on a particular
// one.
//
// Any thread.
// Memory ordering: W9 of README.md, sequentially consistent: the returner sees the task, or
// who calls for it the returner.
#ifndef FILCH_POOL_RETURNERS_H_
#define FILCH_POOL_RETURNERS_H_

#include <atomic>
#include <cstdint>

#include "filch/topology/std_atomics.h"

namespace filch {
namespace pool_internal {

template <typename Atomics = StdAtomics>
class BasicReturners {
 public:
  void Add() {
    count_.fetch_add(1, std::memory_order_seq_cst);  // W9: before the look at the queues
  }
  void Remove() {
    count_.fetch_sub(1, std::memory_order_relaxed);  // W9: wants no call any more
  }
  bool Any() const {
    return count_.load(std::memory_order_seq_cst) > 0;  // W9: after the task is queued
  }

 private:
  typename Atomics::template Atomic<std::int32_t> count_{0};
};

using Returners = BasicReturners<>;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_RETURNERS_H_
