#include "filch/pool/context.h"

#include <atomic>
#include <cstdint>
#include <exception>
#include <utility>

namespace filch {

std::atomic<std::int64_t> Context::live_cancellations_{0};

bool Context::Cancel() {
  // C1: only the first caller counts; nothing is published.
  if (cancelled_.exchange(true, std::memory_order_relaxed)) return false;
  live_cancellations_.fetch_add(1, std::memory_order_relaxed);  // C1: a hint
  return true;
}

bool Context::IsCancelledAbove() const {
  for (const Context* context = parent(); context != nullptr; context = context->parent()) {
    if (context->cancelled_.load(std::memory_order_relaxed)) return true;  // C1: a hint
  }
  return false;
}

void Context::Capture(std::exception_ptr exception) {
  // C2: elects the one writer of exception_; the group's completion publishes it.
  if (!captured_.exchange(true, std::memory_order_relaxed)) exception_ = std::move(exception);
  Cancel();
}

std::exception_ptr Context::TakeException() {
  // C2: the group is complete, nobody captures any more.
  if (!captured_.load(std::memory_order_relaxed)) return nullptr;
  captured_.store(false, std::memory_order_relaxed);  // C2: as above
  return std::exchange(exception_, nullptr);
}

void Context::Reset() {
  TakeException();
  // C1: the group is complete.  Looked at first, because nearly no group is
  // ever cancelled.
  if (cancelled_.load(std::memory_order_relaxed) &&
      cancelled_.exchange(false, std::memory_order_relaxed)) {    // C1: as above
    live_cancellations_.fetch_sub(1, std::memory_order_relaxed);  // C1: a hint
  }
}

}  // namespace filch
