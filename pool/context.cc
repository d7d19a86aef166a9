#include "filch/pool/context.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <utility>

#include "filch/topology/fp_control.h"

namespace filch {
namespace {

// All guests of the process, by their hosts' addresses.
constexpr int kBuckets = 64;
struct Guests {
  std::mutex mutex;
  ContextGuest* first[kBuckets] = {};
};
Guests& AllGuests() {
  static Guests* const guests = new Guests;  // contexts end after static objects, too
  return *guests;
}
std::size_t BucketOf(const Context& host) {
  return reinterpret_cast<std::uintptr_t>(&host) / 64 % kBuckets;
}

}  // namespace

// The way up from a context.  Above a guest nobody ends while the lock is held.
class Context::Ascent {
 public:
  explicit Ascent(const Context& from) : at_(&from) {}

  const Context* at() const { return at_; }
  void Rise() {
    const Context* above = at_->parent();
    // C6: a parent that is a host came after the flag.
    if (__builtin_expect(at_->Has(kGuest), 0) && !lock_.owns_lock()) {
      lock_ = std::unique_lock<std::mutex>(AllGuests().mutex);
      above = at_->parent();
    }
    at_ = above;
  }

 private:
  const Context* at_;
  std::unique_lock<std::mutex> lock_;
};

bool Context::Cancel() {
  // C1: only the first caller counts; nothing is published.
  if ((state_.fetch_or(kCancelled, std::memory_order_relaxed) & kCancelled) != 0) return false;
  pool_internal::SlowDispatch::Need();
  return true;
}

bool Context::IsCancelledHereOrAbove() const {
  for (Ascent ascent(*this); ascent.at() != nullptr; ascent.Rise()) {
    if (ascent.at()->Has(kCancelled)) return true;
  }
  return false;
}

bool Context::IsOrIsBelow(const Context& other) const {
  for (Ascent ascent(*this); ascent.at() != nullptr; ascent.Rise()) {
    if (ascent.at() == &other) return true;
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
  for (Ascent ascent(*this); ascent.at() != nullptr; ascent.Rise()) {
    if (ascent.at()->Has(kFpSettings)) return ascent.at()->fp_settings_;
  }
  return 0;
}

void Context::Close() {
  if (Has(kHost)) SendGuestsHome();
  Reset();
  if (Has(kFpSettings)) pool_internal::SlowDispatch::NoNeed();
}

void Context::SendGuestsHome() {
  const bool is_cancelled = IsCancelled();
  Guests& guests = AllGuests();
  const std::lock_guard<std::mutex> lock(guests.mutex);
  ContextGuest* next = guests.first[BucketOf(*this)];
  while (ContextGuest* const guest = next) {
    next = guest->next_;
    if (guest->host_ != this) continue;
    if (is_cancelled) guest->context_.load(std::memory_order_relaxed)->Cancel();  // C6: locked
    guest->Remove();
  }
  state_.fetch_and(~kHost, std::memory_order_relaxed);  // C6: the lock orders it
}

void ContextGuest::Visit(Context& context, Context& host) {
  Guests& guests = AllGuests();
  const std::lock_guard<std::mutex> lock(guests.mutex);
  if (is_visiting()) return;  // another thread brought it here
  host_ = &host;
  link_ = &guests.first[BucketOf(host)];
  next_ = *link_;
  if (next_ != nullptr) next_->link_ = &next_;
  *link_ = this;
  host.state_.fetch_or(Context::kHost, std::memory_order_relaxed);  // C6: the host has a task
  context.state_.fetch_or(Context::kGuest,
                          std::memory_order_relaxed);   // C6: set_parent publishes it
  context_.store(&context, std::memory_order_relaxed);  // C6: locked
  context.set_parent(&host);
}

void ContextGuest::Leave() {
  const std::lock_guard<std::mutex> lock(AllGuests().mutex);
  if (is_visiting()) Remove();
}

void ContextGuest::Remove() {
  *link_ = next_;
  if (next_ != nullptr) next_->link_ = link_;
  context_.load(std::memory_order_relaxed)->set_parent(nullptr);  // C6: locked
  context_.store(nullptr, std::memory_order_relaxed);             // C6: locked
}

}  // namespace filch
