// OuterIsolation: the isolated region that a thread is in stays as it is while the thread is in
// another one, or in none (NoIsolationScope), for a while.
//
// Scheduler-internal.  The thread in the slot.
#ifndef FILCH_POOL_OUTER_ISOLATION_H_
#define FILCH_POOL_OUTER_ISOLATION_H_

#include <algorithm>
#include <cstdint>
#include <limits>

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
  explicit NoIsolationScope(Slot& slot)
      : slot_(slot), is_isolated_(slot.isolation != 0), outer_(slot) {
    slot.isolation = 0;
  }
  ~NoIsolationScope() {
    if (__builtin_expect(is_isolated_, 0)) NoteWhatCameDown();
  }
  NoIsolationScope(const NoIsolationScope&) = delete;
  NoIsolationScope& operator=(const NoIsolationScope&) = delete;

 private:
  // Waits have popped what lay below the floors of the regions around this, and what was pushed
  // then may lie there, too, as what is pushed next.
  void NoteWhatCameDown() {
    const bool empty = slot_.deque.Inspect() == decltype(slot_.deque)::Contents::kEmpty;
    const std::int64_t from =
        empty ? slot_.deque.bottom() : std::numeric_limits<std::int64_t>::min();
    slot_.came_down_from = std::min(slot_.came_down_from, from);
  }

  Slot& slot_;
  const bool is_isolated_;
  const OuterIsolation outer_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_OUTER_ISOLATION_H_
