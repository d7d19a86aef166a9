// global_control: a setting of the scheduler that holds while the object lives.
//
// max_allowed_parallelism: the smallest live value holds. It bounds how many
//   threads work at once, those that wait included, and may be lowered and
//   raised while they run; enqueued work still gets one thread at a limit of 1.
// thread_stack_size: the largest live value holds.
// terminate_on_exception: an exception that leaves a task ends the process, if
//   any live value is not zero.
//
// Any thread; an object may end on another thread than it began.
//
//   tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 2);
#ifndef FILCH_TBB_COMPAT_GLOBAL_CONTROL_H_
#define FILCH_TBB_COMPAT_GLOBAL_CONTROL_H_

#include <cstddef>

#include "detail/_assert.h"
#include "detail/_config.h"

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
}  // namespace r1

namespace d1 {

class global_control {
 public:
  enum parameter {
    max_allowed_parallelism,
    thread_stack_size,
    terminate_on_exception,
    parameter_max  // how many there are
  };

  global_control(parameter what, std::size_t value) : what_(what), value_(value) {
    __TBB_ASSERT(what < parameter_max, "there is no such global_control parameter");
    __TBB_ASSERT_RELEASE(what != max_allowed_parallelism || value > 0,
                         "max_allowed_parallelism must be positive");
    r1::create(*this);
  }
  ~global_control() { r1::destroy(*this); }
  global_control(const global_control&) = delete;
  global_control& operator=(const global_control&) = delete;

  // The value that holds now. Any thread.
  static std::size_t active_value(parameter what) { return r1::global_control_active_value(what); }

 private:
  friend void r1::create(global_control& control);
  friend void r1::destroy(global_control& control) noexcept;

  const parameter what_;
  const std::size_t value_;
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::global_control;
}  // namespace v1
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_GLOBAL_CONTROL_H_
