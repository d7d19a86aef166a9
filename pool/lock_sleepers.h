// LockSleepers: how many threads are about to sleep on locks, by the locks' addresses.
//
// Who unlocks a SleepingLock asks here whether somebody may sleep, before and after its
// store: the lock itself must not be touched any more by then, for its next owner may
// have destroyed it.  Locks that share a counter only make each other's unlocking a
// little dearer.
//
// Scheduler-internal.  Any thread.
// Memory ordering: none; Y2 in README.md.
#ifndef FILCH_POOL_LOCK_SLEEPERS_H_
#define FILCH_POOL_LOCK_SLEEPERS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "filch/topology/fibonacci_hash.h"

namespace filch {
namespace pool_internal {

class LockSleepers {
 public:
  // A bit beside the count: a heavy fence has been passed since that was zero.  It interrupts every
  // thread of the program, and 16 threads that met at a mutex slept 50 times in a loop of 500 us.
  static constexpr std::uint32_t kFenced = std::uint32_t{1} << 31;

  // Not zero while a thread sleeps on the lock at this address, before the program's
  // static objects are made, and always where the kernel has no membarrier.
  static std::atomic<std::uint32_t>& Of(const void* lock) {
    return counters_[FibonacciIndex<kCounters>(lock)].sleepers;
  }

 private:
  static constexpr std::size_t kCounters = 256;

  struct Counter {
    // One that is no thread, taken away once the kernel has said that it has membarrier.
    std::atomic<std::uint32_t> sleepers{1};
  };
  static bool CountFromZero();

  static Counter counters_[kCounters];
  static const bool counts_from_zero_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_LOCK_SLEEPERS_H_
