// EvenCut: an interval of up to 2^64 indices as up to 2^31 units for a loop.
//
// A value; any thread.
#ifndef FILCH_POOL_EVEN_CUT_H_
#define FILCH_POOL_EVEN_CUT_H_

#include <algorithm>
#include <cstdint>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/halved_cut.h"

namespace filch {

// The interval [0, size) cut into `units` parts as even as possible: their sizes
// differ by at most one.
class EvenCut {
 public:
  // 1 <= units <= size.
  constexpr EvenCut(std::uint64_t size, std::uint32_t units)
      : units_(units), quotient_(size / units), remainder_(size % units) {}

  // Where unit `unit` begins; for unit == units() it is the size.
  constexpr std::uint64_t Begin(std::uint32_t unit) const {
    return quotient_ * unit + (unit < remainder_ ? unit : remainder_);
  }
  constexpr std::uint32_t units() const { return units_; }

  // Calls f(begin, end) for the interval of these units.
  template <typename F>
  void ForParts(UnitInterval units, F&& f) const {
    f(Begin(units.begin), Begin(units.end));
  }

  // As many units as halving leaves parts that are no larger than a grain (halved_cut.h):
  // of between half a grain and a grain, fewer and larger ones if there would be more
  // than 2^31.
  static constexpr EvenCut ByGrain(std::uint64_t size, std::uint64_t grain) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 31;
    // The usual grain, and the division would take a good part of what a loop of nothing
    // takes.
    if (__builtin_expect(grain <= 1 && size <= kMost, 1)) {
      return EvenCut(static_cast<std::uint32_t>(size), 1, 0);
    }
    return EvenCut(size, HalvedCut(size, grain).units());
  }

  // As many units, of `most` at the most, as there are leaves when an interval that is larger
  // than a grain is halved, with half of the units for each half: half a grain each on average,
  // or more. It is what a range is cut into that knows only how to be halved.
  static constexpr EvenCut ByHalves(std::uint64_t size, std::uint64_t grain, std::uint32_t most) {
    return EvenCut(size, Leaves(size, std::max<std::uint64_t>(grain, 1), most));
  }

 private:
  constexpr EvenCut(std::uint32_t units, std::uint64_t quotient, std::uint64_t remainder)
      : units_(units), quotient_(quotient), remainder_(remainder) {}

  static constexpr std::uint32_t Leaves(std::uint64_t size, std::uint64_t grain,
                                        std::uint32_t most) {
    if (most < 2 || size <= grain) return 1;
    if (size / most > grain) return most;
    const std::uint32_t right = most / 2;
    // size * right / most, to the nearest integer, without overflow.
    const std::uint64_t right_size =
        size / most * right + (size % most * right * 2 + most) / (std::uint64_t{most} * 2);
    return Leaves(size - right_size, grain, most - right) + Leaves(right_size, grain, right);
  }

  std::uint32_t units_;
  std::uint64_t quotient_;
  std::uint64_t remainder_;
};

}  // namespace filch

#endif  // FILCH_POOL_EVEN_CUT_H_
