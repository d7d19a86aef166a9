// SumCost: what a sum of a scan takes besides the units in it: to make it, and to chain it.
//
// The body of a scan may be an array of megabytes, and then that takes longer than many a unit.
// So sums should be few and long where they are dear; where they are cheap, short ones are
// finished while what they went through is still in the cache.
//
// A value without a clock; times are ticks.  One thread at a time: where several sum, under their
// lock.
#ifndef FILCH_POOL_SUM_COST_H_
#define FILCH_POOL_SUM_COST_H_

#include <algorithm>
#include <cstdint>

namespace filch {
namespace pool_internal {

class SumCost {
 public:
  constexpr void Made(std::uint64_t elapsed) { make_.Took(elapsed); }
  constexpr void Chained(std::uint64_t elapsed) { chain_.Took(elapsed); }

  // Whether any has been chained.
  constexpr bool has_chained() const { return chain_.known; }
  // Of one sum.  To make and to chain one take about as long, as far as is known.
  constexpr std::uint64_t ticks() const {
    return make_.ticks + (chain_.known ? chain_.ticks : make_.ticks);
  }

  // What is summed with one should take so long: then sums take some percent of the time.
  constexpr std::uint64_t worth() const { return kParts * ticks(); }
  // Of what takes less on one thread others need not sum anything: of n units two threads go
  // through a third meanwhile, and then need as long as for that to chain and to begin.  One
  // measurement alone keeps nobody from it, for the thread may have been interrupted.
  constexpr std::uint64_t least() const {
    return kParts / 2 * (make_.ConfirmedBy(chain_) + chain_.ConfirmedBy(make_));
  }

 private:
  // Of so many equal parts to make and to chain takes one: 6 percent.  With more, sums would be so
  // long that what they went through has left the cache when it is finished.
  static constexpr std::uint64_t kParts = 16;

  // The lesser one of the last two: threads are interrupted.
  struct Part {
    constexpr void Took(std::uint64_t elapsed) {
      elapsed = std::min(elapsed, kForever);
      ticks = known ? std::min(last, elapsed) : elapsed;
      last = elapsed;
      confirmed = known;
      known = true;
    }
    // What it takes at the least; the other one takes about as long.
    constexpr std::uint64_t ConfirmedBy(const Part& other) const {
      return confirmed ? ticks : std::min(ticks, other.ticks);
    }
    std::uint64_t ticks = 0;
    std::uint64_t last = 0;
    bool known = false;
    bool confirmed = false;  // known twice
  };
  // So long that worth() fits into 32 bits.
  static constexpr std::uint64_t kForever = std::uint64_t{1} << 26;

  Part make_;
  Part chain_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_SUM_COST_H_
