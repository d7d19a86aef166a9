// Delegation: whether a function that was handed to another thread is over.
//
// Whoever takes it out of the queue runs it, calls Finish, and then wakes everybody who
// waits for it.  Its owner enlists in the wait table (wait_table.h), asks done(), and only
// then sleeps.
//
// Any thread.
// Memory ordering: what the thread that ran the function did before Finish is visible once
// done() is true (D2).
#ifndef FILCH_POOL_DELEGATION_H_
#define FILCH_POOL_DELEGATION_H_

#include <atomic>

#include "filch/topology/std_atomics.h"

namespace filch {
namespace pool_internal {

template <typename Atomics = StdAtomics>
class BasicDelegation {
 public:
  // It has run.
  void Finish() {
    done_.store(true, std::memory_order_release);  // D2: publishes the result
  }
  bool done() const {
    return done_.load(std::memory_order_acquire);  // D2: the result
  }

 private:
  typename Atomics::template Atomic<bool> done_{false};
};

using Delegation = BasicDelegation<>;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_DELEGATION_H_
