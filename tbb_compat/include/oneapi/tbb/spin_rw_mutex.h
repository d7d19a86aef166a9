// spin_rw_mutex: a small lock for one writer or many readers, for the shortest of
// sections.
//
// It is also a mutex of the standard library, a shared one. Any thread.
//
//   tbb::spin_rw_mutex::scoped_lock lock(mutex, /*write=*/false);
#ifndef FILCH_TBB_COMPAT_SPIN_RW_MUTEX_H_
#define FILCH_TBB_COMPAT_SPIN_RW_MUTEX_H_

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

class spin_rw_mutex : public SleepingRwLock {
 public:
  using scoped_lock = rw_scoped_lock<spin_rw_mutex>;

  static constexpr bool is_rw_mutex = true;
  static constexpr bool is_recursive_mutex = false;
  static constexpr bool is_fair_mutex = false;

  // TBB 2020's names for what readers do; unlock() is the writer's and the readers'.
  void lock_read() { lock_shared(); }
  bool try_lock_read() { return try_lock_shared(); }
};

// The same: no transactional memory is used.
using speculative_spin_rw_mutex = spin_rw_mutex;

inline void set_name(spin_rw_mutex&, const char*) {}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::speculative_spin_rw_mutex;
using detail::d1::spin_rw_mutex;
}  // namespace v1
namespace profiling {
using detail::d1::set_name;
}  // namespace profiling
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_SPIN_RW_MUTEX_H_
