#include <atomic>
#include <cstdint>
#include <mutex>

#include "../include/oneapi/tbb/detail/_queued_lock.h"
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

void Signal::AwaitSlowly() {
  for (int i = 0; i < kSpins; ++i) {
    filch::CpuRelax();
    if (IsGiven()) return;
  }
  std::uint32_t state = kAwaited;
  state_.compare_exchange_strong(state, kSleeps, std::memory_order_acquire,  // M3
                                 std::memory_order_acquire);
  while (!IsGiven()) filch::pool_internal::FutexWait(state_, kSleeps);
}

void Signal::Wake() { filch::pool_internal::FutexWakeOne(state_); }

bool QueuedRwLock::Admits(bool write) const {
  return !writer_ && upgrading_ == nullptr && (!write || readers_ == 0);
}

void QueuedRwLock::Admit(bool write) {
  if (write) {
    writer_ = true;
  } else {
    ++readers_;
  }
}

void QueuedRwLock::Lock(QueuePlace& place, bool write) {
  {
    const std::lock_guard<SleepingLock> lock(lock_);
    if (queue_.first() == nullptr && Admits(write)) return Admit(write);
    place.Prepare(write);
    queue_.Add(place);
  }
  place.granted.Await();
}

bool QueuedRwLock::TryLock(bool write) {
  const std::lock_guard<SleepingLock> lock(lock_);
  if (queue_.first() != nullptr || !Admits(write)) return false;
  Admit(write);
  return true;
}

void QueuedRwLock::Unlock(bool writer) {
  lock_.lock();
  if (writer) {
    writer_ = false;
  } else {
    --readers_;
  }
  PassOnAndUnlock();
}

bool QueuedRwLock::Upgrade(QueuePlace& place) {
  lock_.lock();
  place.Prepare(true);
  const bool first = upgrading_ == nullptr;
  if (first) {
    upgrading_ = &place;
  } else {
    --readers_;
    queue_.Add(place);
  }
  PassOnAndUnlock();
  place.granted.Await();
  return first;
}

void QueuedRwLock::Downgrade() {
  lock_.lock();
  writer_ = false;
  readers_ = 1;
  PassOnAndUnlock();
}

void QueuedRwLock::PassOnAndUnlock() {
  // Collected first: a place may be gone as soon as it has been granted, and the
  // lock with it.
  Queue granted;
  if (upgrading_ != nullptr && readers_ == 1) {
    readers_ = 0;
    writer_ = true;
    granted.Add(*upgrading_);
    upgrading_ = nullptr;
  }
  while (QueuePlace* const next = queue_.first()) {
    if (!Admits(next->writes)) break;
    queue_.RemoveFirst();
    Admit(next->writes);
    next->next = nullptr;
    granted.Add(*next);
  }
  lock_.unlock();
  while (QueuePlace* const next = granted.first()) {
    granted.RemoveFirst();
    next->granted.Give();
  }
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb
