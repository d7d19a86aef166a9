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

#include <cstdint>

#include "filch/partitioner/unit_interval.h"

namespace filch {

// How many of `size` items the right part gets if they are shared as left : right, which are not
// both 0: the nearest integer, or what float makes of it, which is off by some ten-millionths.  Of
// two items or more both parts get one.
std::uint64_t ProportionalRight(std::uint64_t size, std::uint64_t left, std::uint64_t right);

// The interval [0, size) cut so.  What is no larger than a grain is not cut.
//
// Where it is cut is compiled once, and not into each loop beside what that does with a part.
class ProportionalCut {
 public:
  // 1 <= size; one unit for each of `threads`, or fewer.
  ProportionalCut(std::uint64_t size, std::uint64_t grain, std::uint32_t threads);

  std::uint32_t units() const { return units_; }

  // Calls f(begin, end) for each of these units, in their order.
  template <typename F>
  void ForParts(UnitInterval units, F&& f) const {
    for (std::uint32_t unit = units.begin; unit != units.end; ++unit) Call(f, PartOf(unit));
  }

 private:
  // What so many threads share.
  struct Part {
    Part Right() const;
    Part LeftOf(const Part& right) const {
      return {begin, size - right.size, threads - right.threads};
    }

    std::uint64_t begin;
    std::uint64_t size;
    std::uint32_t threads;
  };

  // Apart, as what f does is a loop: within another one compilers have fewer registers for it.
  template <typename F>
  __attribute__((noinline)) static void Call(F& f, const Part& part) {
    f(part.begin, part.begin + part.size);
  }

  bool IsCut(const Part& part) const { return part.threads > 1 && part.size > grain_; }
  std::uint32_t UnitsOf(const Part& part) const;
  Part PartOf(std::uint32_t unit) const;

  // No more than that: the threads of a loop wait for each cache line of it.
  std::uint64_t size_;
  std::uint64_t grain_;
  std::uint32_t threads_;
  std::uint32_t units_;
};

}  // namespace filch

#endif  // FILCH_POOL_PROPORTIONAL_CUT_H_
