// ContextUse: what an algorithm or a group does with a context of its caller's.
//
// A context that is not isolated stands below the one that the calling thread works for
// while somebody uses it, and where it was bound already it stays.
#ifndef FILCH_TBB_COMPAT_DETAIL_CONTEXT_USE_H_
#define FILCH_TBB_COMPAT_DETAIL_CONTEXT_USE_H_

#include <atomic>
#include <cstdint>

#include "_config.h"
#include "_task_group_context.h"
#include "filch/pool/context.h"
#include "filch/pool/context_scope.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/fp_scope.h"
#include "filch/pool/slot.h"
#include "filch/topology/catch_all.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// An algorithm uses a context of the caller's while the object lives.
class ContextUse {
 public:
  explicit ContextUse(task_group_context& user)
      : user_(user), binds_(Begin(user)), fp_scope_(&user, filch::pool_internal::CurrentSlot()) {}
  ~ContextUse() {
    if (binds_) End(user_);
  }
  ContextUse(const ContextUse&) = delete;
  ContextUse& operator=(const ContextUse&) = delete;

  filch::Context& context() const { return user_; }

  // The context that the calling thread works for, or null.
  static filch::Context* Current() {
    const filch::pool_internal::Slot* const slot = filch::pool_internal::current_slot;
    return slot != nullptr ? slot->context : nullptr;
  }
  static filch::Context& ContextOf(task_group_context& user) { return user; }

  // Puts the context below the one that the calling thread works for, unless it
  // is isolated or another user has done so. True: this user has to call End
  // when it is done, for the context above may be gone after that; with `guest`, it
  // may be gone before that.
  static bool Begin(task_group_context& user, filch::ContextGuest* guest = nullptr) {
    constexpr std::uint32_t kBound = task_group_context::kBound;
    if ((user.Notes() & task_group_context::kIsolated) != 0 || IsAboveCurrent(user) ||
        (user.notes().fetch_or(kBound, std::memory_order_acquire) &  // U1: after the last End
         kBound) != 0) {
      return false;
    }
    const filch::pool_internal::Slot& slot = filch::pool_internal::CurrentSlot();
    if (guest != nullptr && slot.context != nullptr) {
      guest->Visit(user, *slot.context);
    } else {
      BindFresh(user, slot);
    }
    return true;
  }
  static void End(task_group_context& user) {
    // What was cancelled above stays cancelled here.
    if (user.IsCancelled()) user.Cancel();
    Detach(user);
    user.notes().fetch_and(~task_group_context::kBound,
                           std::memory_order_release);  // U1: to the next Begin
  }

  // A context below the one that the calling thread works for.
  class Fresh : public task_group_context {
   public:
    explicit Fresh(const filch::pool_internal::Slot& slot)
        : task_group_context(bound, default_traits, slot.context) {}
  };

  // For a context that no task has used since it was unbound: it cannot be
  // above the current one.
  static void BindFresh(task_group_context& user, const filch::pool_internal::Slot& slot) {
    user.set_parent(slot.context);
  }
  // For one that stays where it is if the calling thread works for it, or for one below.
  static void BindOwn(task_group_context& user, filch::ContextGuest& guest,
                      const filch::pool_internal::Slot& slot) {
    if (slot.context == nullptr) {
      user.set_parent(nullptr);
    } else if (!slot.context->IsOrIsBelow(user)) {
      guest.Visit(user, *slot.context);
    }
  }
  static void Detach(task_group_context& user) { user.StandAlone(); }

  // As r1::NoteException (_run_guarded.h), which may end the process before.
  static bool NoteException(filch::Context& context);
  // Keeps the exception that is being handled if it left a task of the context.
  static void KeepIfNoted(task_group_context& user) {
    if ((user.Notes() & task_group_context::kThrew) != 0) user.CaptureCurrentException();
  }

 private:
  static bool IsAboveCurrent(const filch::Context& context) {
    const filch::Context* const current = filch::CurrentContext();
    return current != nullptr && current->IsOrIsBelow(context);
  }

  task_group_context& user_;
  const bool binds_;
  const filch::pool_internal::FpScope fp_scope_;
};

// Calls work(context) with the caller's context. What its tasks have thrown the context keeps
// until reset(): whoever waits in it meanwhile throws it, too.
template <typename Work>
void WithContext(task_group_context& user, const Work& work) {
  const ContextUse use(user);
  const filch::ContextScope scope(use.context());
  FILCH_TRY { work(use.context()); }
  FILCH_CATCH_ALL {
    ContextUse::KeepIfNoted(user);
    FILCH_RETHROW;
  }
}

// The same for work that does nothing in a context that was cancelled, but for throwing what
// that keeps: then the context need not be bound.
template <typename Work>
void WithContextUnlessCancelled(task_group_context& user, const Work& work) {
  if (__builtin_expect(user.is_group_execution_cancelled(), 0) && !user.keeps_exception()) return;
  d1::WithContext(user, work);
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_CONTEXT_USE_H_
