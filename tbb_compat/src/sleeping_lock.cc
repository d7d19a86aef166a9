#include <atomic>
#include <cstdint>

#include "../include/oneapi/tbb/detail/_sleeping_lock.h"
#include "filch/pool/futex.h"
#include "filch/topology/cpu_relax.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {
namespace {

// A few microseconds, about what a sleep and a wake-up cost.
constexpr int kSpins = 100;

}  // namespace

void SleepingLock::LockSlowly() {
  for (int i = 0; i < kSpins; ++i) {
    filch::CpuRelax();
    if (state_.load(std::memory_order_relaxed) == kFree && try_lock()) return;
  }
  // From here on the state says "contended" also when it is ours: somebody else
  // may sleep.
  while (state_.exchange(kContended, std::memory_order_acquire) != kFree) {  // M1
    filch::pool_internal::FutexWait(state_, kContended);
  }
}

void SleepingLock::WakeOne() { filch::pool_internal::FutexWakeOne(state_); }

bool SleepingRwLock::try_lock() {
  std::uint32_t state = state_.load(std::memory_order_relaxed);
  while ((state & ~(kWriterWaits | kSleepers)) == 0) {
    if (state_.compare_exchange_weak(state, (state & kSleepers) | kWriter,
                                     std::memory_order_acquire,  // M2
                                     std::memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

bool SleepingRwLock::try_lock_shared() {
  std::uint32_t state = state_.load(std::memory_order_relaxed);
  while ((state & (kWriter | kWriterWaits | kUpgrading)) == 0) {
    if (state_.compare_exchange_weak(state, state + kReader, std::memory_order_acquire,  // M2
                                     std::memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

void SleepingRwLock::unlock() {
  std::uint32_t state = state_.load(std::memory_order_relaxed);
  // While somebody reads nobody writes.
  if ((state & kWriter) == 0) return unlock_shared();
  while (!ReleaseTo(state, state & ~kWriter)) {
  }
}

void SleepingRwLock::unlock_shared() {
  std::uint32_t state = state_.load(std::memory_order_relaxed);
  for (;;) {
    const std::uint32_t next = state - kReader;
    // Only the last reader, or the last but the one that upgrades, lets anybody in.
    const bool lets_in = next < kReader || ((next & kUpgrading) != 0 && next < 2 * kReader);
    if (lets_in ? ReleaseTo(state, next)
                : state_.compare_exchange_weak(state, next, std::memory_order_release,  // M2
                                               std::memory_order_relaxed)) {
      return;
    }
  }
}

bool SleepingRwLock::Upgrade() {
  std::uint32_t state = state_.load(std::memory_order_relaxed);
  bool announced = false;
  int spins = kSpins;
  while (state >= 2 * kReader || (!announced && (state & kUpgrading) != 0)) {
    if (!announced && (state & kUpgrading) != 0) {
      unlock_shared();
      lock();
      return false;
    }
    if (!announced) {
      announced = state_.compare_exchange_weak(state, state | kUpgrading,
                                               std::memory_order_relaxed,  // M2: orders nothing
                                               std::memory_order_relaxed);
      continue;
    }
    state = AwaitChange(state, 0, spins);
  }
  while (!state_.compare_exchange_weak(state, ((state - kReader) & ~kUpgrading) | kWriter,
                                       std::memory_order_acquire,  // M2: after the other readers
                                       std::memory_order_relaxed)) {
    // New readers come while it was not announced.
    if (state >= 2 * kReader) return Upgrade();
  }
  return true;
}

void SleepingRwLock::Downgrade() {
  std::uint32_t state = state_.load(std::memory_order_relaxed);
  while (!ReleaseTo(state, (state & ~kWriter) + kReader)) {
  }
}

void SleepingRwLock::LockSlowly() {
  int spins = kSpins;
  while (!try_lock()) {
    const std::uint32_t state = state_.load(std::memory_order_relaxed);
    if ((state & ~(kWriterWaits | kSleepers)) != 0) AwaitChange(state, kWriterWaits, spins);
  }
}

void SleepingRwLock::LockSharedSlowly() {
  int spins = kSpins;
  while (!try_lock_shared()) {
    const std::uint32_t state = state_.load(std::memory_order_relaxed);
    if ((state & (kWriter | kWriterWaits | kUpgrading)) != 0) AwaitChange(state, 0, spins);
  }
}

std::uint32_t SleepingRwLock::AwaitChange(std::uint32_t state, std::uint32_t flags, int& spins) {
  if (spins > 0) {
    --spins;
    filch::CpuRelax();
    return state_.load(std::memory_order_relaxed);
  }
  const std::uint32_t asleep = state | flags | kSleepers;
  if (state == asleep ||
      state_.compare_exchange_strong(state, asleep, std::memory_order_relaxed,  // M2: no order
                                     std::memory_order_relaxed)) {
    filch::pool_internal::FutexWait(state_, asleep);
  }
  return state_.load(std::memory_order_relaxed);
}

bool SleepingRwLock::ReleaseTo(std::uint32_t& state, std::uint32_t next) {
  const bool sleepers = (state & kSleepers) != 0;
  // All who sleep wake and say again what they wait for.
  if (sleepers) next &= ~(kSleepers | kWriterWaits);
  if (!state_.compare_exchange_weak(state, next, std::memory_order_release,  // M2
                                    std::memory_order_relaxed)) {
    return false;
  }
  if (sleepers) filch::pool_internal::FutexWakeAll(state_);
  return true;
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb
