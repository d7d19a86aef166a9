// The exceptions that TBB adds to those of the standard library.
//
// What a program's own code throws travels unchanged to the one who waits. What the headers
// throw, they throw by throw_exception: its source has exceptions, also where the program is
// compiled without.
#ifndef FILCH_TBB_COMPAT_DETAIL_EXCEPTION_H_
#define FILCH_TBB_COMPAT_DETAIL_EXCEPTION_H_

#include <new>
#include <stdexcept>

#include "_config.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
inline namespace d0 {

// oneTBB's numbers for what its headers throw.
enum class exception_id {
  bad_alloc = 1,
  bad_last_alloc,
  user_abort,
  nonpositive_step,
  out_of_range,
  reservation_length_error,
  missing_wait,
  invalid_load_factor,
  invalid_key,
  bad_tagged_msg_cast,
  unsafe_wait,
  last_entry
};

}  // namespace d0

namespace r1 {

using d0::exception_id;

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
  unsafe_wait(const char* what) : std::runtime_error(what) {}
};

// Throws the exception that the number stands for: one of those above, or the standard
// library's. Ends the process where global_control says terminate_on_exception.
[[noreturn]] void throw_exception(exception_id id);

}  // namespace r1

inline namespace d0 {
using r1::throw_exception;
}  // namespace d0
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
