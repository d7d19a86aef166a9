#include "filch/pool/context.h"

#include <atomic>
#include <cstdint>
#include <exception>
#include <utility>

namespace filch {

std::atomic<std::int64_t> Context::live_cancellations_{0};

bool Context::Cancel() {
  // C1: only the first caller counts; nothing is published.
  if ((state_.fetch_or(kCancelled, std::memory_order_relaxed) & kCancelled) != 0) return false;
  live_cancellations_.fetch_add(1, std::memory_order_relaxed);  // C1: a hint
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
    exception_ = std::move(exception);
    state_.fetch_or(kStored, std::memory_order_release);  // C4: exception_ may be read
  }
  Cancel();
}

std::exception_ptr Context::exception() const {
  // C4: exception_ is there and stays as it is.
  return (state_.load(std::memory_order_acquire) & kStored) != 0 ? exception_ : nullptr;
}

std::exception_ptr Context::TakeException() {
  if (untouched()) return nullptr;
  // C2: the group is complete, nobody captures any more.
  if ((state_.fetch_and(~(kCaptured | kStored), std::memory_order_relaxed) & kCaptured) == 0) {
    return nullptr;
  }
  return std::exchange(exception_, nullptr);
}

void Context::Reset() {
  TakeException();
  // C1: the group is complete.
  if ((state_.fetch_and(~kCancelled, std::memory_order_relaxed) & kCancelled) != 0) {
    live_cancellations_.fetch_sub(1, std::memory_order_relaxed);  // C1: a hint
  }
}

}  // namespace filch
