// What a Range is: a piece of work that can be cut in two until it should not.
//
// The split policies and RunSplit work on any type that models it; for plain
// indices, IndexRange does, and StealingRangePartitioner is faster.
//
// A Range R has
//   R(const R&)            copying, as for any value
//   ~R()
//   bool R::empty() const          nothing to do
//   bool R::is_divisible() const   may be cut in two pieces, neither empty
//   R::R(R& r, Split)              cuts r: the new range is its second part, r
//                                  keeps the first
// and, if it can,
//   R::R(R& r, ProportionalSplit p)  the same, r keeping p.left parts of
//                                    p.left + p.right
// A type that cannot be changed (or spells the tags differently) is described by
// a specialization of RangeTraits.
//
// Plain data: any thread, one at a time.
#ifndef FILCH_PARTITIONER_DIVISIBLE_RANGE_H_
#define FILCH_PARTITIONER_DIVISIBLE_RANGE_H_

#include <cstdint>
#include <type_traits>
#include <utility>

namespace filch {

// Asks a constructor to cut a range in halves.
struct Split {};

// Asks a constructor to cut a range in the proportion left : right, neither 0.
struct ProportionalSplit {
  std::uint32_t left;
  std::uint32_t right;
};

namespace partitioner_internal {

template <typename R, typename = void>
struct HasEmpty : std::false_type {};
template <typename R>
struct HasEmpty<R, std::void_t<decltype(bool(std::declval<const R&>().empty()))>> : std::true_type {
};

template <typename R, typename = void>
struct HasIsDivisible : std::false_type {};
template <typename R>
struct HasIsDivisible<R, std::void_t<decltype(bool(std::declval<const R&>().is_divisible()))>>
    : std::true_type {};

}  // namespace partitioner_internal

// How the split loop handles ranges of type R.
template <typename R>
struct RangeTraits {
  static_assert(std::is_copy_constructible<R>::value,
                "filch: a Range must be copyable: R(const R&).");
  static_assert(std::is_destructible<R>::value, "filch: a Range must be destructible.");
  static_assert(partitioner_internal::HasEmpty<R>::value,
                "filch: a Range needs a member `bool empty() const`.");
  static_assert(partitioner_internal::HasIsDivisible<R>::value,
                "filch: a Range needs a member `bool is_divisible() const`.");
  static_assert(std::is_constructible<R, R&, Split>::value,
                "filch: a Range needs a splitting constructor R(R& whole, filch::Split) that "
                "makes the second part and leaves the first in `whole`.");

  static bool IsEmpty(const R& range) { return static_cast<bool>(range.empty()); }
  static bool IsDivisible(const R& range) { return static_cast<bool>(range.is_divisible()); }

  // Cuts the second half off.
  static R CutHalf(R* range) { return R(*range, Split{}); }

  // Cuts the second part off in the given proportion, or in halves if R cannot.
  static R CutPart(R* range, ProportionalSplit proportion) {
    if constexpr (std::is_constructible<R, R&, ProportionalSplit>::value) {
      return R(*range, proportion);
    } else {
      return CutHalf(range);
    }
  }
};

}  // namespace filch

#endif  // FILCH_PARTITIONER_DIVISIBLE_RANGE_H_
