// ContextUse: what an algorithm or a group does with a context of its caller's.
//
// A context that is not isolated stands below the one that the calling thread works for
// while somebody uses it, and where it was bound already it stays: whoever comes while others
// use it finds it there, and it is unbound by the last of them, if what it stands below has
// not ended before.  One that is used outside of tasks first is isolated for good.  What an
// algorithm or a group has made for itself is not for others to move, who can come by it, too.
#ifndef FILCH_TBB_COMPAT_DETAIL_CONTEXT_USE_H_
#define FILCH_TBB_COMPAT_DETAIL_CONTEXT_USE_H_

#include "_config.h"
#include "_context_users.h"
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

  // Puts the context below the one that the calling thread works for, unless it is isolated,
  // or an algorithm's or a group's own, or that thread works for it or for one below. Where others
  // use it already it stays. True: this user has to call End when it is done, and before the
  // task ends in which it began. Throws std::bad_alloc where others use it, and only there.
  static bool Begin(task_group_context& user) {
    return Users::Begin(user, filch::CurrentContext());
  }
  // The same for a user that may go on when the task in which it began has ended; there may be
  // no memory for that anyway.
  static bool BeginToStay(task_group_context& user) {
    return Users::BeginToStay(user, filch::CurrentContext());
  }
  static void End(task_group_context& user);

  // A context below the one that the calling thread works for.
  class Fresh : public task_group_context {
   public:
    explicit Fresh(const filch::pool_internal::Slot& slot) : task_group_context(slot.context) {}
  };

  // As r1::NoteException (_run_guarded.h), which may end the process before.
  static bool NoteException(filch::Context& context);
  // Keeps the exception that is being handled if it left a task of the context.
  static void KeepIfNoted(task_group_context& user) {
    if ((user.Notes() & task_group_context::kThrew) != 0) user.CaptureCurrentException();
  }

 private:
  // What the users of a context go by that are not alone (src/shared_contexts.h).
  struct Others {
    class All;
    static bool Begin(filch::Context& user, filch::Context* host);
    static void End(filch::Context& user);
  };
  using Users = BasicContextUsers<filch::Context, Others>;

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
