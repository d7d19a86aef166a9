// queuing_mutex: a lock for one thread that its waiters get in the order in which
// they came.
//
// It costs more than spin_mutex; use it where nobody may be passed over. It has
// no lock() of its own: the scoped_lock is the place in the queue. Any thread.
//
//   tbb::queuing_mutex::scoped_lock lock(mutex);
#ifndef FILCH_TBB_COMPAT_QUEUING_MUTEX_H_
#define FILCH_TBB_COMPAT_QUEUING_MUTEX_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <utility>

#include "detail/_assert.h"
#include "detail/_config.h"
#include "detail/_queued_lock.h"
#include "profiling.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

class queuing_mutex {
 public:
  queuing_mutex() = default;
  queuing_mutex(const queuing_mutex&) = delete;
  queuing_mutex& operator=(const queuing_mutex&) = delete;

  // One thread at a time; the mutex must outlive it.
  class scoped_lock {
   public:
    scoped_lock() = default;
    scoped_lock(queuing_mutex& mutex) { acquire(mutex); }
    ~scoped_lock() {
      if (mutex_ != nullptr) release();
    }
    scoped_lock(const scoped_lock&) = delete;
    scoped_lock& operator=(const scoped_lock&) = delete;

    void acquire(queuing_mutex& mutex) {
      __TBB_ASSERT(mutex_ == nullptr, "the scoped_lock holds a mutex already");
      mutex.lock_.Lock(place_);
      mutex_ = &mutex;
    }
    bool try_acquire(queuing_mutex& mutex) {
      __TBB_ASSERT(mutex_ == nullptr, "the scoped_lock holds a mutex already");
      if (!mutex.lock_.TryLock(place_)) return false;
      mutex_ = &mutex;
      return true;
    }
    void release() {
      __TBB_ASSERT(mutex_ != nullptr, "the scoped_lock holds no mutex");
      std::exchange(mutex_, nullptr)->lock_.Unlock(place_);
    }

   private:
    queuing_mutex* mutex_ = nullptr;
    QueuePlace place_;
  };

  static constexpr bool is_rw_mutex = false;
  static constexpr bool is_recursive_mutex = false;
  static constexpr bool is_fair_mutex = true;

 private:
  QueuedLock lock_;
};

inline void set_name(queuing_mutex&, const char*) {}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::queuing_mutex;
}  // namespace v1
namespace profiling {
using detail::d1::set_name;
}  // namespace profiling
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_QUEUING_MUTEX_H_
