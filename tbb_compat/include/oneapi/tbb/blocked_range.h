// blocked_range<Value>: the half-open range [begin, end) with a grain size.
//
// Value is an integer, a random-access iterator, or any type with copy, `<`,
// `Value - Value` (convertible to std::size_t) and `Value + std::size_t`.  A
// range is a value: each thread has its own, so nothing here synchronizes.  It
// may be cut while it holds more items than its grain size.  For two or three
// dimensions use blocked_range2d and blocked_range3d.
//
//   tbb::blocked_range<int> all(0, n);
//   tbb::blocked_range<int> right(all, tbb::split());   // all keeps the left half
#ifndef FILCH_TBB_COMPAT_BLOCKED_RANGE_H_
#define FILCH_TBB_COMPAT_BLOCKED_RANGE_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

#include "detail/_assert.h"
#include "detail/_concepts.h"
#include "detail/_config.h"
#include "detail/_range_common.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// Whether Value is an iterator, which counts in a type of its own.
template <typename Value, typename = void>
inline constexpr bool HasDifferenceType = false;
template <typename Value>
inline constexpr bool
    HasDifferenceType<Value, std::void_t<typename std::iterator_traits<Value>::difference_type>> =
        true;

// Whether a number may be added to a Value.
template <typename Value, typename = void>
inline constexpr bool TakesSize = false;
template <typename Value>
inline constexpr bool TakesSize<
    Value, std::void_t<decltype(std::declval<const Value&>() + std::declval<std::size_t&>())>> =
    true;

// Whether a Value is an integer that std::size_t holds modulo its own size: sums and distances
// may be computed there, where they are defined for every sign. __int128, which is an integer
// to the standard library where the language has extensions (-std=gnu++17), is none of these.
template <typename Value>
inline constexpr bool CountsInSize = std::is_integral_v<Value> &&
                                     sizeof(Value) <= sizeof(std::size_t);

// Whether a range may be cut between two items, and with oneTBB is.
template <typename Value>
inline constexpr bool IsFractional = std::is_floating_point_v<Value>;

// Whether the size of a range leads from its begin to its end. That of double is rounded down.
template <typename Value>
inline constexpr bool EndsAtSize = std::is_integral_v<Value> || HasDifferenceType<Value>;

template <typename Value>
__TBB_requires(blocked_range_value<Value>)
class blocked_range {
 public:
  // What TBB 2020 asks a range; here its constructors tell.
  static constexpr bool is_splittable_in_proportion = true;

  using const_iterator = Value;
  using size_type = std::size_t;

  // Covers [begin, end), empty where end is not above begin.
  blocked_range(Value begin, Value end, size_type grainsize = 1)
      : end_(end), begin_(begin), grainsize_(grainsize) {
    __TBB_ASSERT(grainsize_ > 0, "the grain size of a blocked_range must be positive");
  }

  // Takes the right half of `rest`, which must be divisible.
  blocked_range(blocked_range& rest, split) : blocked_range(rest, rest.Middle()) {}

  // Takes the right part of `rest` in the given proportion.
  blocked_range(blocked_range& rest, proportional_split& ratio)
      : blocked_range(rest, rest.ItemFromEnd(d1::ProportionalRightPart(rest.size(), ratio))) {}

  const_iterator begin() const { return begin_; }
  const_iterator end() const { return end_; }
  size_type grainsize() const { return grainsize_; }
  bool empty() const { return !(begin_ < end_); }
  bool is_divisible() const {
    if constexpr (IsFractional<Value>) {
      // Between two neighbouring values there is nothing.
      return grainsize_ < size() && begin_ < Middle() && Middle() < end_;
    } else {
      return grainsize_ < size();
    }
  }

  // The items `from` up to `to` of this range, counted from its begin, and what is behind the
  // last item, if `to` is not below the size.
  blocked_range part(size_type from, size_type to) const {
    if constexpr (EndsAtSize<Value>) {
      return blocked_range(Item(from), Item(to), grainsize_);
    } else {
      return blocked_range(Item(from), to < size() ? Item(to) : end_, grainsize_);
    }
  }

  // Requires that end() is not below begin().
  size_type size() const {
    __TBB_ASSERT(!(end_ < begin_), "size() of a blocked_range whose end is below its begin");
    if constexpr (CountsInSize<Value>) {
      // Unsigned, because the distance of two ints need not be an int.
      return static_cast<size_type>(end_) - static_cast<size_type>(begin_);
    } else {
      return static_cast<size_type>(end_ - begin_);
    }
  }

 private:
  // Cuts `rest` at `middle`.
  blocked_range(blocked_range& rest, const Value& middle)
      : end_(rest.end_), begin_(middle), grainsize_(rest.grainsize_) {
    __TBB_ASSERT(rest.is_divisible(), "a blocked_range no larger than its grain was split");
    rest.end_ = middle;
  }

  // The value `count` behind the begin, and not behind the end.
  Value Item(size_type count) const {
    if constexpr (CountsInSize<Value>) {
      return static_cast<Value>(static_cast<size_type>(begin_) + count);
    } else if constexpr (HasDifferenceType<Value>) {
      using Distance = typename std::iterator_traits<Value>::difference_type;
      return static_cast<Value>(begin_ + static_cast<Distance>(count));
    } else if constexpr (IsFractional<Value>) {
      return begin_ + static_cast<Value>(count);
    } else if constexpr (TakesSize<Value>) {
      return static_cast<Value>(begin_ + count);
    } else {
      return ItemBySteps(count);
    }
  }
  Value ItemFromEnd(size_type count) const {
    if constexpr (IsFractional<Value>) {
      return end_ - static_cast<Value>(count);
    } else {
      return Item(size() - count);
    }
  }
  Value Middle() const {
    if constexpr (IsFractional<Value>) {
      return begin_ + (end_ - begin_) / 2;
    } else {
      return Item(size() / 2);
    }
  }
  // Of values that only take differences of others, which can be halved, as in oneTBB, and
  // not be made of a number: each half is taken while it does not lead too far.
  Value ItemBySteps(size_type count) const {
    Value item = begin_;
    for (auto step = end_ - begin_; count > 0; step = step / 2u) {
      for (const auto size = static_cast<size_type>(step); count >= size; count -= size) {
        item = static_cast<Value>(item + step);
      }
    }
    return item;
  }

  Value end_;
  Value begin_;
  size_type grainsize_;
};

template <typename Value>
inline constexpr bool Halves<blocked_range<Value>> = true;

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::blocked_range;
}  // namespace v1
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_BLOCKED_RANGE_H_
