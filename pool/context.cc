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
    if (__builtin_expect(at_->word_.is_guest(), 0) && !lock_.owns_lock()) {
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
  if (!word_.Cancel()) return false;  // only the first caller counts; nothing is published
  pool_internal::SlowDispatch::Need();
  return true;
}

bool Context::IsCancelledHereOrAbove() const {
  for (Ascent ascent(*this); ascent.at() != nullptr; ascent.Rise()) {
    if (ascent.at()->word_.is_cancelled()) return true;
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
  if (word_.BeginCapture()) {
    exception_.Fill(std::move(exception));
    word_.EndCapture();
  }
  Cancel();
}

void Context::CaptureCurrentException() noexcept { Capture(std::current_exception()); }

std::exception_ptr Context::exception() const {
  return word_.HasException() ? exception_.value() : nullptr;
}

std::exception_ptr Context::TakeException() {
  // The group is complete, nobody captures any more.
  if (untouched() || !word_.ForgetException()) return nullptr;
  return exception_.Empty();
}

void Context::Reset() {
  TakeException();
  if (word_.Resume()) pool_internal::SlowDispatch::NoNeed();
}

void Context::CaptureFpSettings() {
  fp_settings_ = FpControl::Read();
  if (word_.TakeFpSettings()) pool_internal::SlowDispatch::Need();
}

std::uint32_t Context::FpSettings() const {
  for (Ascent ascent(*this); ascent.at() != nullptr; ascent.Rise()) {
    if (ascent.at()->word_.has_fp_settings()) return ascent.at()->fp_settings_;
  }
  return 0;
}

void Context::Close() {
  if (word_.is_host()) SendGuestsHome();
  Reset();
  if (word_.has_fp_settings()) pool_internal::SlowDispatch::NoNeed();
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
  word_.BeHostNoMore();
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
  host.word_.BecomeHost();
  context.word_.BecomeGuest();
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
