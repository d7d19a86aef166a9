// SleepingLock: a lock of four bytes for one owner; whoever waits long sleeps.
//
// A waiter looks a short while for the lock to become free, less and less often, and then
// sleeps in the kernel, so a waiter never takes the time slice that the owner needs.
// Unlocking is a plain store while nobody sleeps on a lock.  Not for critical sections
// that wait for tasks: the thread does not help while it waits.
//
// Any thread: everything; only the owner unlocks.
// Memory ordering: what a thread did before it unlocked is visible to the next that locks.
//
// The states are those of Drepper, "Futexes are Tricky" (2011), mutex 2.  That unlocking
// costs no read-modify-write is AsymmetricFence's doing: the sleeper pays.
//
//   const std::lock_guard<SleepingLock> guard(lock);
#ifndef FILCH_POOL_SLEEPING_LOCK_H_
#define FILCH_POOL_SLEEPING_LOCK_H_

#include <atomic>
#include <cstdint>

#include "filch/pool/lock_sleepers.h"
#include "filch/pool/pool_atomics.h"
#include "filch/topology/forced_inline.h"
#include "filch/topology/futex.h"

namespace filch {
namespace pool_internal {

// How the locks wait; a model checker brings its own.
struct LockWaiting : Futex {
  // So often a waiter looks before it sleeps, after ever longer pauses, in most of which others
  // have its cpu: some hundred microseconds in all.  A sleep and a wake-up cost as much, for the
  // heavy fence and the calls of the system stop the owner, too: with a tenth of the looks, two
  // threads that do nothing but lock for 0.1 us took 170 ns for each, and 120 so (two virtual AMD
  // EPYC processors, 2026-11-27).
  static constexpr unsigned kLooks = 200;

  static std::atomic<std::uint32_t>& SleepersOn(const void* lock) { return LockSleepers::Of(lock); }
};

template <typename Atomics = PoolAtomics, typename Waiting = LockWaiting>
class BasicSleepingLock {
 public:
  BasicSleepingLock() = default;
  BasicSleepingLock(const BasicSleepingLock&) = delete;
  BasicSleepingLock& operator=(const BasicSleepingLock&) = delete;

  FILCH_FORCED_INLINE void lock() {
    if (__builtin_expect(!Take(), 0)) LockSlowly();
  }
  // Who fails has not taken the owner's cache line away.
  FILCH_FORCED_INLINE bool try_lock() {
    return state_.load(std::memory_order_relaxed) == kFree && Take();  // Y1: a hint
  }
  FILCH_FORCED_INLINE void unlock() {
    auto& sleepers = Waiting::SleepersOn(this);
    if (__builtin_expect(sleepers.load(std::memory_order_relaxed) != 0, 0)) {  // Y2: a hint
      // The step that unlocks also tells whether somebody sleeps.
      if (state_.exchange(kFree, std::memory_order_release) == kContended) {  // Y1: to lock
        Waiting::WakeOne(state_);
      }
      return;
    }
    state_.store(kFree, std::memory_order_release);  // Y1: to lock
    Atomics::LightFence();                           // Y2: then who sleeps
    // From here on the lock may be gone: only its address is used.
    if (__builtin_expect(sleepers.load(std::memory_order_relaxed) != 0,
                         0)) {  // Y2: after unlocking
      Waiting::WakeOne(state_);
    }
  }

 private:
  static constexpr std::uint32_t kFree = 0;
  static constexpr std::uint32_t kHeld = 1;
  static constexpr std::uint32_t kContended = 2;  // somebody may sleep

  bool Take() {
    std::uint32_t state = kFree;
    return state_.compare_exchange_strong(state, kHeld, std::memory_order_acquire,  // Y1: unlock
                                          std::memory_order_relaxed);
  }
  void LockSlowly();

  typename Atomics::template Atomic<std::uint32_t> state_{kFree};
};

template <typename Atomics, typename Waiting>
void BasicSleepingLock<Atomics, Waiting>::LockSlowly() {
  for (unsigned look = 0; look < Waiting::kLooks; ++look) {
    Atomics::Pause(look);
    if (try_lock()) return;
  }
  auto& sleepers = Waiting::SleepersOn(this);
  const std::uint32_t before =
      sleepers.fetch_add(1, std::memory_order_acquire);  // Y2: before the heavy fence, or after one
  // If another one has passed that since the word was zero, each unlock that began later is an
  // exchange, too.
  bool announced = (before & LockSleepers::kFenced) != 0;
  // From here on the state says "contended" also when it is ours: somebody else may sleep.
  while (state_.exchange(kContended, std::memory_order_acquire) != kFree) {  // Y1: unlock
    // Once is enough: until this thread has the lock, every unlock that begins after the
    // fence is an exchange, and one that began before it wakes somebody.
    if (!announced) {
      Atomics::HeavyFence();  // Y2: then sleep, unless it is free
      sleepers.fetch_or(LockSleepers::kFenced, std::memory_order_release);  // Y2: for others
    }
    announced = true;
    Waiting::Wait(state_, kContended);
  }
  if (sleepers.fetch_sub(1, std::memory_order_relaxed) ==  // Y2: it sleeps no more
      LockSleepers::kFenced + 1) {
    std::uint32_t nobody = LockSleepers::kFenced;
    sleepers.compare_exchange_strong(nobody, 0, std::memory_order_relaxed,
                                     std::memory_order_relaxed);  // Y2: unless another one came
  }
}

extern template class BasicSleepingLock<>;
using SleepingLock = BasicSleepingLock<>;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_SLEEPING_LOCK_H_
