#include <exception>

#include "../include/oneapi/tbb/detail/_task_group_context.h"
#include "../include/oneapi/tbb/global_control.h"
#include "filch/pool/context.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace r1 {

void EndIfExceptionsTerminate() noexcept {
  if (d1::global_control::active_value(d1::global_control::terminate_on_exception) != 0) {
    std::terminate();
  }
}

void NoteException(filch::Context& context) noexcept {
  EndIfExceptionsTerminate();
  context.Cancel();
}

bool CurrentContextIsCancelled() noexcept {
  const filch::Context* const current = d1::ContextUse::Current();
  return current != nullptr && current->IsCancelled();
}

}  // namespace r1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb
