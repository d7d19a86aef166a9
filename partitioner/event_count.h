// EventCount: sleep until a condition holds that lives in other atomics.
//
// Use it around a lock-free structure whose "nothing to do" must not spin; where
// the condition is guarded by a mutex, a condition variable is simpler.
//
// Any thread: everything.  A waiter announces itself, looks again, and only then
// sleeps; a notifier changes the condition first and then notifies:
//
//   waiter:   ticket = events.PrepareWait();       notifier:  ready.store(...);
//             if (ready.load(...)) events.CancelWait();       events.NotifyAll();
//             else events.Wait(ticket);
//
// Guaranteed: no wake-up is lost.  Notifying with nobody waiting costs one
// atomic operation on a word of its own.  Waiting has no time-out.
//
// Memory ordering: what the notifier did before Notify is visible either to the
// waiter's look between PrepareWait and Wait, or after its Wait.  It rests on
// two read-modify-writes of one word (one of them comes first, and the other
// sees it) and on no fence, so ThreadSanitizer follows it.
#ifndef FILCH_PARTITIONER_EVENT_COUNT_H_
#define FILCH_PARTITIONER_EVENT_COUNT_H_

#include <atomic>
#include <cstdint>

#include "filch/topology/cache_line.h"
#include "filch/topology/futex.h"
#include "filch/topology/std_atomics.h"

namespace filch {
namespace partitioner_internal {

template <typename Atomics = StdAtomics, typename Sleep = Futex>
class alignas(kCacheLineSize) BasicEventCount {
 public:
  // Changes with every notification.  Only the 2^32nd notification between
  // PrepareWait and Wait could be taken for none.
  using Ticket = std::uint32_t;

  BasicEventCount() = default;
  BasicEventCount(const BasicEventCount&) = delete;
  BasicEventCount& operator=(const BasicEventCount&) = delete;

  // Announces a waiter; look at the condition after it.  CancelWait or Wait
  // must follow.  Any thread.
  [[nodiscard]] Ticket PrepareWait() {
    waiters_.fetch_add(1, std::memory_order_acquire);  // E6: sees Notify's condition.
    return epoch_.load(std::memory_order_acquire);     // E7: sees what Notify published.
  }

  // The condition holds after all.  Any thread, after PrepareWait.
  void CancelWait() { waiters_.fetch_sub(1, std::memory_order_relaxed); }  // E6: keeps sequence.

  // Sleeps until a notification that came after `ticket`.  Any thread, after
  // PrepareWait.
  void Wait(Ticket ticket) {
    while (epoch_.load(std::memory_order_acquire) == ticket) {  // E7: sees what Notify published.
      Sleep::Wait(epoch_, ticket);
    }
    waiters_.fetch_sub(1, std::memory_order_relaxed);  // E6: keeps the release sequence.
  }

  // Wakes at least one waiter, if there is any.  Any thread.
  void NotifyOne() {
    if (Announce()) Sleep::WakeOne(epoch_);
  }

  // Wakes all waiters.  Any thread.
  void NotifyAll() {
    if (Announce()) Sleep::WakeAll(epoch_);
  }

 private:
  // True if somebody may sleep.
  bool Announce() {
    // Adds nothing, but takes a place in the order of the waiters' additions:
    // whoever adds later acquires from here and sees the changed condition.
    if (waiters_.fetch_add(0, std::memory_order_release) == 0) {  // E6: publishes the condition.
      return false;
    }
    epoch_.fetch_add(1, std::memory_order_release);  // E7: publishes the condition to waiters.
    return true;
  }

  typename Atomics::template Atomic<std::uint32_t> waiters_{0};
  typename Atomics::template Atomic<std::uint32_t> epoch_{0};
};

using EventCount = BasicEventCount<>;

}  // namespace partitioner_internal
}  // namespace filch

#endif  // FILCH_PARTITIONER_EVENT_COUNT_H_
