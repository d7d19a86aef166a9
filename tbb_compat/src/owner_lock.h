// OwnerLock: a lock that one thread takes all the time, without a read-modify-write, and
// anybody else seldom.
//
// The owner says that it is inside and then looks whether somebody claims the lock; who
// claims it says so, passes the heavy side of the asymmetric fence and waits until the owner
// is not inside. So a claim costs microseconds, and the owner next to nothing.
//
// Enter and Leave: the owner, which is one thread at a time, and who owns it next is ordered
// after it. lock and unlock: any thread, the owner too while it is not inside. The owner may
// not wait for other threads while it is inside, and who claims a lock only for the owners of
// others that it claims.
// Memory ordering: what a thread did before it left or unlocked is visible to the next that
// is let in.
//
// The idea: Dice, Huang, Yang, "Asymmetric Dekker Synchronization" (2001).
#ifndef FILCH_TBB_COMPAT_SRC_OWNER_LOCK_H_
#define FILCH_TBB_COMPAT_SRC_OWNER_LOCK_H_

#include <atomic>
#include <cstdint>
#include <mutex>

#include "filch/pool/pool_atomics.h"
#include "filch/pool/sleeping_lock.h"
#include "filch/topology/futex.h"

namespace filch::tbb_compat_internal {

// How a claimer waits for the owner; a model checker brings its own.
struct OwnerLockWaiting : Futex {
  // What the owner does inside is short, unless it has lost its processor.
  static constexpr unsigned kLooks = 8;
};

template <typename Atomics = pool_internal::PoolAtomics, typename Waiting = OwnerLockWaiting,
          typename ClaimersLock = pool_internal::SleepingLock>
class BasicOwnerLock {
 public:
  BasicOwnerLock() : claimed_(Atomics::IsAsymmetric() ? kNot : kAlways) {}
  BasicOwnerLock(const BasicOwnerLock&) = delete;
  BasicOwnerLock& operator=(const BasicOwnerLock&) = delete;

  void Enter() {
    if (__builtin_expect(!TryEnter(), 0)) EnterSlowly();
  }
  void Leave() {
    inside_.store(0, std::memory_order_release);  // L1: to lock
    Atomics::LightFence();                        // L2: then who claims it
    if (__builtin_expect(claimed_.load(std::memory_order_relaxed) != kNot,
                         0)) {  // L2: after leaving
      LeaveSlowly();
    }
  }

  void lock() {
    Claim();
    FenceClaims();
    AwaitOwner();
  }
  void unlock() {
    if (!IsAlwaysClaimed()) claimed_.store(kNot, std::memory_order_release);  // L1: to Enter
    claimers_.unlock();
  }

  // lock in its steps, for who takes many such locks: a thread claims all of them, passes one
  // fence, which is what costs microseconds, and then awaits the owner of each. Threads that
  // do so at the same time claim in the same order.
  void Claim() {
    claimers_.lock();
    if (IsAlwaysClaimed()) return;
    claimed_.store(kNow, std::memory_order_relaxed);  // L2: before the heavy fence
  }
  static void FenceClaims() {
    if (Atomics::IsAsymmetric()) Atomics::HeavyFence();  // L2: then whether the owner is inside
  }
  void AwaitOwner() {
    if (IsAlwaysClaimed()) return;
    for (unsigned look = 0; inside_.load(std::memory_order_acquire) != 0; ++look) {  // L1: Leave
      if (look < Waiting::kLooks) {
        Atomics::Pause(look);
      } else {
        Waiting::Wait(inside_, 1);
      }
    }
  }

 private:
  static constexpr std::uint32_t kNot = 0;
  static constexpr std::uint32_t kNow = 1;
  // Where the kernel has no membarrier the owner takes the claimers' lock.
  static constexpr std::uint32_t kAlways = 2;

  bool IsAlwaysClaimed() const {
    return claimed_.load(std::memory_order_relaxed) == kAlways;  // L2: it stays
  }
  bool TryEnter() {
    inside_.store(1, std::memory_order_relaxed);              // L2: before the light fence
    Atomics::LightFence();                                    // L2: then whether it is claimed
    return claimed_.load(std::memory_order_acquire) == kNot;  // L1: unlock; L2: after the fence
  }
  void EnterSlowly();
  void LeaveSlowly();

  typename Atomics::template Atomic<std::uint32_t> inside_{0};
  typename Atomics::template Atomic<std::uint32_t> claimed_;
  ClaimersLock claimers_;
};

template <typename Atomics, typename Waiting, typename ClaimersLock>
void BasicOwnerLock<Atomics, Waiting, ClaimersLock>::EnterSlowly() {
  do {
    inside_.store(0, std::memory_order_release);  // L1: to who claims it
    if (IsAlwaysClaimed()) return claimers_.lock();
    Waiting::WakeOne(inside_);
    // There is no claim while this thread has the lock of those who claim.
    const std::lock_guard<ClaimersLock> lock(claimers_);
  } while (!TryEnter());
}

template <typename Atomics, typename Waiting, typename ClaimersLock>
void BasicOwnerLock<Atomics, Waiting, ClaimersLock>::LeaveSlowly() {
  if (IsAlwaysClaimed()) {
    claimers_.unlock();
  } else {
    Waiting::WakeOne(inside_);
  }
}

extern template class BasicOwnerLock<>;
using OwnerLock = BasicOwnerLock<>;

}  // namespace filch::tbb_compat_internal

#endif  // FILCH_TBB_COMPAT_SRC_OWNER_LOCK_H_
