// SleepingLock and SleepingRwLock: four bytes each, and whoever waits long
// sleeps.
//
// What the mutexes of TBB are made of, the "spinning" ones as well: a waiter
// looks a short while for the lock to become free and then sleeps in the
// kernel, so a waiter never takes the time slice that the owner needs.
//
// Memory ordering: what a thread did before it unlocked is visible to the next
// that locks, and for SleepingRwLock to readers too.
#ifndef FILCH_TBB_COMPAT_DETAIL_SLEEPING_LOCK_H_
#define FILCH_TBB_COMPAT_DETAIL_SLEEPING_LOCK_H_

#include <atomic>
#include <cstdint>

#include "_config.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// One owner. Any thread.
class SleepingLock {
 public:
  SleepingLock() = default;
  SleepingLock(const SleepingLock&) = delete;
  SleepingLock& operator=(const SleepingLock&) = delete;

  void lock() {
    if (!try_lock()) LockSlowly();
  }
  bool try_lock() {
    std::uint32_t state = kFree;
    return state_.compare_exchange_strong(state, kHeld, std::memory_order_acquire,  // M1
                                          std::memory_order_relaxed);
  }
  // An exchange, though a store would be cheaper: the step that unlocks also tells whether
  // somebody sleeps, for afterwards the next owner may destroy the lock.
  void unlock() {
    if (state_.exchange(kFree, std::memory_order_release) == kContended) WakeOne();  // M1
  }

 private:
  static constexpr std::uint32_t kFree = 0;
  static constexpr std::uint32_t kHeld = 1;
  static constexpr std::uint32_t kContended = 2;  // somebody may sleep

  void LockSlowly();
  void WakeOne();

  std::atomic<std::uint32_t> state_{kFree};
};

// One writer or any number of readers; a writer that waits holds new readers
// off. Any thread.
class SleepingRwLock {
 public:
  SleepingRwLock() = default;
  SleepingRwLock(const SleepingRwLock&) = delete;
  SleepingRwLock& operator=(const SleepingRwLock&) = delete;

  void lock() {
    if (!try_lock()) LockSlowly();
  }
  bool try_lock();
  // Whichever of the two the caller has.
  void unlock();

  void lock_shared() {
    if (!try_lock_shared()) LockSharedSlowly();
  }
  bool try_lock_shared();
  void unlock_shared();

  // A reader becomes the writer. False: it had to unlock in between, because
  // another reader was about to become the writer.
  bool Upgrade();
  // The writer becomes a reader.
  void Downgrade();

 private:
  static constexpr std::uint32_t kWriter = 1;
  static constexpr std::uint32_t kWriterWaits = 2;
  static constexpr std::uint32_t kSleepers = 4;
  static constexpr std::uint32_t kUpgrading = 8;
  static constexpr std::uint32_t kReader = 16;  // and multiples of it

  void LockSlowly();
  void LockSharedSlowly();
  // Waits for another state than `state`; `spins` is how often to look before
  // sleeping. Returns the state, with `flags` set in it before a sleep.
  std::uint32_t AwaitChange(std::uint32_t state, std::uint32_t flags, int& spins);
  // From `state` to `next` without kSleepers, and wakes them. False: it changed.
  bool ReleaseTo(std::uint32_t& state, std::uint32_t next);

  std::atomic<std::uint32_t> state_{0};
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_SLEEPING_LOCK_H_
