// spin_mutex: a small lock for one thread, for the shortest of sections.
//
// It is also a mutex of the standard library. Any thread.
//
//   tbb::spin_mutex::scoped_lock lock(mutex);
#ifndef FILCH_TBB_COMPAT_SPIN_MUTEX_H_
#define FILCH_TBB_COMPAT_SPIN_MUTEX_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include "detail/_config.h"
#include "detail/_scoped_lock.h"
#include "detail/_sleeping_lock.h"
#include "profiling.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

class spin_mutex : public SleepingLock {
 public:
  using scoped_lock = unique_scoped_lock<spin_mutex>;

  static constexpr bool is_rw_mutex = false;
  static constexpr bool is_recursive_mutex = false;
  static constexpr bool is_fair_mutex = false;
};

// The same: no transactional memory is used.
using speculative_spin_mutex = spin_mutex;

inline void set_name(spin_mutex&, const char*) {}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::speculative_spin_mutex;
using detail::d1::spin_mutex;
}  // namespace v1
namespace profiling {
using detail::d1::set_name;
}  // namespace profiling
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_SPIN_MUTEX_H_
