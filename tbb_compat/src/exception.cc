#include <stdexcept>

#include "../include/oneapi/tbb/detail/_exception.h"
#include "../include/oneapi/tbb/detail/_task_group_context.h"
#include "../include/oneapi/tbb/global_control.h"

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

void ThrowMissingWait() { Throw(missing_wait()); }

void ThrowUnsafeWait() {
  Throw(unsafe_wait("tbb::finalize: somebody uses the scheduler, so its end cannot be awaited"));
}

void ThrowStepNotPositive() {
  Throw(std::invalid_argument("tbb::parallel_for: the step must be positive"));
}

}  // namespace r1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb
