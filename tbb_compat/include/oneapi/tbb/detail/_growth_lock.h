// GrowthLock: the lock under which a container of the facade becomes larger.
//
// A few for all containers: no child of fork() finds one locked, because fork() takes them. A
// thread may hold anything else when it comes, and neither takes memory nor runs any code of the
// program under it.
//
// Any thread.
// Memory ordering: std::mutex's.
#ifndef FILCH_TBB_COMPAT_DETAIL_GROWTH_LOCK_H_
#define FILCH_TBB_COMPAT_DETAIL_GROWTH_LOCK_H_

#include <mutex>

#include "_config.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace r1 {

// The same one for the same container; others may have it, too.
std::mutex& GrowthLock(const void* container);

}  // namespace r1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_GROWTH_LOCK_H_
