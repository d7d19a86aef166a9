// How long it takes to hand a part of some work over to a thread that is awake, and to wait for
// its end.
//
// Scheduler-internal.  Times are ticks, about nanoseconds.  Any thread.
#ifndef FILCH_POOL_HAND_OVER_H_
#define FILCH_POOL_HAND_OVER_H_

#include <cstdint>

#include "filch/topology/cpu_relax.h"
#include "filch/topology/tick_clock.h"

namespace filch {
namespace pool_internal {

// If what the calling thread has of it took less than this, who has not begun with another part
// is too late: to hand it over and to wait for it takes about as long, and what so short a part
// leaves in a cache is not worth it.
constexpr std::uint64_t kHandOver = 1000;

// Looks for so long whether `complete()`; whether it is.  Parts are alike: what others have begun
// ends about when the calling thread's own does, and to count as searching meanwhile takes longer
// than that.
template <typename Complete>
bool AwaitBriefly(const Complete& complete) {
  const std::uint64_t begin = Ticks();
  do {
    if (complete()) return true;
    CpuRelax();
  } while (Ticks() - begin < kHandOver);
  return false;
}

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_HAND_OVER_H_
