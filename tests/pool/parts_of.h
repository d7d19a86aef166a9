// PartsOf: what a cut of an interval makes of it.
#ifndef FILCH_TESTS_POOL_PARTS_OF_H_
#define FILCH_TESTS_POOL_PARTS_OF_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "filch/partitioner/unit_interval.h"

namespace filch {

// The begin and the end of each.
using Parts = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

// Those that are these units.
template <typename Cut>
Parts PartsOf(const Cut& cut, UnitInterval units) {
  Parts parts;
  cut.ForParts(units, [&](std::uint64_t from, std::uint64_t to) { parts.emplace_back(from, to); });
  return parts;
}
// All.
template <typename Cut>
Parts PartsOf(const Cut& cut) {
  return PartsOf(cut, {0, cut.units()});
}

}  // namespace filch

#endif  // FILCH_TESTS_POOL_PARTS_OF_H_
