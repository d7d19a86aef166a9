// OuterIsolation: the isolated region that a thread is in stays as it is while the thread is in
// another one, or in none (NoIsolationScope), for a while.
//
// Scheduler-internal.  The thread in the slot.
#ifndef FILCH_POOL_OUTER_ISOLATION_H_
#define FILCH_POOL_OUTER_ISOLATION_H_

#include <algorithm>
#include <cstdint>

#include "filch/pool/slot.h"

namespace filch {
namespace pool_internal {

// Puts the thread in `slot` back, at its end, into the region where it was.
class OuterIsolation {
 public:
  explicit OuterIsolation(Slot& slot)
      : slot_(slot), isolation_(slot.isolation), floor_(slot.isolation_floor) {}
  ~OuterIsolation() {
    slot_.isolation = isolation_;
    slot_.isolation_floor = floor_;
  }
  OuterIsolation(const OuterIsolation&) = delete;
  OuterIsolation& operator=(const OuterIsolation&) = delete;

 private:
  Slot& slot_;
  const std::uint64_t isolation_;
  const std::int64_t floor_;
};

// No region at all: waits run whatever there is.
class NoIsolationScope {
 public:
  explicit NoIsolationScope(Slot& slot) : slot_(slot), outer_(slot), bottom_(slot.deque.bottom()) {
    slot.isolation = 0;
  }
  ~NoIsolationScope() {
    // What is pushed now may lie below the floors of the regions around this.
    const std::int64_t bottom = slot_.deque.bottom();
    if (bottom < bottom_) slot_.came_down_from = std::min(slot_.came_down_from, bottom);
  }
  NoIsolationScope(const NoIsolationScope&) = delete;
  NoIsolationScope& operator=(const NoIsolationScope&) = delete;

 private:
  Slot& slot_;
  const OuterIsolation outer_;
  const std::int64_t bottom_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_OUTER_ISOLATION_H_
