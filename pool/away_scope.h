// AwayScope: the calling thread sleeps and cannot be called where it holds a slot.
//
// Scheduler-internal; absence.h says what that is for.
#ifndef FILCH_POOL_AWAY_SCOPE_H_
#define FILCH_POOL_AWAY_SCOPE_H_

#include "filch/pool/absence.h"
#include "filch/pool/arena.h"
#include "filch/pool/slot.h"

namespace filch {
namespace pool_internal {

class AwayScope {
 public:
  // From `innermost`, a slot of the calling thread or null, outwards.
  explicit AwayScope(Slot* innermost) : innermost_(innermost) {
    for (Slot* slot = innermost_; slot != nullptr; slot = slot->outer) slot->arena->GoAway(*slot);
  }
  ~AwayScope() {
    for (Slot* slot = innermost_; slot != nullptr; slot = slot->outer) ComeBack(*slot);
  }
  AwayScope(const AwayScope&) = delete;
  AwayScope& operator=(const AwayScope&) = delete;

 private:
  Slot* const innermost_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_AWAY_SCOPE_H_
