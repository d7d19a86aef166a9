// IndexRange: the indices begin ... end - 1 as a Range (see divisible_range.h).
//
// Use it with the split policies; to hand indices to threads, use
// StealingRangePartitioner.  Plain data: any thread, one at a time.
//
// Guaranteed: cuts neither lose nor repeat an index, at any limit of the type;
// no piece has fewer than half of `grain` indices, if the whole has that many.
//
//   IndexRange<int> left(0, 100, /*grain=*/10);
//   IndexRange<int> right(left, Split{});  // 50 .. 99; left keeps 0 .. 49
#ifndef FILCH_PARTITIONER_INDEX_RANGE_H_
#define FILCH_PARTITIONER_INDEX_RANGE_H_

#include <cstdint>
#include <type_traits>

#include "filch/partitioner/divisible_range.h"
#include "filch/topology/contract.h"

namespace filch {

template <typename Index>
class IndexRange {
  static_assert(std::is_integral<Index>::value && !std::is_same<Index, bool>::value,
                "filch::IndexRange: an index is an integer; for iterators, use their distance "
                "from the first one as index.");

 public:
  // Divisible while it has more than `grain` (at least 1) indices; empty if end
  // <= begin.
  constexpr IndexRange(Index begin, Index end, std::uint64_t grain = 1)
      : begin_(begin), end_(begin < end ? end : begin), grain_(grain) {
    if (grain == 0) Fail("filch::IndexRange: the grain is 0.");
  }

  constexpr IndexRange(IndexRange& whole, Split) : IndexRange(whole, ProportionalSplit{1, 1}) {}

  constexpr IndexRange(IndexRange& whole, ProportionalSplit proportion)
      : begin_(whole.Cut(proportion)), end_(whole.end_), grain_(whole.grain_) {
    whole.end_ = begin_;
  }

  constexpr Index begin() const { return begin_; }
  constexpr Index end() const { return end_; }
  constexpr std::uint64_t grain() const { return grain_; }
  constexpr bool empty() const { return begin_ == end_; }
  constexpr bool is_divisible() const { return size() > grain_; }

  // 64 bits hold it for every type.
  constexpr std::uint64_t size() const {
    return static_cast<std::uint64_t>(end_) - static_cast<std::uint64_t>(begin_);
  }

 private:
  // Where the second part begins: at least one index stays on either side, and of
  // a range that is divisible, half a grain.
  constexpr Index Cut(ProportionalSplit proportion) const {
    if (!is_divisible()) Fail("filch::IndexRange: a range that is not divisible was cut.");
    std::uint64_t left_parts = proportion.left;
    std::uint64_t parts = left_parts + proportion.right;
    if (parts > UINT32_MAX) {
      parts /= 2;
      left_parts /= 2;
    }
    // n * left_parts / parts; every product fits 64 bits, because parts fit 32.
    const std::uint64_t n = size();
    std::uint64_t left = n / parts * left_parts + n % parts * left_parts / parts;
    // A proportion can be lopsided; a sliver is not worth a task.
    const std::uint64_t least = grain_ / 2 == 0 ? 1 : grain_ / 2;
    if (left < least) left = least;
    if (n - left < least) left = n - least;
    return static_cast<Index>(static_cast<std::uint64_t>(begin_) + left);
  }

  Index begin_;
  Index end_;
  std::uint64_t grain_;
};

}  // namespace filch

#endif  // FILCH_PARTITIONER_INDEX_RANGE_H_
