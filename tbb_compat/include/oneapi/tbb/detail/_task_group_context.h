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
#include <exception>

#include "_config.h"
#include "filch/pool/context.h"
#include "filch/pool/context_scope.h"
#include "filch/pool/fp_scope.h"
#include "filch/pool/in_memory.h"
#include "filch/pool/slot.h"
#include "filch/pool/slow_dispatch.h"
#include "filch/topology/catch_all.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace r1 {
// Ends the process if a global_control asks that for exceptions which leave a
// task. Called while the exception is handled.
void EndIfExceptionsTerminate() noexcept;
// The same, and else cancels the context of the task. Whether those who wait are to hear of
// the exception; as with oneTBB they are not if the context, or one above it, was cancelled
// before, unless by another exception that was noted in this context. Who is told no does
// not throw it again.
bool NoteException(filch::Context& context) noexcept;
// The same for the context that the calling thread works for, which must be one of this
// folder's.
bool NoteException() noexcept;
// As the first, and the context keeps the exception if those who wait are to hear of it.
void KeepException(filch::Context& context) noexcept;
// Whether the context that the calling thread works for, if any, is cancelled.
bool CurrentContextIsCancelled() noexcept;
}  // namespace r1

namespace d1 {
class ContextUse;
}  // namespace d1
}  // namespace filch_1
}  // namespace detail

class task_group;

// What a group's tasks that are enqueued prefer; only programs of TBB 2020 set
// it.
enum priority_t { priority_low = 1, priority_normal = 2, priority_high = 3 };

// In tbb itself and not in an inline namespace: old programs declare it there.
// It has no data beside the pool's context, so that every context of the pool
// can be looked at as one.
class task_group_context : public filch::Context {
 public:
  enum kind_type { isolated, bound };
  // With fp_settings, tasks run with the floating-point settings that the thread
  // has which makes the context. With concurrent_wait, several threads may wait for
  // one tbb::task; for all else they always may. The scheduler carries every
  // exception as it is, so exact_exception means nothing.
  enum traits_type : std::uintptr_t {
    fp_settings = 2,
    concurrent_wait = 4,
    exact_exception = std::uintptr_t{1} << 16,
    default_traits = 0
  };

  task_group_context(kind_type kind = bound, std::uintptr_t traits = default_traits)
      : task_group_context(kind, traits, nullptr) {
    if ((traits & fp_settings) != 0) StartWithFpSettings();
  }
  task_group_context(const task_group_context&) = delete;
  task_group_context& operator=(const task_group_context&) = delete;

  // Asks tasks that have not started not to start. True for the first call
  // since the last reset(). Any thread.
  bool cancel_group_execution() { return Cancel(); }

  // Whether this context, or one above it while it is in use, was cancelled.
  // Any thread.
  bool is_group_execution_cancelled() const { return IsCancelled(); }

  // As new. Only while no task of the context is left.
  void reset() {
    Reset();
    if (__builtin_expect((Notes() & kThrew) != 0, 0)) {
      notes().fetch_and(~kThrew, std::memory_order_relaxed);  // U3: all is over
    }
  }

  // Keeps the exception that is being handled, and cancels, unless the context, or one above
  // it, was cancelled before.
  void register_pending_exception();

  // The group's tasks run with the floating-point settings that the calling thread
  // has now. Only while no task of the context is left.
  void capture_fp_settings() { CaptureFpSettings(); }
  std::uintptr_t traits() const {
    return Notes() >> kTraitsShift;  // U2: never changes
  }

  // What enqueued tasks of the group prefer. Any thread.
  void set_priority(priority_t level) {
    const auto bits = static_cast<std::uint32_t>(level) << kPriorityShift;
    notes().fetch_and(~kPriorityMask | bits, std::memory_order_relaxed);  // U2: a hint
    notes().fetch_or(bits, std::memory_order_relaxed);                    // U2: a hint
  }
  priority_t priority() const {
    const std::uint32_t level = (Notes() & kPriorityMask) >> kPriorityShift;
    return level == 0 ? priority_normal : static_cast<priority_t>(level);
  }

 private:
  friend class detail::d1::ContextUse;
  friend class task_group;

  // The parts of the pool's word for whoever made the context.
  static constexpr std::uint32_t kIsolated = 1;
  static constexpr std::uint32_t kBound = 2;  // stands below another one now
  static constexpr int kPriorityShift = 2;
  static constexpr std::uint32_t kPriorityMask = 3u << kPriorityShift;
  static constexpr std::uint32_t kThrew = 16;  // an exception cancelled it
  static constexpr int kTraitsShift = 8;

  task_group_context(kind_type kind, std::uintptr_t traits, filch::Context* parent)
      : Context(parent, static_cast<std::uint32_t>(traits << kTraitsShift) |
                            (kind == isolated ? kIsolated : 0)) {}

  std::uint32_t Notes() const {
    return notes().load(std::memory_order_relaxed);  // U2: constants and a hint
  }
};

