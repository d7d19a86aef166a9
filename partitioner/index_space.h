// IndexSpace: maps the units 0, 1, 2, ... of a loop to the indices that the
// user asked for.
//
// Any integral index type up to 64 bits, any bounds, negative ones and the
// limits of the type included.  A unit stands for `grain` indices in a row; the
// last unit may be shorter.  If the space has more units than fit 32 bits, the
// grain is raised until it fits.
//
// Plain data, no synchronization: any thread.
//
//   IndexSpace<int> space(-3, 4, /*grain=*/2);
//   space.units();             // 4
//   space.Indices({1, 4});     // -1 .. 3, that is [-1, 4)
#ifndef FILCH_PARTITIONER_INDEX_SPACE_H_
#define FILCH_PARTITIONER_INDEX_SPACE_H_

#include <cstdint>
#include <type_traits>

#include "filch/partitioner/unit_interval.h"
#include "filch/topology/contract.h"

namespace filch {

// The indices begin, begin + 1, ..., end - 1.
template <typename Index>
struct IndexInterval {
  Index begin{};
  Index end{};

  constexpr bool empty() const { return !(begin < end); }
};

template <typename Index>
class IndexSpace {
  static_assert(std::is_integral<Index>::value && !std::is_same<Index, bool>::value &&
                    sizeof(Index) <= sizeof(std::uint64_t),
                "filch::IndexSpace: an index is an integer of at most 64 bits; for iterators, use "
                "their distance from the first one as index.");

 public:
  // The indices begin, ..., end - 1, none if end <= begin, `grain` (at least 1)
  // to a unit.
  constexpr IndexSpace(Index begin, Index end, std::uint64_t grain = 1)
      : base_(static_cast<std::uint64_t>(begin)),
        // Modulo 2^64 the difference is right for every type and sign.
        size_(begin < end ? static_cast<std::uint64_t>(end) - base_ : 0),
        grain_(grain) {
    if (grain == 0) Fail("filch::IndexSpace: the grain is 0.");
    const std::uint64_t smallest = Quotient(size_, kMaxUnits);
    if (grain_ < smallest) grain_ = smallest;
    units_ = static_cast<std::uint32_t>(Quotient(size_, grain_));
  }

  // The number of units.
  constexpr std::uint32_t units() const { return units_; }

  // The number of indices; 64 bits hold it for every type.
  constexpr std::uint64_t size() const { return size_; }

  // How many indices a unit stands for (the last one perhaps fewer).
  constexpr std::uint64_t grain() const { return grain_; }

  // The indices of `units`, which must lie in [0, units()].
  constexpr IndexInterval<Index> Indices(UnitInterval units) const {
    return {AtOffset(OffsetOf(units.begin)), AtOffset(OffsetOf(units.end))};
  }

  // The first unit none of whose indices precedes `index`, which lies in the
  // space or is its end.
  constexpr std::uint32_t FirstUnitFrom(Index index) const {
    return static_cast<std::uint32_t>(Quotient(static_cast<std::uint64_t>(index) - base_, grain_));
  }

  static constexpr std::uint64_t kMaxUnits = UINT32_MAX;

 private:
  // Rounded up, and without the overflow of (a + b - 1) / b.
  static constexpr std::uint64_t Quotient(std::uint64_t a, std::uint64_t b) {
    return a / b + (a % b != 0 ? 1 : 0);
  }

  // unit * grain_ cannot overflow for a unit that begins inside the space.
  constexpr std::uint64_t OffsetOf(std::uint32_t unit) const {
    return unit < units_ ? unit * grain_ : size_;
  }

  constexpr Index AtOffset(std::uint64_t offset) const {
    return static_cast<Index>(base_ + offset);
  }

  std::uint64_t base_;
  std::uint64_t size_;
  std::uint64_t grain_;
  // Kept, because a division is longer than a claim.
  std::uint32_t units_ = 0;
};

}  // namespace filch

#endif  // FILCH_PARTITIONER_INDEX_SPACE_H_
