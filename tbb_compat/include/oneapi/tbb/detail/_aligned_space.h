// aligned_space under the name that it has in oneTBB's detail namespace; ../aligned_space.h says
// what it is.
#ifndef FILCH_TBB_COMPAT_DETAIL_ALIGNED_SPACE_H_
#define FILCH_TBB_COMPAT_DETAIL_ALIGNED_SPACE_H_

#include "../aligned_space.h"
#include "_config.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
inline namespace d0 {
using tbb::aligned_space;
}  // namespace d0
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_ALIGNED_SPACE_H_