namespace detail {
inline namespace filch_1 {
namespace d1 {
using tbb::task_group_context;

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

  // What r1::NoteException says.
  static bool NoteException(filch::Context& context) {
    std::atomic<std::uint32_t>& notes = context.notes();
    if (context.IsCancelled() &&
        (notes.load(std::memory_order_relaxed) & task_group_context::kThrew) == 0) {  // U3: own
      return false;
    }
    // Before the context is cancelled, so that the same exception counts once more where it
    // leaves an algorithm that the context's tasks call with the same context.
    notes.fetch_or(task_group_context::kThrew, std::memory_order_relaxed);  // U3: a hint
    context.Cancel();
    return true;
  }
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

// parallel_invoke has a context of its own in each call, so what is necessary only at its
// end, and seldom, stays in memory.

// A context below the one that the calling thread works for.
class OwnContext {
 public:
  explicit OwnContext(const filch::pool_internal::Slot& slot) : context_(slot), address_(this) {}
  __attribute__((always_inline)) ~OwnContext() {
    if (__builtin_expect(!context_.untouched(), 0)) address_.Get()->context_.~Fresh();
  }
  OwnContext(const OwnContext&) = delete;
  OwnContext& operator=(const OwnContext&) = delete;

  filch::Context& get() { return context_; }

 private:
  using Fresh = ContextUse::Fresh;

  // Destroyed only if it was used: else there is nothing to do.
  union {
    Fresh context_;
  };
  const filch::pool_internal::InMemory<OwnContext*> address_;
};

// The thread in `slot` works again for the context that it worked for, `outer`, when the
// scope ends.  It refers to variables and has none, because those that stay in memory
// would keep the others there.  ContextScope and OutermostFpScope, which are not of this
// form, would cost a call of parallel_invoke four instructions of about a hundred, and no
// fewer if what they keep were InMemory.
class OuterContextAtEnd {
 public:
  using Outer = filch::pool_internal::InMemory<filch::Context*>;

  OuterContextAtEnd(filch::pool_internal::Slot& slot, const Outer& outer,
                    filch::pool_internal::OutermostFp& outermost_fp)
      : slot_(slot), outer_(outer), outermost_fp_(outermost_fp) {}
  __attribute__((always_inline)) ~OuterContextAtEnd() {
    filch::Context* const outer = outer_.Get();
    slot_.context = outer;
    if (__builtin_expect(outer == nullptr, 0)) outermost_fp_.End();
  }
  OuterContextAtEnd(const OuterContextAtEnd&) = delete;
  OuterContextAtEnd& operator=(const OuterContextAtEnd&) = delete;

 private:
  filch::pool_internal::Slot& slot_;
  const Outer& outer_;
  filch::pool_internal::OutermostFp& outermost_fp_;
};

// Calls work(context) with a context that is bound to the current one, and costs next to
// nothing if the thread works for one.
template <typename Work>
inline __attribute__((always_inline)) void WithOwnContext(filch::pool_internal::Slot& slot,
                                                          const Work& work) {
  const OuterContextAtEnd::Outer outer(slot.context);
  filch::pool_internal::OutermostFp outermost_fp;
  if (__builtin_expect(slot.context == nullptr, 0)) outermost_fp.Begin(slot);
  OwnContext own(slot);
  const OuterContextAtEnd end(slot, outer, outermost_fp);
  slot.context = &own.get();
  work(own.get());
}
// The same for loops, which a thread that works for none comes back to after a while.
template <typename Work>
inline void WithOwnContext(const Work& work) {
  filch::pool_internal::Slot& slot = filch::pool_internal::CurrentSlot();
  const filch::pool_internal::OutermostFpScope fp_scope(slot);
  OwnContext own(slot);
  const filch::ContextScope scope(own.get(), slot);
  work(own.get());
}

// Calls f() as part of `context`, which it cancels if f throws. False: f threw what nobody
// is to hear of.
template <typename F>
inline bool RunGuarded(filch::Context& context, const F& f) {
  FILCH_TRY {
    f();
    return true;
  }
  FILCH_CATCH_ALL {
    if (r1::NoteException(context)) FILCH_RETHROW;
  }
  return false;
}
// The same in the context that the calling thread works for.
template <typename F>
inline bool RunGuarded(const F& f) {
  FILCH_TRY {
    f();
    return true;
  }
  FILCH_CATCH_ALL {
    if (r1::NoteException()) FILCH_RETHROW;
  }
  return false;
}
// The same for a loop, which looks whether the context was cancelled before it goes on, and
// throws what that keeps when it is over: the exception is thrown once less on its way.
template <typename F>
inline void RunKeeping(filch::Context& context, const F& f) {
  FILCH_TRY { f(); }
  FILCH_CATCH_ALL { r1::KeepException(context); }
}
// As the first for an f that makes what nothing can go on without: everybody hears of what it
// throws.
template <typename F>
inline void MakeGuarded(filch::Context& context, const F& f) {
  FILCH_TRY { f(); }
  FILCH_CATCH_ALL {
    r1::NoteException(context);
    FILCH_RETHROW;
  }
}

// Whether the context of the task that runs now was cancelled; false outside of
// tasks. Any thread.
inline bool is_current_task_group_canceling() {
  // Nearly always nothing in the process is.
  return filch::pool_internal::SlowDispatch::IsNeeded() && r1::CurrentContextIsCancelled();
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail

inline void task_group_context::register_pending_exception() {
  if (detail::d1::ContextUse::NoteException(*this)) Capture(std::current_exception());
}
inline namespace v1 {
using detail::d1::is_current_task_group_canceling;
}  // namespace v1
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_TASK_GROUP_CONTEXT_H_
