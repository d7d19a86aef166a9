#include "filch/pool/lock_sleepers.h"

#include <atomic>

#include "filch/deque/asymmetric_fence.h"

namespace filch {
namespace pool_internal {

// Initialized before any code runs: locks may be used in static objects.
LockSleepers::Counter LockSleepers::counters_[];

bool LockSleepers::CountFromZero() {
  if (!AsymmetricFence::IsAsymmetric()) return false;
  for (Counter& counter : counters_) {
    counter.sleepers.fetch_sub(1, std::memory_order_relaxed);  // Y2: nobody sleeps
  }
  return true;
}

const bool LockSleepers::counts_from_zero_ = CountFromZero();

}  // namespace pool_internal
}  // namespace filch
