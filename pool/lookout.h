// WatchFor, StayOnLookout: a thread waits for one thing that others do, for a limited time.
//
// Scheduler-internal.  Time comes from `Clock`, so that a test brings its own.  `yield()`
// lets other threads have the cpu.
#ifndef FILCH_POOL_LOOKOUT_H_
#define FILCH_POOL_LOOKOUT_H_

#include <chrono>

#include "filch/pool/displacement.h"
#include "filch/topology/cpu_relax.h"

namespace filch {
namespace pool_internal {

// Whether `seen()`, at which it looks once at least, until `spin` is over or `stop()`.  Calls
// `yield()` between two looks.
template <typename Clock, typename Seen, typename Stop, typename Yield>
bool WatchFor(std::chrono::nanoseconds spin, const Seen& seen, const Stop& stop,
              const Yield& yield) {
  constexpr int kPause = 2;  // of CpuRelax: about as long as the look at the clock
  const typename Clock::time_point deadline = Clock::now() + spin;
  for (;;) {
    const bool last_round = Clock::now() >= deadline;
    if (stop()) return false;
    if (seen()) return true;
    if (last_round) return false;
    for (int i = 0; i < kPause; ++i) CpuRelax();
    yield();
  }
}

// Looks whether `called()`, until it is or `time` is over, or the cpu was away for so
// long that others must be running on it: sleeping, and being woken, is quicker than
// waiting for one's turn.
template <typename Clock, typename Called, typename Yield>
void StayOnLookout(std::chrono::nanoseconds time, const Called& called, const Yield& yield) {
  // Of CpuRelax: about as long as the look at the clock and the call of the system
  // that follow.
  constexpr int kLooks = 8;
  typename Clock::time_point now = Clock::now();
  const typename Clock::time_point deadline = now + time;
  while (now < deadline) {
    for (int i = 0; i < kLooks; ++i) {
      if (called()) return;
      CpuRelax();
    }
    // Whoever calls may need this cpu.
    yield();
    const typename Clock::time_point before = now;
    now = Clock::now();
    if (now - before > kDisplaced) return;
  }
}

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_LOOKOUT_H_
