// queuing_rw_mutex: a lock for one writer or many readers that its waiters get in
// the order in which they came; readers that come one after the other share it.
//
// It costs more than spin_rw_mutex; use it where nobody may be passed over. It has
// no lock() of its own: the scoped_lock is the place in the queue. Any thread.
//
//   tbb::queuing_rw_mutex::scoped_lock lock(mutex, /*write=*/false);
#ifndef FILCH_TBB_COMPAT_QUEUING_RW_MUTEX_H_
#define FILCH_TBB_COMPAT_QUEUING_RW_MUTEX_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <cstring>  // comes along
#include <utility>

#include "detail/_assert.h"
#include "detail/_config.h"
#include "detail/_queued_lock.h"
#include "detail/_queued_rw_lock.h"
#include "profiling.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

class queuing_rw_mutex {
 public:
  queuing_rw_mutex() = default;
  queuing_rw_mutex(const queuing_rw_mutex&) = delete;
  queuing_rw_mutex& operator=(const queuing_rw_mutex&) = delete;

  // One thread at a time; the mutex must outlive it.
  class scoped_lock {
   public:
    scoped_lock() = default;
    scoped_lock(queuing_rw_mutex& mutex, bool write = true) { acquire(mutex, write); }
    ~scoped_lock() {
      if (mutex_ != nullptr) release();
    }
    scoped_lock(const scoped_lock&) = delete;
    scoped_lock& operator=(const scoped_lock&) = delete;

    void acquire(queuing_rw_mutex& mutex, bool write = true) {
      __TBB_ASSERT(mutex_ == nullptr, "the scoped_lock holds a mutex already");
      mutex.lock_.Lock(place_, write);
      mutex_ = &mutex;
      is_writer_ = write;
    }
    // Takes the lock if that needs no wait: a reader also beside other readers, unless
    // somebody waits. (oneTBB refuses whenever anybody has the lock.)
    bool try_acquire(queuing_rw_mutex& mutex, bool write = true) {
      __TBB_ASSERT(mutex_ == nullptr, "the scoped_lock holds a mutex already");
      if (!mutex.lock_.TryLock(write)) return false;
      mutex_ = &mutex;
      is_writer_ = write;
      return true;
    }
    void release() {
      __TBB_ASSERT(mutex_ != nullptr, "the scoped_lock holds no mutex");
      std::exchange(mutex_, nullptr)->lock_.Unlock(is_writer_);
    }

    // Becomes a writer. False: the lock was released meanwhile, and others may
    // have written.
    bool upgrade_to_writer() {
      __TBB_ASSERT(mutex_ != nullptr, "the scoped_lock holds no mutex");
      if (std::exchange(is_writer_, true)) return true;
      return mutex_->lock_.Upgrade(place_);
    }
    // Becomes a reader; no writer gets in between, so always true.
    bool downgrade_to_reader() {
      __TBB_ASSERT(mutex_ != nullptr, "the scoped_lock holds no mutex");
      if (std::exchange(is_writer_, false)) mutex_->lock_.Downgrade();
      return true;
    }
    bool is_writer() const {
      __TBB_ASSERT(mutex_ != nullptr, "the scoped_lock holds no mutex");
      return is_writer_;
    }

   private:
    queuing_rw_mutex* mutex_ = nullptr;
    bool is_writer_ = false;
    QueuePlace place_;
  };

  static constexpr bool is_rw_mutex = true;
  static constexpr bool is_recursive_mutex = false;
  static constexpr bool is_fair_mutex = true;

 private:
  QueuedRwLock lock_;
};

inline void set_name(queuing_rw_mutex&, const char*) {}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::queuing_rw_mutex;
}  // namespace v1
namespace profiling {
using detail::d1::set_name;
}  // namespace profiling
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_QUEUING_RW_MUTEX_H_
