// The exceptions that TBB adds to those of the standard library.
//
// What a program's own code throws travels unchanged to the one who waits.
#ifndef FILCH_TBB_COMPAT_DETAIL_EXCEPTION_H_
#define FILCH_TBB_COMPAT_DETAIL_EXCEPTION_H_

#include <new>
#include <stdexcept>

#include "_config.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace r1 {

// Memory was short for a concurrent container, and is short for the report too.
class bad_last_alloc : public std::bad_alloc {
 public:
  const char* what() const noexcept override;
};

// A blocked operation of a bounded queue was aborted.
class user_abort : public std::exception {
 public:
  const char* what() const noexcept override;
};

// A task_group was destroyed before anybody waited for its tasks.
class missing_wait : public std::exception {
 public:
  const char* what() const noexcept override;
};

// finalize() was called where it cannot wait for the scheduler.
class unsafe_wait : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Each throws what it says, or ends the process if a global_control asks that for
// exceptions. A step of parallel_for that is not positive is a std::invalid_argument.
[[noreturn]] void ThrowStepNotPositive();
[[noreturn]] void ThrowMissingWait();

}  // namespace r1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::r1::bad_last_alloc;
using detail::r1::missing_wait;
using detail::r1::unsafe_wait;
using detail::r1::user_abort;
}  // namespace v1
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_EXCEPTION_H_
