// HalvedCut: an interval of up to 2^64 indices as the parts that are left when whatever is
// larger than a grain is halved.
//
// What recursive splitting makes of a range, for programs that count its parts or
// remember where they begin: of an odd part the right half is the larger one.
//
// A value; any thread.
#ifndef FILCH_POOL_HALVED_CUT_H_
#define FILCH_POOL_HALVED_CUT_H_

#include <algorithm>
#include <array>
#include <cstdint>

#include "filch/partitioner/unit_interval.h"

namespace filch {

// The interval [0, size) cut so; its parts are the units of a loop.
class HalvedCut {
 public:
  // 1 <= size.  The grain is larger if there would be more than 2^31 parts.
  constexpr HalvedCut(std::uint64_t size, std::uint64_t grain)
      : size_(size),
        grain_(std::max({grain, std::uint64_t{1}, (size - 1) / kMost + 1})),
        units_(static_cast<std::uint32_t>(Parts(size, grain_))) {}

  constexpr std::uint32_t units() const { return units_; }

  // Calls f(begin, end) for each of these units, in their order.
  template <typename F>
  void ForParts(UnitInterval units, F&& f) const {
    Walk walk(*this, units.begin);
    for (std::uint32_t left = units.size(); left != 0; --left) {
      f(walk.begin(), walk.end());
      walk.Advance();
    }
  }

 private:
  static constexpr std::uint64_t kMost = std::uint64_t{1} << 31;

  // How many parts an interval is cut into.
  static constexpr std::uint64_t Parts(std::uint64_t size, std::uint64_t grain) {
    if (grain == 1 || size <= grain) return grain == 1 ? size : 1;
    // All of the tree's levels but the last are full, and the sizes in a level differ by at
    // most one.
    const int last = Bits(size) - Bits(grain);
    const int full = last + (size >> last > grain ? 1 : 0);
    const std::uint64_t parts = std::uint64_t{1} << full;
    const bool some_are_halved = size >> full == grain;
    return parts + (some_are_halved ? size & (parts - 1) : 0);
  }

  static constexpr int Bits(std::uint64_t positive) { return 64 - __builtin_clzll(positive); }

  // From one part to the next.
  class Walk {
   public:
    Walk(const HalvedCut& cut, std::uint32_t unit) : grain_(cut.grain_), end_(cut.size_) {
      if (grain_ == 1) {
        begin_ = unit;
        end_ = begin_ + 1;
        return;
      }
      std::uint64_t before = unit;  // of the parts of [begin_, end_)
      while (end_ - begin_ > grain_) {
        const std::uint64_t middle = Middle();
        const std::uint64_t in_left_half = Parts(middle - begin_, grain_);
        if (before < in_left_half) {
          EnterLeftHalf(middle);
        } else {
          before -= in_left_half;
          begin_ = middle;
        }
      }
    }

    std::uint64_t begin() const { return begin_; }
    std::uint64_t end() const { return end_; }

    void Advance() {
      begin_ = end_;
      if (grain_ == 1) {
        ++end_;
        return;
      }
      if (right_halves_ == 0) return;  // that was the last one
      end_ = ends_[--right_halves_];
      while (end_ - begin_ > grain_) EnterLeftHalf(Middle());
    }

   private:
    std::uint64_t Middle() const { return begin_ + (end_ - begin_) / 2; }
    void EnterLeftHalf(std::uint64_t middle) {
      ends_[right_halves_++] = end_;
      end_ = middle;
    }

    const std::uint64_t grain_;
    std::uint64_t begin_ = 0;
    std::uint64_t end_;
    // Where the right halves end that are still to come.
    std::uint32_t right_halves_ = 0;
    std::array<std::uint64_t, 64> ends_;  // one a level, written before it is read
  };

  std::uint64_t size_;
  std::uint64_t grain_;
  std::uint32_t units_;
};

}  // namespace filch

#endif  // FILCH_POOL_HALVED_CUT_H_
