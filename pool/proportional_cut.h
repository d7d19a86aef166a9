// ProportionalCut: an interval of up to 2^64 indices as one part for each of so many threads,
// with the bounds that cutting it in two gives, and each of these in two, in the proportion of
// the threads.
//
// What recursive splitting makes of a range, for programs that compare where their parts begin,
// or sums of floating-point numbers over them.  Its parts are the units of a loop.
//
// A value; any thread.
#ifndef FILCH_POOL_PROPORTIONAL_CUT_H_
#define FILCH_POOL_PROPORTIONAL_CUT_H_

#include <algorithm>
#include <cstdint>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/nearest_share.h"

namespace filch {

// How many of `size` items the right part gets if they are shared as left : right, which are not
// both 0: the nearest integer, or what float makes of it, which is off by some ten-millionths.  Of
// two items or more both parts get one.
constexpr std::uint64_t ProportionalRight(std::uint64_t size, std::uint64_t left,
                                          std::uint64_t right) {
  // What most ask for, and what float makes of it where all is exact.
  constexpr std::uint64_t kExact = std::uint64_t{1} << 24;
  if (left == right && (size | right) < kExact && size * right < kExact) return (size + 1) / 2;
  if (left > UINT64_MAX - right) return ProportionalRight(size, left / 2, right / 2);
  const std::uint64_t items = NearestShare(size, left, right);
  return size < 2 ? items : std::min(std::max<std::uint64_t>(items, 1), size - 1);
}

// The interval [0, size) cut so.  What is no larger than a grain is not cut.
class ProportionalCut {
 public:
  // 1 <= size; one unit for each of `threads`, or fewer.
  constexpr ProportionalCut(std::uint64_t size, std::uint64_t grain, std::uint32_t threads)
      : whole_{0, size, std::max<std::uint32_t>(threads, 1)},
        grain_(std::max<std::uint64_t>(grain, 1)),
        units_(UnitsOf(whole_)) {}

  constexpr std::uint32_t units() const { return units_; }

  // Calls f(begin, end) for each of these units, in their order.
  template <typename F>
  void ForParts(UnitInterval units, F&& f) const {
    for (std::uint32_t unit = units.begin; unit != units.end; ++unit) {
      const Part part = PartOf(unit);
      f(part.begin, part.begin + part.size);
    }
  }

 private:
  // What so many threads share.
  struct Part {
    constexpr Part Right() const {
      const std::uint32_t others = threads / 2;
      const std::uint64_t items = filch::ProportionalRight(size, threads - others, others);
      return {begin + (size - items), items, others};
    }
    constexpr Part LeftOf(const Part& right) const {
      return {begin, size - right.size, threads - right.threads};
    }

    std::uint64_t begin;
    std::uint64_t size;
    std::uint32_t threads;
  };

  constexpr bool IsCut(const Part& part) const { return part.threads > 1 && part.size > grain_; }

  constexpr std::uint32_t UnitsOf(const Part& part) const {
    if (!IsCut(part)) return 1;
    // Two threads share at least this, and rounding takes less than the rest.
    if (part.size / part.threads > grain_) return part.threads;
    const Part right = part.Right();
    return UnitsOf(part.LeftOf(right)) + UnitsOf(right);
  }

  constexpr Part PartOf(std::uint32_t unit) const {
    Part part = whole_;
    while (IsCut(part)) {
      const Part right = part.Right();
      const Part left = part.LeftOf(right);
      const std::uint32_t in_left = units_ == whole_.threads ? left.threads : UnitsOf(left);
      // Nobody foresees which, so there is no branch.
      const bool is_right = unit >= in_left;
      unit -= is_right ? in_left : 0;
      part = {is_right ? right.begin : left.begin, is_right ? right.size : left.size,
              is_right ? right.threads : left.threads};
    }
    return part;
  }

  Part whole_;
  std::uint64_t grain_;
  std::uint32_t units_;
};

}  // namespace filch

#endif  // FILCH_POOL_PROPORTIONAL_CUT_H_
