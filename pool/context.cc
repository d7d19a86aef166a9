#include "filch/pool/context.h"

#include <cstdint>
#include <exception>
#include <thread>
#include <utility>

#include "filch/pool/first_use.h"
#include "filch/topology/fp_control.h"

namespace filch {
namespace {

using pool_internal::ContextTree;

ContextTree::Guests& AllGuests() {
  // Contexts end after static objects, too.
  static pool_internal::FirstUse<ContextTree::Guests> guests;
  return guests.Get();
}

using Ascent = ContextTree::Ascent<ContextTree::Guests& (*)()>;

// True for the first call since the last Reset.
bool CancelWord(pool_internal::ContextWord& word) {
  if (!word.Cancel()) return false;
  pool_internal::SlowDispatch::Need();
  return true;
}

}  // namespace

bool Context::Cancel() { return CancelWord(word()); }

bool Context::IsCancelledHereOrAbove() const {
  for (Ascent ascent(*this, AllGuests); ascent.at() != nullptr; ascent.Rise()) {
    if (ascent.at()->word().is_cancelled()) return true;
  }
  return false;
}

bool Context::IsOrIsBelow(const Context& other) const {
  for (Ascent ascent(*this, AllGuests); ascent.at() != nullptr; ascent.Rise()) {
    if (ascent.at() == &other) return true;
  }
  return false;
}

void Context::Capture(std::exception_ptr exception) {
  if (word().BeginCapture()) {
    exception_.Fill(std::move(exception));
    word().EndCapture();
  }
  Cancel();
}

void Context::CaptureCurrentException() noexcept { Capture(std::current_exception()); }

std::exception_ptr Context::exception() const {
  return word().HasException() ? exception_.value() : nullptr;
}

std::exception_ptr Context::TakeException() {
  // The group is complete, nobody captures any more.
  if (untouched() || !word().ForgetException()) return nullptr;
  return exception_.Empty();
}

void Context::RethrowTouched() {
  // Somebody else's may be on its way into the room: until it is there, that of the caller's
  // own task, which was later, would be lost together with it.
  while (word().is_captured() && !word().HasException()) std::this_thread::yield();
  if (word().HasException()) std::rethrow_exception(exception_.value());
}

void Context::Reset() {
  TakeException();
  if (word().Resume()) pool_internal::SlowDispatch::NoNeed();
}

void Context::CaptureFpSettings() {
  fp_settings_ = FpControl::Read();
  if (word().TakeFpSettings()) pool_internal::SlowDispatch::Need();
}

void Context::StartWithFpSettings() {
  fp_settings_ = FpControl::Read();
  word().StartWithFpSettings();
  pool_internal::SlowDispatch::Need();
}

std::uint32_t Context::FpSettings() const {
  for (Ascent ascent(*this, AllGuests); ascent.at() != nullptr; ascent.Rise()) {
    if (!ascent.at()->word().has_fp_settings()) continue;
    return static_cast<const Context*>(ascent.at())->fp_settings_;
  }
  return 0;
}

void Context::Close() {
  PartWithGuests();
  Reset();
  if (word().has_fp_settings()) pool_internal::SlowDispatch::NoNeed();
}

void Context::SendGuestsHome() {
  ContextTree::SendGuestsHome(AllGuests(), *this, IsCancelled(), CancelWord);
}

void ContextGuest::Visit(Context& context, Context& host) {
  guest_.Visit(AllGuests(), context, host);
}

void ContextGuest::Leave() { guest_.Leave(AllGuests()); }

}  // namespace filch
