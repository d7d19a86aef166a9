// LookSeveralTimes: a thread that found nothing looks again, as often as that was worth it before
// (AdaptiveSpin).
//
// Scheduler-internal.  Time comes from `Clock`, so that a test brings its own.
#ifndef FILCH_POOL_LOOK_SEVERAL_TIMES_H_
#define FILCH_POOL_LOOK_SEVERAL_TIMES_H_

#include <chrono>

#include "filch/pool/displacement.h"

namespace filch {
namespace pool_internal {

// What came of looking several times.
template <typename Found>
struct Looked {
  Found found;     // false: nothing
  int times;       // that it took
  bool displaced;  // others had the cpu meanwhile
};

// Looks for `spin()` each time, up to so many times, until `look(time)` finds something.  Not
// again if there is no time, others had the cpu for long, or `!goes_on()`.
template <typename Clock, typename Spin, typename Look, typename GoesOn>
auto LookSeveralTimes(const Spin& spin, int most, const Look& look, const GoesOn& goes_on)
    -> Looked<decltype(look(spin()))> {
  if (most <= 1) return {look(spin()), 1, false};
  for (int times = 1;; ++times) {
    const std::chrono::nanoseconds time = spin();
    const typename Clock::time_point latest = Clock::now() + time + kDisplaced;
    const auto found = look(time);
    const bool displaced = Clock::now() > latest;
    if (found || displaced || times >= most || time.count() == 0 || !goes_on()) {
      return {found, times, displaced};
    }
  }
}

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_LOOK_SEVERAL_TIMES_H_
