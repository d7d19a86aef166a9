// blocked_rangeNd: blocked_nd_range under the name that it had as a preview.
//
//   tbb::parallel_for(tbb::blocked_rangeNd<int, 2>({0, rows}, {0, columns}), fill);
#ifndef FILCH_TBB_COMPAT_BLOCKED_RANGEND_H_
#define FILCH_TBB_COMPAT_BLOCKED_RANGEND_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <algorithm>  // comes along

#include "blocked_nd_range.h"
#include "detail/_concepts.h"
#include "detail/_config.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

template <typename Value, unsigned int N>
__TBB_requires(blocked_range_value<Value>)
using blocked_rangeNd = blocked_nd_range<Value, N>;

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::blocked_rangeNd;
}  // namespace v1
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_BLOCKED_RANGEND_H_
