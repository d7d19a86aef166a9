// WaiterSet: the threads that wait for something in an arena and may be called for work
// meanwhile, by the number of their slot.
//
// Outermost waits serve the shared queue as well, those inside other tasks do not.  Who
// calls does not say what for: a caller may have pushed a task, enqueued one, or only pass
// a call on.  While something is queued, one that serves the queue is called, which finds
// whatever there is; if none sleeps, one of the others, for tasks that were pushed.  It may
// have been called for nothing but the queue then, and goes back to sleep.  That loses
// nothing: a thread that serves the queue and goes to sleep later looks at the queue after
// it has announced itself, and a worker finds the caller's note (Wanted).
//
// Any thread, unless it says otherwise.
// Memory ordering: S1 and S2 of README.md, as of SleeperSet.
#ifndef FILCH_POOL_WAITER_SET_H_
#define FILCH_POOL_WAITER_SET_H_

#include "filch/pool/sleeper_set.h"
#include "filch/topology/std_atomics.h"

namespace filch {
namespace pool_internal {

template <typename Atomics = StdAtomics>
class BasicWaiterSet {
 public:
  // At most `capacity` threads.
  explicit BasicWaiterSet(int capacity) : all_(capacity), of_queue_(capacity) {}

  // Thread `number` is about to sleep.  That thread.
  void Announce(int number, bool serves_queue) {
    all_.Add(number);
    if (serves_queue) of_queue_.Add(number);
  }

  // It does not sleep any more.  True: it was called.  That thread, as it has announced it.
  bool Withdraw(int number, bool serves_queue) {
    // From both: it may have been taken out of either.
    bool called = !all_.Remove(number);
    if (serves_queue) called |= !of_queue_.Remove(number);
    return called;
  }

  // The thread to be called, or -1: none sleeps.  `queued`: something is in the queue, or
  // was after what the call is for.
  int Claim(bool queued) {
    const int number = queued ? of_queue_.Claim() : -1;
    return number >= 0 ? number : all_.Claim();
  }

  bool Empty() const { return all_.Empty(); }

  // For those who only report.
  int ApproximateSize() const { return all_.ApproximateSize(); }
  int ApproximateSizeOfQueue() const { return of_queue_.ApproximateSize(); }

 private:
  BasicSleeperSet<Atomics> all_;
  BasicSleeperSet<Atomics> of_queue_;
};

using WaiterSet = BasicWaiterSet<>;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_WAITER_SET_H_
