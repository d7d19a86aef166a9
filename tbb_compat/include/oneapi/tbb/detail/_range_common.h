// split and proportional_split: the tags by which a Range or a body is cut.
//
// A Range has at least the constructor R(R& rest, split); one that also has
// R(R& rest, proportional_split&) can be cut into unequal parts, which the
// static and the affinity partitioner use.  Any thread.
//
//   Range right(left, tbb::split());
#ifndef FILCH_TBB_COMPAT_DETAIL_RANGE_COMMON_H_
#define FILCH_TBB_COMPAT_DETAIL_RANGE_COMMON_H_

#include <cstddef>
#include <type_traits>

#include "_config.h"
#include "filch/pool/proportional_cut.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
inline namespace d0 {

class split {};

// Asks for two parts whose sizes are as left() : right(); the new object is the
// right part.
class proportional_split {
 public:
  proportional_split(std::size_t left = 1, std::size_t right = 1) : left_(left), right_(right) {}
  proportional_split(const proportional_split&) = default;
  proportional_split& operator=(const proportional_split&) = delete;

  std::size_t left() const { return left_; }
  std::size_t right() const { return right_; }

  // For a Range that knows only the plain constructor.
  explicit operator split() const { return split(); }

 private:
  std::size_t left_;
  std::size_t right_;
};

// How many of `size` items form the right part, as many as with oneTBB.  Both parts get an
// item when there are two, which keeps a partitioner from running a body on nothing.
inline std::size_t ProportionalRightPart(std::size_t size, const proportional_split& ratio) {
  return filch::ProportionalRight(size, ratio.left(), ratio.right());
}

}  // namespace d0

namespace d1 {

// Whether each cut of a Range halves it, or nearly so.
template <typename Range>
inline constexpr bool Halves = false;

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::proportional_split;
using detail::split;
}  // namespace v1
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_RANGE_COMMON_H_
