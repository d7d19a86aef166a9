// null_mutex: a mutex that locks nothing, for templates that take a mutex.
#ifndef FILCH_TBB_COMPAT_NULL_MUTEX_H_
#define FILCH_TBB_COMPAT_NULL_MUTEX_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include "detail/_config.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

class null_mutex {
 public:
  null_mutex() = default;
  null_mutex(const null_mutex&) = delete;
  null_mutex& operator=(const null_mutex&) = delete;

  class scoped_lock {
   public:
    scoped_lock() = default;
    scoped_lock(null_mutex&) {}
    scoped_lock(const scoped_lock&) = delete;
    scoped_lock& operator=(const scoped_lock&) = delete;

    void acquire(null_mutex&) {}
    bool try_acquire(null_mutex&) { return true; }
    void release() {}
  };

  static constexpr bool is_rw_mutex = false;
  static constexpr bool is_recursive_mutex = true;
  static constexpr bool is_fair_mutex = true;

  void lock() {}
  bool try_lock() { return true; }
  void unlock() {}
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::null_mutex;
}  // namespace v1
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_NULL_MUTEX_H_
