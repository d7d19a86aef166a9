// QueueWatch: whether somebody looks at a shared queue from time to time.
//
// A pusher begins a watch after its push, unless there is one, and tells the watcher.  The
// watcher ends it when the queue is empty, and looks at it once more after that: what was
// pushed meanwhile may have relied on the watch.
//
// Memory ordering: the push, like the look at the queue, is sequentially consistent (Q1), as
// the end of a watch and the look at it are: the watcher sees the task, or the pusher that
// nobody watches (Dekker, V1).
#ifndef FILCH_POOL_QUEUE_WATCH_H_
#define FILCH_POOL_QUEUE_WATCH_H_

#include <atomic>

#include "filch/topology/std_atomics.h"

namespace filch {
namespace pool_internal {

template <typename Atomics = StdAtomics>
class BasicQueueWatch {
 public:
  // False: there is one already.  True: the caller has to tell the watcher.  Any thread, after
  // its push.
  bool Begin() {
    return !watched_.load(std::memory_order_seq_cst) &&          // V1: after the task is queued
           !watched_.exchange(true, std::memory_order_relaxed);  // V1: one of us
  }

  // Nobody looks any more.  The watcher.
  void End() {
    watched_.store(false, std::memory_order_seq_cst);  // V1: then look again
  }

  // Ends the watch if nothing is queued; true if it goes on.  The watcher.
  template <typename HasQueued>
  bool GoesOn(const HasQueued& has_queued) {
    if (has_queued()) return true;
    End();
    // Unless a pusher was faster, and tells the watcher.
    return has_queued() && Begin();
  }

 private:
  typename Atomics::template Atomic<bool> watched_{false};
};

using QueueWatch = BasicQueueWatch<>;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_QUEUE_WATCH_H_
