#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include "../include/oneapi/tbb/detail/_classic_names.h"
#include "../include/oneapi/tbb/detail/_exception.h"
#include "../include/oneapi/tbb/detail/_run_guarded.h"
#include "../include/oneapi/tbb/tbb_exception.h"
#include "filch/topology/contract.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace r1 {
namespace {

// Throws it; or ends the process while it is handled, if a global_control asks for that.
template <typename Exception>
[[noreturn]] void Throw(const Exception& exception) {
  try {
    throw exception;
  } catch (...) {
    EndIfExceptionsTerminate();
    throw;
  }
}

}  // namespace

const char* bad_last_alloc::what() const noexcept { return "tbb: memory is short"; }

const char* user_abort::what() const noexcept { return "tbb: the operation was aborted"; }

const char* missing_wait::what() const noexcept {
  return "tbb: wait() was not called on a task_group before it was destroyed";
}

void throw_exception(exception_id id) {
  switch (id) {
    case exception_id::bad_alloc:
      Throw(std::bad_alloc());
    case exception_id::bad_last_alloc:
      Throw(bad_last_alloc());
    case exception_id::user_abort:
      Throw(user_abort());
    case exception_id::nonpositive_step:
      Throw(std::invalid_argument("tbb::parallel_for: the step must be positive"));
    case exception_id::out_of_range:
      Throw(std::out_of_range("tbb: the index or the key is out of range"));
    case exception_id::reservation_length_error:
      Throw(std::length_error("tbb: more was reserved than there can be"));
    case exception_id::missing_wait:
      Throw(missing_wait());
    case exception_id::invalid_load_factor:
      Throw(std::out_of_range("tbb: the load factor is out of range"));
    case exception_id::invalid_key:
      Throw(std::out_of_range("tbb: there is no such key"));
    case exception_id::bad_tagged_msg_cast:
      Throw(std::runtime_error("tbb: the message holds a value of another type"));
    case exception_id::unsafe_wait:
      Throw(
          unsafe_wait("tbb::finalize: somebody uses the scheduler, so its end cannot be awaited"));
    case exception_id::last_entry:
      break;
  }
  filch::Fail("tbb: throw_exception was called with a number that stands for no exception.");
}

}  // namespace r1
}  // namespace filch_1
}  // namespace detail

void captured_exception::throw_self() { throw *this; }

namespace internal {

void handle_perror(int error_code, const char* what_was_tried) {
  throw std::runtime_error(std::string(what_was_tried) + ": " +
                           std::generic_category().message(error_code));
}

}  // namespace internal

}  // namespace tbb
