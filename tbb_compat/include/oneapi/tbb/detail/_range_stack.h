// RangeStack: the partitioner layer's, for ranges that are cut by their constructors with a
// tbb::split.
#ifndef FILCH_TBB_COMPAT_DETAIL_RANGE_STACK_H_
#define FILCH_TBB_COMPAT_DETAIL_RANGE_STACK_H_

#include "_config.h"
#include "_range_common.h"
#include "filch/partitioner/range_stack.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

template <typename Range>
struct CutsBySplit {
  static bool IsDivisible(Range& range) { return static_cast<bool>(range.is_divisible()); }
  static Range CutHalf(Range* range) { return Range(*range, split()); }
};

template <typename Range, unsigned kPieces>
using RangeStack = filch::partitioner_internal::RangeStack<Range, kPieces, CutsBySplit<Range>>;

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_RANGE_STACK_H_
