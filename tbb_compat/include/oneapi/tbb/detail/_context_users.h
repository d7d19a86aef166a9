// ContextUsers: who of the users of a context puts it below another one, and who takes it away
// again.
//
// The protocol of ContextUse (detail/_context_use.h), without what it is for. The first user binds
// the context and, if it stays the only one, unbinds it: a read-modify-write of the context's
// notes for the former, two for the latter, and no lock. All that are not alone are counted
// elsewhere, by `Others` (src/shared_contexts.h):
//
//   bool Begin(Context& user, Context* host);   where others use the context already, and else
//                                               below `host`, or if that is null, isolated; false:
//                                               it stays where it is
//   void End(Context& user);                    of a user that is counted
//
// `Context` has what filch::Context has. Any thread.
// Memory ordering: a context has been unbound when its next user binds it, or isolates it, and for
// who finds it isolated (U1 of README.md).
#ifndef FILCH_TBB_COMPAT_DETAIL_CONTEXT_USERS_H_
#define FILCH_TBB_COMPAT_DETAIL_CONTEXT_USERS_H_

#include <atomic>
#include <cstdint>

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// What a context's notes say of its users.
struct UserNotes {
  static constexpr std::uint32_t kStays = 1;    // they leave it where it is
  static constexpr std::uint32_t kBound = 2;    // stands below another one now
  static constexpr std::uint32_t kEnding = 32;  // its only user unbinds it
  static constexpr std::uint32_t kShared = 64;  // they are counted elsewhere
};

template <typename Context, typename Others>
class BasicContextUsers : public UserNotes {
 public:
  // By a user that works for `current`, or for no context. True: it has to call End, and before
  // the task ends in which it began. Throws what Others::Begin throws.
  static bool Begin(Context& user, Context* current) {
    if (NeedsNoBinding(user, current)) return false;
    std::uint32_t notes = user.notes().load(std::memory_order_relaxed);  // U1: looked at again
    if (current == nullptr || (notes & (kStays | kBound)) != 0 ||
        !user.notes().compare_exchange_strong(
            notes, notes | kBound, std::memory_order_acquire,  // U1: alone, after the last one
            std::memory_order_relaxed)) {
      return Others::Begin(user, current);
    }
    user.set_parent(current);
    return true;
  }
  // The same for a user that may go on when the task in which it began has ended.
  static bool BeginToStay(Context& user, Context* current) {
    return !NeedsNoBinding(user, current) && Others::Begin(user, current);
  }

  static void End(Context& user) {
    // What was cancelled above stays cancelled here.
    if (user.IsCancelled()) user.Cancel();
    std::uint32_t notes = user.notes().load(std::memory_order_relaxed);  // U1: looked at again
    while ((notes & kShared) == 0) {
      // Nobody joins from now on.
      if (!user.notes().compare_exchange_weak(notes, notes | kEnding,
                                              std::memory_order_relaxed,     // U1: first
                                              std::memory_order_relaxed)) {  // U1: looks again
        continue;
      }
      user.StandAlone();
      user.notes().fetch_and(~(kBound | kEnding), std::memory_order_release);  // U1: to the next
      return;
    }
    Others::End(user);
  }

  // Whether the context stays where it is for a user that works for `current`, or for none: if it
  // is isolated, as it is from now on where nobody binds it and there is no `current`.
  static bool NeedsNoBinding(Context& user, const Context* current) {
    std::uint32_t notes = user.notes().load(std::memory_order_acquire);  // U1: it stays unbound
    if ((notes & kStays) != 0) return true;
    if (current != nullptr) return current->IsOrIsBelow(user);
    return (notes & kBound) == 0 &&
           user.notes().compare_exchange_strong(
               notes, notes | kStays, std::memory_order_acquire,  // U1: after the last user
               std::memory_order_relaxed);
  }
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_CONTEXT_USERS_H_
