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

bool NoteException(filch::Context& context) noexcept {
  EndIfExceptionsTerminate();
  return d1::ContextUse::NoteException(context);
}

void KeepException(filch::Context& context) noexcept {
  if (NoteException(context)) context.CaptureCurrentException();
}

bool NoteException() noexcept { return NoteException(*filch::CurrentContext()); }

bool CurrentContextIsCancelled() noexcept {
  const filch::Context* const current = d1::ContextUse::Current();
  return current != nullptr && current->IsCancelled();
}

}  // namespace r1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb
