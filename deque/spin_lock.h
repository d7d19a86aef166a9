// SpinLock: one word of mutual exclusion for sections of a few instructions.
//
// For slow paths of deques and queues, which nobody waits for often.  Elsewhere use
// std::mutex: this one is not fair and does not sleep; a waiter that spins for
// long gives its cpu away between tries.
//
// Any thread: everything; Unlock only by the thread that holds it.
// Memory ordering: what precedes Unlock is visible to whoever locks next.
#ifndef FILCH_DEQUE_SPIN_LOCK_H_
#define FILCH_DEQUE_SPIN_LOCK_H_

#include <atomic>

#include "filch/deque/deque_atomics.h"

namespace filch {

template <typename Atomics = DequeAtomics>
class SpinLock {
 public:
  SpinLock() = default;
  SpinLock(const SpinLock&) = delete;
  SpinLock& operator=(const SpinLock&) = delete;

  [[nodiscard]] bool TryLock() {
    // The load keeps waiters from passing the line around while it is taken.
    return locked_.load(std::memory_order_relaxed) == 0 &&
           locked_.exchange(1, std::memory_order_acquire) == 0;  // L1: sees the last section.
  }

  void Lock() {
    for (unsigned round = 0; !TryLock(); ++round) Atomics::Pause(round);
  }

  void Unlock() {
    locked_.store(0, std::memory_order_release);  // L1: publishes this section to TryLock.
  }

 private:
  typename Atomics::template Atomic<int> locked_{0};
};

// Says that a SpinLock is held already.
struct AdoptLock {};

// Holds a SpinLock until its destruction.
template <typename Atomics>
class SpinLockHolder {
 public:
  SpinLockHolder(SpinLock<Atomics>* lock, AdoptLock) : lock_(lock) {}
  explicit SpinLockHolder(SpinLock<Atomics>* lock) : lock_(lock) { lock_->Lock(); }
  ~SpinLockHolder() { lock_->Unlock(); }
  SpinLockHolder(const SpinLockHolder&) = delete;
  SpinLockHolder& operator=(const SpinLockHolder&) = delete;

 private:
  SpinLock<Atomics>* lock_;
};

}  // namespace filch

#endif  // FILCH_DEQUE_SPIN_LOCK_H_
