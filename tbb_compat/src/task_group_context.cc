#include <atomic>
#include <cstdint>
#include <exception>

#include "../include/oneapi/tbb/detail/_context_use.h"
#include "../include/oneapi/tbb/detail/_run_guarded.h"
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

void KeepException() noexcept { KeepException(*filch::CurrentContext()); }

bool CurrentContextIsCancelled() noexcept {
  const filch::Context* const current = d1::ContextUse::Current();
  return current != nullptr && current->IsCancelled();
}

}  // namespace r1

namespace d1 {

bool ContextUse::NoteException(filch::Context& context) {
  std::atomic<std::uint32_t>& notes = context.notes();
  if (context.IsCancelled() &&
      (notes.load(std::memory_order_relaxed) & task_group_context::kThrew) == 0) {  // U3: own
    return false;
  }
  // Before the context is cancelled, so that the same exception counts once more where it
  // leaves an algorithm that the context's tasks call with the same context.
  notes.fetch_or(task_group_context::kThrew, std::memory_order_relaxed);  // U3: a hint
  context.Cancel();
  return true;
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail

void task_group_context::register_pending_exception() {
  if (detail::d1::ContextUse::NoteException(*this)) Capture(std::current_exception());
}

}  // namespace tbb
