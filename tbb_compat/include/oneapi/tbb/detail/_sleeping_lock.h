// SleepingLock and SleepingRwLock: the pool's, by the names of this folder.
//
// What the mutexes of TBB are made of, the "spinning" ones as well.
#ifndef FILCH_TBB_COMPAT_DETAIL_SLEEPING_LOCK_H_
#define FILCH_TBB_COMPAT_DETAIL_SLEEPING_LOCK_H_

#include "_config.h"
#include "filch/pool/sleeping_lock.h"
#include "filch/pool/sleeping_rw_lock.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

using SleepingLock = filch::pool_internal::SleepingLock;
using SleepingRwLock = filch::pool_internal::SleepingRwLock;

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_SLEEPING_LOCK_H_
