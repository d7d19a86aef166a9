// FirstUnits: whether the first units of a loop end before anybody could help with it.
//
// Then none of them has waited for another thread.  By the deque from which the parts are
// taken.
//
// Among more than two threads somebody always comes at once.  So a loop that may be over sooner
// than that withholds its other parts (Withholding) until the first units have begun, and what
// takes them then has come too late for units that are short.
//
// The thread that runs the loop.
#ifndef FILCH_POOL_FIRST_UNITS_H_
#define FILCH_POOL_FIRST_UNITS_H_

#include <algorithm>
#include <cstdint>

#include "filch/pool/slot.h"
#include "filch/pool/withholding.h"
#include "filch/topology/tick_clock.h"

namespace filch {
namespace pool_internal {

class FirstUnits {
 public:
  // Made as the loop begins, by the thread in `slot`, which runs it.
  explicit FirstUnits(Slot& slot, bool withhold = false)
      : slot_(slot),
        withholding_(slot, withhold),
        oldest_(slot.deque.ApproximateSizes().oldest),
        begin_(Ticks()) {}
  FirstUnits(const FirstUnits&) = delete;
  FirstUnits& operator=(const FirstUnits&) = delete;

  // Whether the calling thread runs the loop.  Any thread, in a slot.
  bool IsOwner() const { return current_slot == &slot_; }
  // Whether nobody has taken anything yet.
  bool unaided() const { return slot_.deque.ApproximateSizes().oldest == oldest_; }

  // Nothing is withheld any more.
  void Release() { withholding_.Release(); }
  // They begin now.
  void Begin() {
    begun_unaided_ = unaided();
    Release();
    begin_ = Ticks();
  }
  // One of several has ended.  The quickest tells how long the others take: the first one may have
  // waited for its caches.
  void OneEnded() {
    const std::uint64_t now = Ticks();
    elapsed_ = std::min(elapsed_, now - begin_);
    begin_ = now;
  }
  // They have ended; the others are shared.
  void Ended() {
    Release();
    OneEnded();
    ended_unaided_ =
        unaided() || (begun_unaided_ && withholding_.active() && elapsed_ < kSoonestHelp);
    if (withholding_.active()) slot_.ShareSome();
  }
  bool withholds() const { return withholding_.active(); }
  // Unless somebody took something else.
  bool ended_unaided() const { return ended_unaided_; }
  // How long the quickest took, in ticks; for ever, if none has ended.
  std::uint64_t elapsed() const { return elapsed_; }

  // Whether so many first units may be over sooner than help comes, so that a loop like this one
  // should withhold its others.
  bool AreQuick(std::uint32_t units) const { return elapsed_ / units < kQuick; }

 private:
  // To take a part takes a look, its answer and the taking, and to see what it did another
  // transfer of a cache line: 50 ns each at least.
  static constexpr std::uint64_t kSoonestHelp = 150;
  // Who withholds more loses more than what it learns is worth.
  static constexpr std::uint64_t kQuick = 1000;

  Slot& slot_;
  Withholding withholding_;
  const std::uint64_t oldest_;
  std::uint64_t begin_;
  std::uint64_t elapsed_ = ~std::uint64_t{0};
  // What others have taken before may be what they would have waited for.
  bool begun_unaided_ = false;
  bool ended_unaided_ = false;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_FIRST_UNITS_H_
