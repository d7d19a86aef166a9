#include "filch/pool/placed_isolation.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "filch/pool/isolate.h"
#include "filch/pool/slot.h"

namespace filch {
namespace pool_internal {
namespace {

// The region that the calling thread entered last by its place.
struct LastRegion {
  const void* place;
  std::uint64_t isolation;
  // No task of the region is in that slot's deque below it.
  const Slot* slot;
  std::int64_t floor;
};
// As current_slot: an access is no call, in a shared library either.
__thread LastRegion last_region __attribute__((tls_model("initial-exec")));

}  // namespace

void PlacedIsolationScope::Enter(Slot& slot) {
  LastRegion& last = last_region;
  std::int64_t floor = slot.deque.bottom();
  if (last.place != this) {
    last.place = this;
    last.isolation = NewIsolation();
  } else if (last.slot == &slot) {
    floor = std::min(floor, last.floor);
  } else {
    floor = std::numeric_limits<std::int64_t>::min();
  }
  last.slot = &slot;
  last.floor = floor;
  slot.isolation = last.isolation;
  slot.isolation_floor = floor;
}

}  // namespace pool_internal
}  // namespace filch
