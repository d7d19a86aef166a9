// blocked_nd_range<Value, N>: a box of N dimensions of one value type, cut
// where it is longest.
//
// Each dimension is a blocked_range with its own grain size.  A split cuts the
// dimension that holds the most grains, the first of equals; the box is
// divisible while one of them is.  A value like blocked_range: nothing here
// synchronizes.  For two or three dimensions blocked_range2d and
// blocked_range3d also allow different value types.
//
//   tbb::blocked_nd_range<int, 4> box({0, 8}, {0, 8}, {0, 100, 10}, {0, 100, 10});
#ifndef FILCH_TBB_COMPAT_BLOCKED_ND_RANGE_H_
#define FILCH_TBB_COMPAT_BLOCKED_ND_RANGE_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "blocked_range.h"
#include "blocked_range2d.h"
#include "detail/_assert.h"
#include "detail/_concepts.h"
#include "detail/_config.h"
#include "detail/_range_common.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// Repeats T for each index, so that a constructor can take N arguments of it.
template <typename T, std::size_t>
using Repeated = T;

template <typename Value, unsigned int N, typename = std::make_index_sequence<N>>
class BlockedNdRange;

template <typename Value, unsigned int N, std::size_t... Is>
class BlockedNdRange<Value, N, std::index_sequence<Is...>> {
 public:
  using value_type = Value;
  using dim_range_type = blocked_range<Value>;
  using size_type = typename dim_range_type::size_type;

  BlockedNdRange(const Repeated<dim_range_type, Is>&... dims) : dims_{{dims...}} {}

  // Dimension i covers [0, sizes[i]).
  BlockedNdRange(const Value (&sizes)[N], size_type grainsize = 1)
      : dims_{{dim_range_type(0, sizes[Is], grainsize)...}} {}

  // Takes the right half of the dimension of `rest` that is longest in grains.
  BlockedNdRange(BlockedNdRange& rest, split) : BlockedNdRange(rest) {
    split half;
    Cut(rest, half);
  }

  // The same, in the given proportion.
  BlockedNdRange(BlockedNdRange& rest, proportional_split ratio) : BlockedNdRange(rest) {
    Cut(rest, ratio);
  }

  BlockedNdRange(const BlockedNdRange&) = default;
  BlockedNdRange& operator=(const BlockedNdRange&) = default;

  static constexpr unsigned int dim_count() { return N; }
  // Its name until 2021.
  static constexpr unsigned int ndims() { return N; }

  const dim_range_type& dim(unsigned int dimension) const {
    __TBB_ASSERT(dimension < N, "blocked_nd_range::dim: there is no such dimension");
    return dims_[dimension];
  }

  bool empty() const { return (dims_[Is].empty() || ...); }
  bool is_divisible() const { return (dims_[Is].is_divisible() || ...); }

 private:
  template <typename Split>
  void Cut(BlockedNdRange& rest, Split& how) {
    std::size_t longest = 0;
    for (std::size_t i = 1; i < N; ++i) {
      if (d1::HoldsFewerGrains(dims_[longest], dims_[i])) longest = i;
    }
    dims_[longest] = dim_range_type(rest.dims_[longest], how);
  }

  std::array<dim_range_type, N> dims_;
};

template <typename Value, unsigned int N>
__TBB_requires(blocked_range_value<Value>)
class blocked_nd_range : public BlockedNdRange<Value, N> {
 public:
  static_assert(N > 0, "a blocked_nd_range needs at least one dimension");
  using BlockedNdRange<Value, N>::BlockedNdRange;

  blocked_nd_range(const blocked_nd_range&) = default;
  blocked_nd_range& operator=(const blocked_nd_range&) = default;
  blocked_nd_range(blocked_nd_range& rest, split tag) : BlockedNdRange<Value, N>(rest, tag) {}
  blocked_nd_range(blocked_nd_range& rest, proportional_split ratio)
      : BlockedNdRange<Value, N>(rest, ratio) {}
};

// From ranges, also in braces without their type, and from an array of sizes.
template <typename Value, typename... Values>
blocked_nd_range(blocked_range<Value>, blocked_range<Values>...)
    -> blocked_nd_range<Value, 1 + sizeof...(Values)>;

template <typename Value, unsigned int... Ns,
          typename = std::enable_if_t<((Ns == 2 || Ns == 3) && ...)>>
blocked_nd_range(const Value (&... dims)[Ns]) -> blocked_nd_range<Value, sizeof...(Ns)>;

template <typename Value, unsigned int N>
blocked_nd_range(const Value (&sizes)[N], std::size_t grainsize = 1) -> blocked_nd_range<Value, N>;

template <typename Value, unsigned int N>
blocked_nd_range(blocked_nd_range<Value, N>, split) -> blocked_nd_range<Value, N>;

template <typename Value, unsigned int N>
blocked_nd_range(blocked_nd_range<Value, N>, proportional_split) -> blocked_nd_range<Value, N>;

template <typename Value, unsigned int N>
inline constexpr bool Halves<blocked_nd_range<Value, N>> = true;

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::blocked_nd_range;
}  // namespace v1
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_BLOCKED_ND_RANGE_H_
