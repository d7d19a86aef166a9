// SharedContexts: the contexts that have several users, or one that may stay longer than what it
// began in. Their users are counted, and all of them are guests, for nobody knows what ends first.
//
// These are the Others of detail/_context_users.h: users of a context that are not alone come here.
// `Seams` is what it is made of:
//
//   Users     the BasicContextUsers that it is for
//   Context   what they use
//   Guest     as filch::ContextGuest
//   Mutex     a lock
//   Pause()   the calling thread has looked in vain, and looks again
//
// Any thread.
// Memory ordering: U1 of README.md, and the mutex.
#ifndef FILCH_TBB_COMPAT_SRC_SHARED_CONTEXTS_H_
#define FILCH_TBB_COMPAT_SRC_SHARED_CONTEXTS_H_

#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

template <typename Seams>
class BasicSharedContexts {
 public:
  using Users = typename Seams::Users;
  using Context = typename Seams::Context;

  explicit BasicSharedContexts(typename Seams::Mutex& mutex) : mutex_(mutex) {}

  // As Others::Begin. Throws std::bad_alloc, and then nothing has begun.
  bool Begin(Context& user, Context* host) {
    while (!Users::NeedsNoBinding(user, host)) {
      if (TryBegin(user, host)) return true;
      Seams::Pause();
    }
    return false;
  }

  void End(Context& user) {
    const std::lock_guard<typename Seams::Mutex> lock(mutex_);
    const auto use = uses_.find(&user);
    if (--use->second.users != 0) return;
    use->second.guest.Leave();
    uses_.erase(use);
    user.StandAlone();
    user.notes().fetch_and(~(Users::kBound | Users::kShared),
                           std::memory_order_release);  // U1: to the next
  }

  // Whether no user is counted. While none comes or goes.
  bool empty() const { return uses_.empty(); }

 private:
  struct Use {
    std::uint32_t users = 0;
    typename Seams::Guest guest;
  };

  // One user more, where others use the context, or below `host`, if there is one. False: its
  // only user unbinds it, or that has just changed, or nobody uses it and there is no host.
  bool TryBegin(Context& user, Context* host) {
    const std::lock_guard<typename Seams::Mutex> lock(mutex_);
    const std::uint32_t notes = user.notes().load(std::memory_order_relaxed);  // U1: a guess
    if ((notes & Users::kStays) != 0) return false;
    if ((notes & Users::kBound) == 0) return host != nullptr && Share(user, notes, 1, host);
    if ((notes & Users::kShared) != 0) {
      ++uses_[&user].users;
      return true;
    }
    return (notes & Users::kEnding) == 0 && Share(user, notes, 2, nullptr);
  }

  // With so many users from now on, if these are the notes still: below `host`, or, if that is
  // null, where its only user puts it.
  bool Share(Context& user, std::uint32_t notes, std::uint32_t users, Context* host) {
    Use& use = uses_[&user];
    if (!user.notes().compare_exchange_strong(notes, notes | Users::kBound | Users::kShared,
                                              std::memory_order_acquire,  // U1: after the last one
                                              std::memory_order_relaxed)) {
      uses_.erase(&user);
      return false;
    }
    use.users = users;
    // That one ends by way of the lock now, so what is above is there.  It may be about to say so.
    while (host == nullptr) {
      host = user.parent();
      if (host == nullptr) Seams::Pause();
    }
    use.guest.Visit(user, *host);
    return true;
  }

  typename Seams::Mutex& mutex_;
  std::unordered_map<const Context*, Use> uses_;
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_SRC_SHARED_CONTEXTS_H_
