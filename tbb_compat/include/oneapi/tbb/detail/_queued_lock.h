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

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// Something that one thread waits for and another one does, once.
class Signal {
 public:
  Signal() = default;
  Signal(const Signal&) = delete;
  Signal& operator=(const Signal&) = delete;

  // Before anybody else knows the signal.
  void Clear() { state_.store(kAwaited, std::memory_order_relaxed); }  // M3: nobody knows it
  bool IsGiven() const { return state_.load(std::memory_order_acquire) == kGiven; }  // M3
  // Returns when Give was called.
  void Await() {
    if (!IsGiven()) AwaitSlowly();
  }
  // The signal may be gone afterwards. Any thread.
  void Give() {
    if (state_.exchange(kGiven, std::memory_order_release) == kSleeps) Wake();  // M3
  }

 private:
  static constexpr std::uint32_t kAwaited = 0;
  static constexpr std::uint32_t kSleeps = 1;  // somebody sleeps until it is given
  static constexpr std::uint32_t kGiven = 2;

  void AwaitSlowly();
  void Wake();

  std::atomic<std::uint32_t> state_{kAwaited};
};

// A thread's place in a queue.
struct QueuePlace {
  void Prepare(bool write) {
    next = nullptr;
    writes = write;
    linked.Clear();
    granted.Clear();
  }

  QueuePlace* next = nullptr;
  bool writes = true;
  Signal linked;   // `next` has been set
  Signal granted;  // the lock has been handed to this place
};

// One owner. The lock of Mellor-Crummey and Scott, "Algorithms for scalable
// synchronization on shared-memory multiprocessors" (1991). Any thread.
class QueuedLock {
 public:
  QueuedLock() = default;
  QueuedLock(const QueuedLock&) = delete;
  QueuedLock& operator=(const QueuedLock&) = delete;

  void Lock(QueuePlace& place) {
    place.Prepare(true);
    QueuePlace* const before = last_.exchange(&place, std::memory_order_acq_rel);  // M3
    if (before == nullptr) return;
    before->next = &place;
    before->linked.Give();
    place.granted.Await();
  }
  bool TryLock(QueuePlace& place) {
    if (last_.load(std::memory_order_relaxed) != nullptr) return false;  // M3: a hint
    place.Prepare(true);
    QueuePlace* nobody = nullptr;
    return last_.compare_exchange_strong(nobody, &place, std::memory_order_acq_rel,  // M3
                                         std::memory_order_relaxed);
  }
  // With the place that has the lock.
  void Unlock(QueuePlace& place) {
    if (!place.linked.IsGiven()) {
      QueuePlace* own = &place;
      if (last_.compare_exchange_strong(own, nullptr, std::memory_order_release,  // M3
                                        std::memory_order_relaxed)) {
        return;
      }
      // Somebody has come and is about to say who.
      place.linked.Await();
    }
    place.next->granted.Give();
  }

 private:
  std::atomic<QueuePlace*> last_{nullptr};
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_QUEUED_LOCK_H_
