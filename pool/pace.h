// Pace: how long some units of a loop took, and by that how long others will.
//
// A value without a clock; times are ticks.  No result overflows, whatever the numbers.
//
//   const Pace pace{64, elapsed};
//   if (pace.TimeOf(remaining) > worth) ...
#ifndef FILCH_POOL_PACE_H_
#define FILCH_POOL_PACE_H_

#include <algorithm>
#include <cstdint>

namespace filch {
namespace pool_internal {

struct Pace {
  std::uint32_t units;  // at least one
  std::uint64_t elapsed;

  // How long so many units take.
  constexpr std::uint64_t TimeOf(std::uint32_t others) const {
    // Two seconds are for ever, and times a number of units they still fit.
    constexpr std::uint64_t kForever = std::uint64_t{1} << 31;
    return std::min(elapsed, kForever) * others / units;
  }

  // How many units fit into `ticks`, less than 2^32.
  constexpr std::uint64_t UnitsIn(std::uint64_t ticks) const {
    return units * ticks / std::max<std::uint64_t>(elapsed, 1);
  }
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_PACE_H_
