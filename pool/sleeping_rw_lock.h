// SleepingRwLock: a lock of four bytes for one writer or any number of readers; whoever
// waits long sleeps.
//
// A writer that waits holds new readers off.  How it waits, and what it is not for:
// SleepingLock.
//
// Any thread: everything; only who has the lock unlocks.
// Memory ordering: what a thread did before it unlocked is visible to the next that locks,
// and what a writer did to readers too.
//
//   const std::shared_lock<SleepingRwLock> guard(lock);
#ifndef FILCH_POOL_SLEEPING_RW_LOCK_H_
#define FILCH_POOL_SLEEPING_RW_LOCK_H_

#include <atomic>
#include <cstdint>

#include "filch/pool/sleeping_lock.h"

namespace filch {
namespace pool_internal {

// How these locks wait; a model checker brings its own.
struct RwLockWaiting : LockWaiting {
  // Some ten microseconds in all, about what a sleep and a wake-up cost: nobody else is stopped
  // for these here.
  static constexpr unsigned kLooks = 20;
  // So many looks that find the word changed count as one: the lock is being handed on, and a
  // sleep would last longer than many turns.
  static constexpr unsigned kPatience = 8;
};

template <typename Atomics = PoolAtomics, typename Waiting = RwLockWaiting>
class BasicSleepingRwLock {
 public:
  BasicSleepingRwLock() = default;
  BasicSleepingRwLock(const BasicSleepingRwLock&) = delete;
  BasicSleepingRwLock& operator=(const BasicSleepingRwLock&) = delete;

  void lock() {
    if (__builtin_expect(!Replace(kFree, kWriter), 0)) LockSlowly();
  }
  // Who fails to lock has not taken the owner's cache line away.
  bool try_lock() {
    std::uint32_t state = state_.load(std::memory_order_relaxed);  // Y3: a hint
    while ((state & ~(kWriterWaits | kSleepers)) == 0) {
      if (state_.compare_exchange_weak(state, (state & kSleepers) | kWriter,
                                       std::memory_order_acquire,  // Y3: the last owners
                                       std::memory_order_relaxed)) {
        return true;
      }
    }
    return false;
  }
  // Whichever of the two the caller has.
  void unlock() {
    std::uint32_t state = kWriter;
    if (__builtin_expect(
            !state_.compare_exchange_strong(state, kFree,
                                            std::memory_order_release,  // Y3: to the next
                                            std::memory_order_relaxed),
            0)) {
      UnlockSlowly(state);
    }
  }

  void lock_shared() {
    if (__builtin_expect(!CountIn(), 0)) LockSharedSlowly();
  }
  bool try_lock_shared() {
    std::uint32_t state = state_.load(std::memory_order_relaxed);  // Y3: a hint
    while ((state & kHoldsReadersOff) == 0) {
      if (state_.compare_exchange_weak(state, state + kReader,
                                       std::memory_order_acquire,  // Y3: the last writer
                                       std::memory_order_relaxed)) {
        return true;
      }
    }
    return false;
  }
  void unlock_shared() {
    const std::uint32_t before =
        state_.fetch_sub(kReader, std::memory_order_release);  // Y3: to a writer
    // The flags stay, for the lock may be gone: the writer that wakes takes them away.
    if (__builtin_expect((before & kSleepers) != 0, 0) && LetsIn(before - kReader)) {
      Waiting::WakeAll(state_);
    }
  }

  // A reader becomes the writer. False: it had to unlock in between, because
  // another reader was about to become the writer.
  bool Upgrade() { return Replace(kReader, kWriter) || UpgradeSlowly(); }
  // The writer becomes a reader.
  void Downgrade() {
    const std::uint32_t before =
        state_.fetch_add(kReader - kWriter, std::memory_order_release);  // Y3: to readers
    if (__builtin_expect((before & kSleepers) != 0, 0)) WakeAll(kSleepersSay);
  }

 private:
  static constexpr std::uint32_t kFree = 0;
  static constexpr std::uint32_t kWriter = 1;
  static constexpr std::uint32_t kWriterWaits = 2;
  static constexpr std::uint32_t kSleepers = 4;
  static constexpr std::uint32_t kUpgrading = 8;
  static constexpr std::uint32_t kReader = 16;  // and multiples of it
  static constexpr std::uint32_t kSleepersSay = kSleepers | kWriterWaits;
  static constexpr std::uint32_t kHoldsReadersOff = kWriter | kWriterWaits | kUpgrading;

  // The step of a lock with which nobody else has to do.
  bool Replace(std::uint32_t state, std::uint32_t next) {
    return state_.compare_exchange_strong(state, next, std::memory_order_acq_rel,  // Y3: both ways
                                          std::memory_order_relaxed);
  }
  // One reader more, unless it has to wait.  Counted first and taken back then: readers do not
  // make each other repeat.
  bool CountIn() {
    const std::uint32_t before =
        state_.fetch_add(kReader, std::memory_order_acquire);  // Y3: the last writer
    if (__builtin_expect((before & kHoldsReadersOff) == 0, 1)) return true;
    TakeBack();
    return false;
  }
  // Whether in this state somebody may go on whom one reader more would stop: only the last
  // reader, or the last but the one that upgrades, lets anybody in.
  static bool LetsIn(std::uint32_t state) {
    if ((state & kWriter) != 0) return false;
    return state < kReader || ((state & kUpgrading) != 0 && state < 2 * kReader);
  }

  void LockSlowly();
  void LockSharedSlowly();
  // `state` is the word as it has just been.
  void UnlockSlowly(std::uint32_t state);
  bool UpgradeSlowly();
  // A reader that has to wait is none.
  void TakeBack();
  // For who does not leave the lock now: takes these flags of those who sleep away as well, so
  // that they are woken once.
  void WakeAll(std::uint32_t flags);
  // Waits for another state than `state`; `looks` is how often it has looked already.
  // Returns the state, with `flags` set in it before a sleep.
  std::uint32_t AwaitChange(std::uint32_t state, std::uint32_t flags, unsigned& looks);

  typename Atomics::template Atomic<std::uint32_t> state_{kFree};
};

template <typename Atomics, typename Waiting>
void BasicSleepingRwLock<Atomics, Waiting>::UnlockSlowly(std::uint32_t state) {
  // While somebody reads nobody writes.
  if ((state & kWriter) == 0) return unlock_shared();
  // All who sleep wake and say again what they wait for.
  const std::uint32_t over = kWriter | ((state & kSleepers) != 0 ? kSleepersSay : kSleepers);
  if ((state_.fetch_and(~over, std::memory_order_release) & kSleepers) != 0) {  // Y3: to the next
    Waiting::WakeAll(state_);
  }
}

template <typename Atomics, typename Waiting>
void BasicSleepingRwLock<Atomics, Waiting>::TakeBack() {
  const std::uint32_t before =
      state_.fetch_sub(kReader, std::memory_order_relaxed);  // Y3: it has read nothing
  // What a writer has said stays: it may be a while before it runs, and readers would come one
  // after the other, each of which wakes it in vain.
  if ((before & kSleepers) != 0 && LetsIn(before - kReader)) WakeAll(kSleepers);
}

template <typename Atomics, typename Waiting>
bool BasicSleepingRwLock<Atomics, Waiting>::UpgradeSlowly() {
  std::uint32_t state = state_.load(std::memory_order_relaxed);  // Y3: a hint
  bool announced = false;
  unsigned looks = 0;
  while (state >= 2 * kReader || (!announced && (state & kUpgrading) != 0)) {
    if (!announced && (state & kUpgrading) != 0) {
      unlock_shared();
      lock();
      return false;
    }
    if (!announced) {
      announced = state_.compare_exchange_weak(state, state | kUpgrading,
                                               std::memory_order_relaxed,  // Y3: orders nothing
                                               std::memory_order_relaxed);
      continue;
    }
    state = AwaitChange(state, 0, looks);
  }
  while (!state_.compare_exchange_weak(state, ((state - kReader) & ~kUpgrading) | kWriter,
                                       std::memory_order_acquire,  // Y3: after the other readers
                                       std::memory_order_relaxed)) {
    // New readers come while it was not announced, and look in while it was.
    if (state >= 2 * kReader && !announced) return UpgradeSlowly();
    while (state >= 2 * kReader) state = AwaitChange(state, 0, looks);
  }
  return true;
}

template <typename Atomics, typename Waiting>
void BasicSleepingRwLock<Atomics, Waiting>::WakeAll(std::uint32_t flags) {
  state_.fetch_and(~flags, std::memory_order_relaxed);  // Y3: no order
  Waiting::WakeAll(state_);
}

template <typename Atomics, typename Waiting>
void BasicSleepingRwLock<Atomics, Waiting>::LockSlowly() {
  unsigned looks = 0;
  while (!try_lock()) {
    const std::uint32_t state = state_.load(std::memory_order_relaxed);  // Y3: a hint
    if ((state & ~(kWriterWaits | kSleepers)) != 0) AwaitChange(state, kWriterWaits, looks);
  }
}

template <typename Atomics, typename Waiting>
void BasicSleepingRwLock<Atomics, Waiting>::LockSharedSlowly() {
  unsigned looks = 0;
  do {
    std::uint32_t state = state_.load(std::memory_order_relaxed);  // Y3: a hint
    while ((state & kHoldsReadersOff) != 0) state = AwaitChange(state, 0, looks);
  } while (!CountIn());
}

template <typename Atomics, typename Waiting>
std::uint32_t BasicSleepingRwLock<Atomics, Waiting>::AwaitChange(std::uint32_t state,
                                                                 std::uint32_t flags,
                                                                 unsigned& looks) {
  // At once: until a writer is announced, readers that come keep it waiting.
  if ((state & flags) != flags) {
    return state_.fetch_or(flags, std::memory_order_relaxed) | flags;  // Y3: no order
  }
  constexpr unsigned kMost = Waiting::kLooks * Waiting::kPatience;
  if (looks < kMost) {
    Atomics::Pause(looks / Waiting::kPatience);
    const std::uint32_t next = state_.load(std::memory_order_relaxed);  // Y3: a hint
    // Not in the first half, in which the pauses become longer.
    const bool handed_on = next != state && looks >= kMost / 2;
    looks += handed_on ? 1 : Waiting::kPatience;
    return next;
  }
  const std::uint32_t asleep = state | kSleepers;
  if (state == asleep ||
      state_.compare_exchange_strong(state, asleep, std::memory_order_relaxed,  // Y3: no order
                                     std::memory_order_relaxed)) {
    Waiting::Wait(state_, asleep);
  }
  return state_.load(std::memory_order_relaxed);  // Y3: a hint
}

extern template class BasicSleepingRwLock<>;
using SleepingRwLock = BasicSleepingRwLock<>;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_SLEEPING_RW_LOCK_H_
