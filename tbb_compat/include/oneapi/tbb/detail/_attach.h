// attach: asks for what there is already instead of something new.
#ifndef FILCH_TBB_COMPAT_DETAIL_ATTACH_H_
#define FILCH_TBB_COMPAT_DETAIL_ATTACH_H_

#include "_config.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// For task_arena: the arena in which the calling thread is. For
// task_scheduler_handle: the scheduler.
struct attach {};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::attach;
}  // namespace v1
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_ATTACH_H_
