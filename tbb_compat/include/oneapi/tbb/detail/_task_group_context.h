// task_group_context: what a group of tasks shares when it is cancelled.
//
// Algorithms and task groups make one each; pass your own to cancel from
// outside, or to learn afterwards that something was cancelled.  Cancelling a
// context cancels the contexts that are bound below it and none above.  A bound
// context stands below the context of the task that uses it, while it does.  Any
// thread; it must outlive its use.
//
//   tbb::task_group_context context;
//   tbb::parallel_for(range, [&](const Range& part) {
//     if (Found(part)) context.cancel_group_execution();
//   }, context);
#ifndef FILCH_TBB_COMPAT_DETAIL_TASK_GROUP_CONTEXT_H_
#define FILCH_TBB_COMPAT_DETAIL_TASK_GROUP_CONTEXT_H_

#include <atomic>
#include <cstdint>

#include "_config.h"
#include "filch/pool/context.h"
#include "filch/pool/context_scope.h"
#include "filch/pool/slot.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace r1 {
// Ends the process if a global_control asks that for exceptions which leave a
// task. Called while the exception is handled.
void EndIfExceptionsTerminate() noexcept;
// The same, and else cancels the context of the task.
void NoteException(filch::Context& context) noexcept;
}  // namespace r1

namespace d1 {

class task_group_context {
 public:
  enum kind_type { isolated, bound };
  // The scheduler lets any number of threads wait and does not carry floating
  // point settings, so these are kept and mean nothing.
  enum traits_type : std::uintptr_t { fp_settings = 2, concurrent_wait = 4, default_traits = 0 };

  task_group_context(kind_type kind = bound, std::uintptr_t traits = default_traits)
      : kind_(kind), traits_(traits) {}
  task_group_context(const task_group_context&) = delete;
  task_group_context& operator=(const task_group_context&) = delete;

  // Asks tasks that have not started not to start. True for the first call
  // since the last reset(). Any thread.
  bool cancel_group_execution() { return context_.Cancel(); }

  // Whether this context, or one above it while it is in use, was cancelled.
  // Any thread.
  bool is_group_execution_cancelled() const { return context_.IsCancelled(); }

  // As new. Only while no task of the context is left.
  void reset() { context_.Reset(); }

  void capture_fp_settings() {}
  std::uintptr_t traits() const { return traits_; }

 private:
  friend class ContextUse;

  filch::Context context_;
  const kind_type kind_;
  const std::uintptr_t traits_;
  // Whether it stands below another one now.
  std::atomic<bool> bound_{false};
};

// An algorithm uses a context of the caller's while the object lives.
class ContextUse {
 public:
  explicit ContextUse(task_group_context& user) : user_(user), binds_(Begin(user)) {}
  ~ContextUse() {
    if (binds_) End(user_);
  }
  ContextUse(const ContextUse&) = delete;
  ContextUse& operator=(const ContextUse&) = delete;

  filch::Context& context() const { return user_.context_; }

  static filch::Context& ContextOf(task_group_context& user) { return user.context_; }

  // Puts the context below the one that the calling thread works for, unless it
  // is isolated or another user has done so. True: this user has to call End
  // when it is done, for the context above may be gone after that.
  static bool Begin(task_group_context& user) {
    if (user.kind_ != task_group_context::bound || IsAboveCurrent(user.context_) ||
        user.bound_.exchange(true, std::memory_order_acquire)) {  // U1: after the last End
      return false;
    }
    BindFresh(user);
    return true;
  }
  static void End(task_group_context& user) {
    // What was cancelled above stays cancelled here.
    if (user.context_.IsCancelled()) user.context_.Cancel();
    Detach(user);
    user.bound_.store(false, std::memory_order_release);  // U1: to the next Begin
  }

  // For a context that no task has used since it was unbound: it cannot be
  // above the current one.
  static void BindFresh(task_group_context& user) {
    user.context_.set_parent(filch::CurrentContext());
  }
  static void Detach(task_group_context& user) { user.context_.set_parent(nullptr); }

 private:
  static bool IsAboveCurrent(const filch::Context& context) {
    const filch::Context* above = filch::CurrentContext();
    while (above != nullptr && above != &context) above = above->parent();
    return above != nullptr;
  }

  task_group_context& user_;
  const bool binds_;
};

// Calls work(context) with the caller's context.
template <typename Work>
void WithContext(task_group_context& user, const Work& work) {
  const ContextUse use(user);
  const filch::ContextScope scope(use.context());
  work(use.context());
}

// Calls work(context) with a context that is bound to the current one.
template <typename Work>
inline void WithOwnContext(const Work& work) {
  filch::Context context(filch::CurrentContext());
  const filch::ContextScope scope(context);
  work(context);
}

// Calls f() as part of `context`, which it cancels if f throws.
template <typename F>
inline void RunGuarded(filch::Context& context, const F& f) {
  try {
    f();
  } catch (...) {
    r1::NoteException(context);
    throw;
  }
}

// Whether the context of the task that runs now was cancelled; false outside of
// tasks. Any thread.
inline bool is_current_task_group_canceling() {
  const filch::pool_internal::Slot* const slot = filch::pool_internal::current_slot;
  return slot != nullptr && slot->context != nullptr && slot->context->IsCancelled();
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::is_current_task_group_canceling;
using detail::d1::task_group_context;
}  // namespace v1
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_TASK_GROUP_CONTEXT_H_
