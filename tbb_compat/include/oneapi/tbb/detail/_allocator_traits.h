// allocator_traits of the standard library under oneTBB's name.
#ifndef FILCH_TBB_COMPAT_DETAIL_ALLOCATOR_TRAITS_H_
#define FILCH_TBB_COMPAT_DETAIL_ALLOCATOR_TRAITS_H_

#include <memory>

#include "_config.h"
#include "_template_helpers.h"  // comes along

namespace tbb {
namespace detail {
inline namespace filch_1 {
inline namespace d0 {
using std::allocator_traits;
}  // namespace d0
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_ALLOCATOR_TRAITS_H_
