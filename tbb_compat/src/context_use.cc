#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "../include/oneapi/tbb/detail/_context_use.h"
#include "../include/oneapi/tbb/detail/_task_group_context.h"
#include "filch/pool/context.h"
#include "filch/pool/first_use.h"
#include "filch/pool/process_mutex.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// The contexts that have several users, or one that may stay longer than what it began in: all
// of them are guests, for nobody knows what ends first.
class ContextUse::Shared {
 public:
  // Guests have a lock and a list, for which nobody may ask first while holding this lock.
  Shared() { filch::ContextGuest().Leave(); }

  enum class Outcome {
    kBegun,  // one user more
    kAlone,  // nobody uses the context, and there is no host
    kAgain,  // its user unbinds it, or has just changed
  };

  // Where others use the context, or below `host`, if there is one.
  Outcome Begin(task_group_context& user, filch::Context* host) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::uint32_t notes = user.notes().load(std::memory_order_acquire);  // U1: as they say
    if ((notes & kBound) == 0) {
      return host != nullptr ? Share(user, notes, 1, host) : Outcome::kAlone;
    }
    if ((notes & kShared) != 0) {
      ++uses_[&user].users;
      return Outcome::kBegun;
    }
    if ((notes & kEnding) != 0) return Outcome::kAgain;
    return Share(user, notes, 2, nullptr);
  }

  void End(task_group_context& user) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto use = uses_.find(&user);
    if (--use->second.users != 0) return;
    use->second.guest.Leave();
    uses_.erase(use);
    Detach(user);
    user.notes().fetch_and(~(kBound | kShared), std::memory_order_release);  // U1: to the next
  }

 private:
  struct Use {
    std::uint32_t users = 0;
    filch::ContextGuest guest;
  };

  // With so many users from now on, if these are the notes still: below `host`, or, if that is
  // null, where its only user puts it.
  Outcome Share(task_group_context& user, std::uint32_t notes, std::uint32_t users,
                filch::Context* host) {
    Use& use = uses_[&user];
    if (!user.notes().compare_exchange_strong(notes, notes | kBound | kShared,
                                              std::memory_order_acquire)) {  // U1: as in Begin
      uses_.erase(&user);
      return Outcome::kAgain;
    }
    use.users = users;
    // That one ends by way of the lock now, so what is above is there.  It may be about to say so.
    while (host == nullptr) {
      host = user.parent();
      if (host == nullptr) std::this_thread::yield();
    }
    use.guest.Visit(user, *host);
    return Outcome::kBegun;
  }

  filch::pool_internal::ProcessMutex mutex_{filch::pool_internal::ProcessMutex::Order::kFirst};
  std::unordered_map<const task_group_context*, Use> uses_;
};

ContextUse::Shared& ContextUse::AllShared() {
  static filch::pool_internal::FirstUse<Shared> shared;
  return shared.Get();
}

bool ContextUse::BeginWithOthers(task_group_context& user, filch::Context* host) {
  for (;;) {
    switch (AllShared().Begin(user, host)) {
      case Shared::Outcome::kBegun:
        return true;
      case Shared::Outcome::kAlone:
        Isolate(user);
        return false;
      case Shared::Outcome::kAgain:
        std::this_thread::yield();
    }
  }
}

void ContextUse::End(task_group_context& user) {
  // What was cancelled above stays cancelled here.
  if (user.IsCancelled()) user.Cancel();
  std::uint32_t notes = user.Notes();
  while ((notes & kShared) == 0) {
    // Nobody joins from now on.
    if (!user.notes().compare_exchange_weak(notes, notes | kEnding,
                                            std::memory_order_relaxed)) {  // U1: first
      continue;
    }
    Detach(user);
    user.notes().fetch_and(~(kBound | kEnding), std::memory_order_release);  // U1: to the next
    return;
  }
  AllShared().End(user);
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb
