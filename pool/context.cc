#include "filch/pool/context.h"

#include <atomic>
#include <cstdint>
#include <exception>
#include <utility>

#include "filch/topology/fp_control.h"

namespace filch {

bool Context::Cancel() {
  // C1: only the first caller counts; nothing is published.
  if ((state_.fetch_or(kCancelled, std::memory_order_relaxed) & kCancelled) != 0) return false;
  pool_internal::SlowDispatch::Need();
  return true;
}

bool Context::IsCancelledHereOrAbove() const {
  for (const Context* context = this; context != nullptr; context = context->parent()) {
    // C1: a hint.
    if ((context->state_.load(std::memory_order_relaxed) & kCancelled) != 0) return true;
  }
  return false;
}

void Context::Capture(std::exception_ptr exception) {
  // C2: elects the one writer of exception_; the group's completion publishes it.
  if ((state_.fetch_or(kCaptured, std::memory_order_relaxed) & kCaptured) == 0) {
    exception_.Fill(std::move(exception));
    state_.fetch_or(kStored, std::memory_order_release);  // C4: exception_ may be read
  }
  Cancel();
}

void Context::CaptureCurrentException() noexcept { Capture(std::current_exception()); }

std::exception_ptr Context::exception() const {
  // C4: exception_ is there and stays as it is.
  return (state_.load(std::memory_order_acquire) & kStored) != 0 ? exception_.value() : nullptr;
}

std::exception_ptr Context::TakeException() {
  if (untouched()) return nullptr;
  // C2: the group is complete, nobody captures any more.
  if ((state_.fetch_and(~(kCaptured | kStored), std::memory_order_relaxed) & kCaptured) == 0) {
    return nullptr;
  }
  return exception_.Empty();
}

void Context::Reset() {
  TakeException();
  // C1: the group is complete.
  if ((state_.fetch_and(~kCancelled, std::memory_order_relaxed) & kCancelled) != 0) {
    pool_internal::SlowDispatch::NoNeed();
  }
}

void Context::CaptureFpSettings() {
  fp_settings_ = FpControl::Read();
  // C5: the group has no task yet.
  if ((state_.fetch_or(kFpSettings, std::memory_order_relaxed) & kFpSettings) == 0) {
    pool_internal::SlowDispatch::Need();
  }
}

std::uint32_t Context::FpSettings() const {
  for (const Context* context = this; context != nullptr; context = context->parent()) {
    // C5: what was there before the task that asks was made.
    if ((context->state_.load(std::memory_order_relaxed) & kFpSettings) != 0) {
      return context->fp_settings_;
    }
  }
  return 0;
}

void Context::Close() {
  Reset();
  if (!untouched()) pool_internal::SlowDispatch::NoNeed();
}

}  // namespace filch
