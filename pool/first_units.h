// FirstUnits: whether the first units of a loop end before anybody takes a part of it.
//
// Then none of them has waited for another thread.  By the deque from which the parts are
// taken.  One thread.
#ifndef FILCH_POOL_FIRST_UNITS_H_
#define FILCH_POOL_FIRST_UNITS_H_

#include <cstdint>

#include "filch/pool/slot.h"

namespace filch {
namespace pool_internal {

// Made as the loop begins, by the thread in `slot`, which runs it.
class FirstUnits {
 public:
  explicit FirstUnits(const Slot& slot)
      : slot_(slot), oldest_(slot.deque.ApproximateSizes().oldest) {}

  // Whether nobody has taken anything yet.
  bool unaided() const { return slot_.deque.ApproximateSizes().oldest == oldest_; }
  // They have ended.
  void Ended() { ended_unaided_ = unaided(); }
  // False also if somebody took something else.
  bool ended_unaided() const { return ended_unaided_; }

 private:
  const Slot& slot_;
  const std::uint64_t oldest_;
  bool ended_unaided_ = false;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_FIRST_UNITS_H_
