// The scoped locks of the mutexes: one for those with one kind of lock, one for
// those with readers and writers.
//
// One thread at a time; the mutex must outlive the lock.
#ifndef FILCH_TBB_COMPAT_DETAIL_SCOPED_LOCK_H_
#define FILCH_TBB_COMPAT_DETAIL_SCOPED_LOCK_H_

#include <utility>

#include "_assert.h"
#include "_config.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

template <typename Mutex>
class unique_scoped_lock {
 public:
  unique_scoped_lock() = default;
  unique_scoped_lock(Mutex& mutex) { acquire(mutex); }
  ~unique_scoped_lock() {
    if (mutex_ != nullptr) release();
  }
  unique_scoped_lock(const unique_scoped_lock&) = delete;
  unique_scoped_lock& operator=(const unique_scoped_lock&) = delete;

  void acquire(Mutex& mutex) {
    __TBB_ASSERT(mutex_ == nullptr, "the scoped_lock holds a mutex already");
    mutex.lock();
    mutex_ = &mutex;
  }
  bool try_acquire(Mutex& mutex) {
    __TBB_ASSERT(mutex_ == nullptr, "the scoped_lock holds a mutex already");
    if (!mutex.try_lock()) return false;
    mutex_ = &mutex;
    return true;
  }
  void release() {
    __TBB_ASSERT(mutex_ != nullptr, "the scoped_lock holds no mutex");
    std::exchange(mutex_, nullptr)->unlock();
  }

 private:
  Mutex* mutex_ = nullptr;
};

template <typename Mutex>
class rw_scoped_lock {
 public:
  rw_scoped_lock() = default;
  rw_scoped_lock(Mutex& mutex, bool write = true) { acquire(mutex, write); }
  ~rw_scoped_lock() {
    if (mutex_ != nullptr) release();
  }
  rw_scoped_lock(const rw_scoped_lock&) = delete;
  rw_scoped_lock& operator=(const rw_scoped_lock&) = delete;

  void acquire(Mutex& mutex, bool write = true) {
    __TBB_ASSERT(mutex_ == nullptr, "the scoped_lock holds a mutex already");
    if (write) {
      mutex.lock();
    } else {
      mutex.lock_shared();
    }
    mutex_ = &mutex;
    is_writer_ = write;
  }
  bool try_acquire(Mutex& mutex, bool write = true) {
    __TBB_ASSERT(mutex_ == nullptr, "the scoped_lock holds a mutex already");
    if (!(write ? mutex.try_lock() : mutex.try_lock_shared())) return false;
    mutex_ = &mutex;
    is_writer_ = write;
    return true;
  }
  void release() {
    __TBB_ASSERT(mutex_ != nullptr, "the scoped_lock holds no mutex");
    Mutex& mutex = *std::exchange(mutex_, nullptr);
    if (is_writer_) {
      mutex.unlock();
    } else {
      mutex.unlock_shared();
    }
  }

  // Becomes a writer. False: the lock was released meanwhile, and others may
  // have written.
  bool upgrade_to_writer() {
    if (std::exchange(is_writer_, true)) return true;
    return mutex_->Upgrade();
  }
  // Becomes a reader; no writer gets in between, so always true.
  bool downgrade_to_reader() {
    if (std::exchange(is_writer_, false)) mutex_->Downgrade();
    return true;
  }
  bool is_writer() const {
    __TBB_ASSERT(mutex_ != nullptr, "the scoped_lock holds no mutex");
    return is_writer_;
  }

 private:
  Mutex* mutex_ = nullptr;
  bool is_writer_ = false;
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_SCOPED_LOCK_H_
