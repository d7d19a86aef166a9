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
    std::uint32_t nobody = kFenced;
    if (counter.sleepers.fetch_sub(1, std::memory_order_relaxed) ==  // Y2: nobody sleeps
        kFenced + 1) {
      counter.sleepers.compare_exchange_strong(
          nobody, 0, std::memory_order_relaxed,
          std::memory_order_relaxed);  // Y2: as a sleeper's end
    }
  }
  return true;
}

const bool LockSleepers::counts_from_zero_ = CountFromZero();

}  // namespace pool_internal
}  // namespace filch
