// LimitedStay: a stay of a worker that may begin tasks, or may not, as a test says.
#ifndef FILCH_TESTS_POOL_LIMITED_STAY_H_
#define FILCH_TESTS_POOL_LIMITED_STAY_H_

#include "filch/pool/stay.h"

namespace filch {
namespace pool_internal {

class LimitedStay final : public Stay {
 public:
  bool MustLeave() override { return !may_begin; }
  bool MayBegin() override { return may_begin; }
  bool IsForQueueAlone() override { return false; }
  bool IsWantedElsewhere() override { return false; }
  bool IsInTheWay() override { return false; }
  void MakeWay() override {}
  bool MayLinger() override { return true; }
  void AnnounceSleep() override {}
  bool WithdrawSleep() override { return true; }

  bool may_begin = true;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_TESTS_POOL_LIMITED_STAY_H_
