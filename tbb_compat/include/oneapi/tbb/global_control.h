// global_control: a setting of the scheduler that holds while the object lives.
//
// max_allowed_parallelism: the smallest live value holds. It bounds how many
//   threads work at once, those that wait included, and may be lowered and
//   raised while they run; enqueued work still gets one thread at a limit of 1.
// thread_stack_size: the largest live value holds, for threads that the scheduler
//   starts from then on.
// terminate_on_exception: an exception that leaves a task, or that the scheduler throws,
//   ends the process, if any live value is not zero.
//
// leave_policy: what a task_arena with leave_policy::automatic does that is made from
//   then on, and the arena of a thread that comes to the scheduler from then on; fast if
//   any live value is.
//
// Any thread; an object may end on another thread than it began.
//
// task_scheduler_handle and finalize(): the end of all threads of the scheduler, for
// programs that fork or that unload what their threads run.  The scheduler starts
// others when there is work again.
//
//   tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 2);
//
//   tbb::task_scheduler_handle handle{tbb::attach{}};
//   ...
//   tbb::finalize(handle);
#ifndef FILCH_TBB_COMPAT_GLOBAL_CONTROL_H_
#define FILCH_TBB_COMPAT_GLOBAL_CONTROL_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <cstddef>
#include <memory>  // comes along
#include <new>
#include <type_traits>
#include <utility>

#include "detail/_assert.h"
#include "detail/_attach.h"
#include "detail/_config.h"
#include "detail/_exception.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {
class global_control;
}  // namespace d1

namespace r1 {
void create(d1::global_control& control);
void destroy(d1::global_control& control) noexcept;
std::size_t global_control_active_value(int parameter) noexcept;

// So many threads should be there, more than there are cpus perhaps, unless a limit is set;
// and no more, for somebody who has said so.
void WantThreads(std::size_t threads);
void WantThreadsNoMore(std::size_t threads) noexcept;

// One more who may finalize the scheduler, and one less.
void AddHandle() noexcept;
void RemoveHandle() noexcept;
// Ends the scheduler's threads if nobody else uses it. One handle less, and the calling
// thread does not use it any more.
bool TryFinalize() noexcept;
}  // namespace r1

namespace d1 {

class global_control {
 public:
  enum parameter {
    max_allowed_parallelism,
    thread_stack_size,
    terminate_on_exception,
    scheduler_handle,  // whether there is a task_scheduler_handle; for active_value() only
    leave_policy,
    parameter_max  // how many there are
  };

  global_control(parameter what, std::size_t value) : what_(what), value_(value) {
    __TBB_ASSERT(what < parameter_max, "there is no such global_control parameter");
    __TBB_ASSERT_RELEASE(what != max_allowed_parallelism || value > 0,
                         "max_allowed_parallelism must be positive");
    r1::create(*this);
  }
  // With a value that is an enumerator, such as one of task_arena::leave_policy.
  template <typename Value, typename = std::enable_if_t<std::is_enum_v<Value>>>
  global_control(parameter what, Value value)
      : global_control(what, static_cast<std::size_t>(value)) {}
  ~global_control() { r1::destroy(*this); }
  // Another one with the same value.
  global_control(const global_control& other) : what_(other.what_), value_(other.value_) {
    r1::create(*this);
  }
  global_control& operator=(const global_control& other) {
    global_control copy(other);  // may want memory: the old value holds until then
    std::swap(what_, copy.what_);
    std::swap(value_, copy.value_);
    return *this;
  }

  // The value that holds now. Any thread.
  static std::size_t active_value(parameter what) { return r1::global_control_active_value(what); }

 private:
  friend void r1::create(global_control& control);
  friend void r1::destroy(global_control& control) noexcept;

  parameter what_;
  std::size_t value_;
};

// The right to end the scheduler's threads. One thread at a time.
class task_scheduler_handle {
 public:
  // Of nothing.
  task_scheduler_handle() = default;
  task_scheduler_handle(attach) : attached_(true) { r1::AddHandle(); }
  task_scheduler_handle(task_scheduler_handle&& other) noexcept
      : attached_(std::exchange(other.attached_, false)) {}
  task_scheduler_handle& operator=(task_scheduler_handle&& other) noexcept {
    std::swap(attached_, other.attached_);
    return *this;
  }
  ~task_scheduler_handle() { release(); }

  explicit operator bool() const noexcept { return attached_; }

  // Gives the right up. The threads stay.
  void release() {
    if (std::exchange(attached_, false)) r1::RemoveHandle();
  }

 private:
  friend bool finalize(task_scheduler_handle& handle, const std::nothrow_t&) noexcept;

  bool attached_ = false;
};

// Waits until all threads of the scheduler have ended, if there are any. False: that
// cannot be done, because the caller is inside of parallel work, or there is another
// handle, an arena that is active, or another thread that uses the scheduler. The handle is
// empty afterwards, and unless it is inside of parallel work, the calling thread is as
// before its first use of the scheduler. First it runs, as a wait does, what it and others
// have started in its arena and nobody does yet: that must not need a lock that it holds.
inline bool finalize(task_scheduler_handle& handle, const std::nothrow_t&) noexcept {
  if (!handle) return true;
  handle.attached_ = false;
  return r1::TryFinalize();
}

// The same, and throws unsafe_wait instead.
inline void finalize(task_scheduler_handle& handle) {
  if (!finalize(handle, std::nothrow)) r1::throw_exception(r1::exception_id::unsafe_wait);
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::finalize;
using detail::d1::global_control;
using detail::d1::task_scheduler_handle;
}  // namespace v1
#ifdef FILCH_TBB_CLASSIC
// Where TBB 2020 defines it, and some programs look for it.
namespace interface9 {
using detail::d1::global_control;
}
#endif
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_GLOBAL_CONTROL_H_
