// CreditLatch: whether something is over that has as many parts as it turned out to have.
//
// Nobody counts the parts.  All of it is worth some credit, which is the beginner's.  Whoever
// leaves a part to others gives it half of the credit that he has, and has it back with the
// part if nobody took it.  Whoever has taken one returns what credit he has when he is done
// with it.  It is over when all credit was returned: one read-modify-write for each part that
// was taken and one of the beginner's, and none if he has all of it back.
//
// One word.  After the last Return but the waiter's own the latch may be gone, so whoever wakes
// the waiter uses the address only (wait_table.h).
//
// The beginner: complete, AnnounceWaiter.  Return: whoever has credit.
// Memory ordering: what each did before its Return is visible once complete() is true (J3).
//
// After F. Mattern, Global quiescence detection based on credit distribution and recovery (1989).
#ifndef FILCH_POOL_CREDIT_LATCH_H_
#define FILCH_POOL_CREDIT_LATCH_H_

#include <atomic>
#include <cstdint>

#include "filch/topology/std_atomics.h"

namespace filch {
namespace pool_internal {

// Of a latch.  It can be halved 62 times.
using Credit = std::uint64_t;
constexpr Credit kAllCredit = Credit{1} << 62;

template <typename Atomics = StdAtomics>
class BasicCreditLatch {
 public:
  // All credit was returned.
  bool complete() const {
    return word_.load(std::memory_order_acquire) < kOne;  // J3: what all have done
  }
  // The beginner is in the wait table and about to sleep; it asks complete() after this.
  void AnnounceWaiter() {
    word_.fetch_or(kAwaited, std::memory_order_relaxed);  // J3: Return sees it, or is seen
  }
  // True: this was the last of it; the waiter may sleep, and is to be woken.
  bool Return(Credit credit) {
    return word_.fetch_sub(credit * kOne, std::memory_order_release) ==  // J3: what was done
           credit * kOne + kAwaited;
  }

 private:
  // What the word consists of: the credit that was not returned, as a multiple of kOne.
  static constexpr std::uint64_t kAwaited = 1;
  static constexpr std::uint64_t kOne = 2;

  typename Atomics::template Atomic<std::uint64_t> word_{kAllCredit * kOne};
};

using CreditLatch = BasicCreditLatch<>;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_CREDIT_LATCH_H_
