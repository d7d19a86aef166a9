// UnitInterval: a half-open interval of units, and the ways to cut it.
//
// A unit is what a loop hands out: one index, or `grain` indices in a row.  A
// loop numbers its units from 0 and maps them to its own indices with an
// IndexSpace, so neither negative indices nor the limits of the index type ever
// reach the code that cuts.
//
// Use it for what is in hand; for an interval that threads share, use
// StealingRange.  It is plain data: any thread, no synchronization.
//
//   UnitInterval mine{0, 7};
//   UnitInterval theirs = TakeUpper(&mine, mine.size() / 2);  // {4, 7}
#ifndef FILCH_PARTITIONER_UNIT_INTERVAL_H_
#define FILCH_PARTITIONER_UNIT_INTERVAL_H_

#include <cstdint>

namespace filch {

// The units begin, begin + 1, ..., end - 1; none if end <= begin.
struct UnitInterval {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  constexpr bool empty() const { return end <= begin; }
  constexpr std::uint32_t size() const { return empty() ? 0 : end - begin; }

  friend constexpr bool operator==(UnitInterval a, UnitInterval b) {
    return a.begin == b.begin && a.end == b.end;
  }
  friend constexpr bool operator!=(UnitInterval a, UnitInterval b) { return !(a == b); }
};

// Cuts `count` units (at most all of them) off the low end of *units and
// returns them.
constexpr UnitInterval TakeLower(UnitInterval* units, std::uint32_t count) {
  const std::uint32_t size = units->size();
  const std::uint32_t cut = units->begin + (count < size ? count : size);
  const UnitInterval lower{units->begin, cut};
  units->begin = cut;
  return lower;
}

// Cuts `count` units (at most all of them) off the high end of *units and
// returns them.
constexpr UnitInterval TakeUpper(UnitInterval* units, std::uint32_t count) {
  const std::uint32_t size = units->size();
  const std::uint32_t cut = units->begin + (count < size ? size - count : 0);
  const UnitInterval upper{cut, cut + (count < size ? count : size)};
  units->end = cut;
  return upper;
}

// The share of part number `part` (0 <= part < parts) when the units
// 0 ... units - 1 are dealt out evenly: the shares follow each other, cover
// everything and differ by at most one unit.
constexpr UnitInterval EvenShare(std::uint32_t units, std::uint32_t part, std::uint32_t parts) {
  // Products of two 32-bit numbers fit 64 bits.
  return {static_cast<std::uint32_t>(std::uint64_t{units} * part / parts),
          static_cast<std::uint32_t>(std::uint64_t{units} * (std::uint64_t{part} + 1) / parts)};
}
// The same of an interval's units.
constexpr UnitInterval EvenShare(UnitInterval units, std::uint32_t part, std::uint32_t parts) {
  const UnitInterval share = EvenShare(units.size(), part, parts);
  return {units.begin + share.begin, units.begin + share.end};
}

}  // namespace filch

#endif  // FILCH_PARTITIONER_UNIT_INTERVAL_H_
