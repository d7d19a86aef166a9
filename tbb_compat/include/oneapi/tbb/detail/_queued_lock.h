// QueuedLock: threads get it in the order in which they came.
//
// What queuing_mutex is made of, and a waiter's place in a queue. A waiter looks at a word
// of its own for a short while, and for longer between turns of others; then it sleeps in
// the kernel. Who unlocks hands the lock to the first in the queue, so nobody is passed over.
//
// Memory ordering: what a thread did before it unlocked is visible to the next
// that locks.
#ifndef FILCH_TBB_COMPAT_DETAIL_QUEUED_LOCK_H_
#define FILCH_TBB_COMPAT_DETAIL_QUEUED_LOCK_H_

#include <atomic>
#include <cstdint>

#include "_config.h"
#include "filch/topology/futex.h"
#include "filch/topology/std_atomics.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// How those in a queue wait; a model checker brings its own.
struct QueueWaiting : filch::Futex {
  // How often to look before a sleep: at once, and then after others have had the processor.
  // The latter is for longer than a wake-up takes, or whoever comes behind a thread that had
  // to be woken would sleep too, and so would all from then on (2 Intel Xeons under KVM, two
  // threads that lock again and again: 300 ns for each lock so, 2000 with 100 looks at once).
  static constexpr unsigned kLooksAtOnce = 10;
  static constexpr unsigned kLooks = kLooksAtOnce + 100;

  // Before the `look`-th look, from 0.
  static void Pause(unsigned look);

  using Futex::Wait;
  using Futex::WakeAll;
  // The same on the lower half of a larger word.
  static void Wait(std::atomic<std::uint64_t>& word, std::uint32_t expected);
  static void WakeAll(std::atomic<std::uint64_t>& word);
};

// Something that one thread waits for and another one does, once.
template <typename Atomics = filch::StdAtomics, typename Waiting = QueueWaiting>
class BasicSignal {
 public:
  BasicSignal() = default;
  BasicSignal(const BasicSignal&) = delete;
  BasicSignal& operator=(const BasicSignal&) = delete;

  // Before anybody else knows the signal.
  void Clear() { state_.store(kAwaited, std::memory_order_relaxed); }  // M3: nobody knows it
  bool IsGiven() const {
    return state_.load(std::memory_order_acquire) == kGiven;  // M3: what was done before
  }
  // Returns when Give was called.
  void Await() {
    if (!IsGiven()) AwaitSlowly();
  }
  // The signal may be gone afterwards. Any thread.
  void Give() {
    if (state_.exchange(kGiven, std::memory_order_release) == kSleeps) {  // M3: to who waits
      Waiting::WakeOne(state_);
    }
  }

 private:
  static constexpr std::uint32_t kAwaited = 0;
  static constexpr std::uint32_t kSleeps = 1;  // somebody sleeps until it is given
  static constexpr std::uint32_t kGiven = 2;

  void AwaitSlowly();

  typename Atomics::template Atomic<std::uint32_t> state_{kAwaited};
};

template <typename Atomics, typename Waiting>
void BasicSignal<Atomics, Waiting>::AwaitSlowly() {
  for (unsigned look = 0; look < Waiting::kLooks; ++look) {
    Waiting::Pause(look);
    if (IsGiven()) return;
  }
  std::uint32_t state = kAwaited;
  state_.compare_exchange_strong(state, kSleeps, std::memory_order_relaxed,  // M3: looks again
                                 std::memory_order_relaxed);
  while (!IsGiven()) Waiting::Wait(state_, kSleeps);
}

// A thread's place in a queue.
template <typename Atomics = filch::StdAtomics, typename Waiting = QueueWaiting>
struct BasicQueuePlace {
  // For one who wants to be a reader or the writer; each owner of a QueuedLock is the latter.
  enum class Access { kRead, kWrite };
  void Prepare(Access access) {
    next = nullptr;
    writes = access == Access::kWrite;
    has_turn = true;
    reads = false;
    linked.Clear();
    granted.Clear();
  }

  typename Atomics::template Plain<BasicQueuePlace*> next{nullptr};
  typename Atomics::template Plain<bool> writes{true};
  // What has been granted; of these a QueuedLock grants the turn alone.
  typename Atomics::template Plain<bool> has_turn{true};
  typename Atomics::template Plain<bool> reads{false};
  BasicSignal<Atomics, Waiting> linked;   // `next` has been set
  BasicSignal<Atomics, Waiting> granted;  // the turn, or what else it says
};

// One owner. The lock of Mellor-Crummey and Scott, "Algorithms for scalable
// synchronization on shared-memory multiprocessors" (1991). Any thread.
template <typename Atomics = filch::StdAtomics, typename Waiting = QueueWaiting>
class BasicQueuedLock {
 public:
  using Place = BasicQueuePlace<Atomics, Waiting>;

  BasicQueuedLock() = default;
  BasicQueuedLock(const BasicQueuedLock&) = delete;
  BasicQueuedLock& operator=(const BasicQueuedLock&) = delete;

  void Lock(Place& place) {
    place.Prepare(Place::Access::kWrite);
    if (Place* const before = Join(place)) AwaitGrant(place, *before);
  }
  // The two halves of Lock, with a place that is prepared: from the first one on nobody passes
  // this thread. It returns the place to wait behind, or null if the lock was free.
  Place* Join(Place& place) {
    return last_.exchange(&place, std::memory_order_acq_rel);  // M3: the last owner, both ways
  }
  static void AwaitGrant(Place& place, Place& before) {
    before.next = &place;
    before.linked.Give();
    place.granted.Await();
  }
  bool TryLock(Place& place) {
    if (last_.load(std::memory_order_relaxed) != nullptr) return false;  // M3: a hint
    place.Prepare(Place::Access::kWrite);
    Place* nobody = nullptr;
    return last_.compare_exchange_strong(nobody, &place,
                                         std::memory_order_acq_rel,  // M3: as Join
                                         std::memory_order_relaxed);
  }
  // With the place that has the lock.
  void Unlock(Place& place) {
    if (!place.linked.IsGiven()) {
      Place* own = &place;
      if (last_.compare_exchange_strong(own, nullptr,
                                        std::memory_order_release,  // M3: to Join
                                        std::memory_order_relaxed)) {
        return;
      }
      // Somebody has come and is about to say who.
      place.linked.Await();
    }
    Place* const next = place.next;
    next->granted.Give();
  }

 private:
  typename Atomics::template Atomic<Place*> last_{nullptr};
};

extern template class BasicSignal<>;
using QueuePlace = BasicQueuePlace<>;
using QueuedLock = BasicQueuedLock<>;

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_QUEUED_LOCK_H_
