// WatchedBody: a loop's body whose first units are watched, to learn whether loops like it need
// others for them, and how long they take.
//
// The thread that runs the loop; any for Run.
#ifndef FILCH_POOL_WATCHED_BODY_H_
#define FILCH_POOL_WATCHED_BODY_H_

#include <cstdint>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/first_units.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/pace.h"
#include "filch/pool/slot.h"
#include "filch/topology/tick_clock.h"

namespace filch {
namespace pool_internal {

class WatchedBody final : public LoopBody {
 public:
  // How its first units follow each other.  In turn: who begins does not look after others before
  // its second ones.
  enum class Order { kAny, kInTurn };

  // For a loop that the thread in `slot` runs.  `withhold`: the others, until the first ones have
  // begun.  The last of them is watched, too, where the units end with `end`.
  WatchedBody(LoopBody& body, Slot& slot, bool withhold, Order order = Order::kAny,
              std::uint32_t end = 0)
      : LoopBody(body.kind()), body_(body), order_(order), end_(end), first_(slot, withhold) {}

  // Not inlined, on a guess, where loops begin alone: they are not watched.
  __attribute__((noinline)) void Run(UnitInterval units, void** segment) override {
    // The first unit may have been stolen: then the loop is not unaided, and nothing is known of
    // it.
    if (!first_.IsOwner()) return body_.Run(units, segment);
    if (units.begin == 0) {
      units_ = units.size();
      first_.Begin();
      body_.Run(units, segment);
      // Where others are kept waiting for it anyway, the next one says more.
      if (LooksTwice()) {
        first_.OneEnded();
      } else {
        first_.Ended();
      }
    } else if (units.begin == units_ && units.size() == units_ && LooksTwice()) {
      body_.Run(units, segment);
      first_.Ended();
    } else {
      first_.Release();
      if (units.end != end_) return body_.Run(units, segment);
      const std::uint64_t begin = Ticks();
      body_.Run(units, segment);
      last_ = {units.size(), Ticks() - begin};
    }
  }
  // When the loop is over: whether its first units ended before anybody came, or were quick.
  bool unaided() const { return first_.ended_unaided(); }
  bool quick() const { return first_.AreQuick(units_); }
  // When the loop is over: whether the last ones took very much longer than the first; if another
  // thread has run them, that is not known.
  bool is_long_at_its_end() const {
    return last_.elapsed > kSurprise && last_.elapsed / 8 > TimeOf(last_.units);
  }
  // When the loop is over: how long so many units would take, by the first.
  std::uint64_t TimeOf(std::uint32_t units) const {
    return Pace{units_, first_.elapsed()}.TimeOf(units);
  }

 private:
  // More than what it takes to share a loop and a thread to come.
  static constexpr std::uint64_t kSurprise = 3000;

  bool LooksTwice() const { return order_ == Order::kInTurn && first_.withholds(); }

  LoopBody& body_;
  const Order order_;
  const std::uint32_t end_;
  Pace last_{1, 0};
  FirstUnits first_;
  std::uint32_t units_ = 1;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_WATCHED_BODY_H_
