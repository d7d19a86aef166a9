// The class task_group itself; <tbb/task_group.h> says what it is for.
#ifndef FILCH_TBB_COMPAT_DETAIL_TASK_GROUP_H_
#define FILCH_TBB_COMPAT_DETAIL_TASK_GROUP_H_

#include <cstdint>
#include <type_traits>
#include <utility>

#include "_assert.h"
#include "_config.h"
#include "_context_use.h"
#include "_exception.h"
#include "_function_handle.h"
#include "_group_binding.h"
#include "_run_guarded.h"
#include "_task_group_context.h"
#include "_task_handle.h"
#include "_wait_context.h"
#include "filch/pool/context_scope.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/slow_dispatch.h"
#include "filch/pool/wait_group.h"
#include "filch/topology/catch_all.h"
#include "filch/topology/forced_inline.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

enum task_group_status {
  not_complete,  // tasks may be left
  complete,      // all ran
  canceled,      // the group was cancelled; some may not have run
#if defined(TBB_PREVIEW_TASK_GROUP_EXTENSIONS) && TBB_PREVIEW_TASK_GROUP_EXTENSIONS
  // Not for everybody: a switch over the others is one over all of them.
  task_complete,  // the one that was asked for ran; others may be left
#endif
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail

// In tbb itself and not in an inline namespace: old programs declare it there.
class task_group {
 public:
  // With a context of its own, below that of the task that first runs something.
  task_group() : task_group(filch::pool_internal::CurrentSlotForGroup()) {}
  // With a context of the caller's, which must outlive the group.
  task_group(detail::d1::task_group_context& context)
      : my_context(),
        m_context(context),
        m_wait_vertex(detail::d1::ContextUse::ContextOf(m_context),
                      filch::pool_internal::CurrentSlotForGroup()),
        guest_(),
        home_(&detail::r1::NoContext()) {
    my_context.Mark();
  }
  // If there are tasks left: cancels, waits, and throws missing_wait unless an
  // exception is under way already.
  FILCH_FORCED_INLINE ~task_group() noexcept(false) {
    if (__builtin_expect(!tasks().IsComplete(), 0)) AbandonTasks();
    if (__builtin_expect(!my_context.untouched(), 0)) CloseContext();
  }
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;

  // Starts a task that calls f() as a constant. Any thread.
  template <typename F>
  FILCH_FORCED_INLINE void run(F&& f) {
    static_assert(!std::is_same_v<std::decay_t<F>, detail::d2::task_handle>,
                  "a task_handle is moved into run()");
    if constexpr (filch::pool_internal::kInRegisters<std::decay_t<F>>) {
      // The usual caller is where the group was made, so it is in a slot, and one look tells both.
      filch::pool_internal::Slot* const slot = filch::pool_internal::current_slot;
      if (__builtin_expect(!tasks().IsHome(slot), 0)) {
        return RunFromAfar<std::decay_t<F>>(std::forward<F>(f));
      }
      RunIn(*slot, std::forward<F>(f));
    } else {
      RunIn(filch::pool_internal::CurrentSlot(), std::forward<F>(f));
    }
  }

  // Starts the task, which must be one that this group deferred. Any thread.
  void run(detail::d2::task_handle&& handle) {
    detail::d2::HandleAccess::Check(handle, *this);
    detail::d2::HandleAccess::Spawn(handle);
  }

  // Makes a task that waits to be run. It counts as unfinished until it has run
  // or the handle is gone. Any thread.
  template <typename F>
  detail::d2::task_handle defer(F&& f) {
    return detail::d2::HandleAccess::Make<detail::d2::TaskFunction<std::decay_t<F>>>(
        *this, tasks(), std::forward<F>(f));
  }

  // The task of `successor` starts when that of `predecessor` is over, too: when it has
  // run, or when it never will because its handle was dropped or its group cancelled.
  // Until then run() and enqueue() only let the successor go; the arena of an enqueue()
  // must last. Both tasks are in handles, and there may be any number of predecessors and
  // successors. Throws std::bad_alloc. Any thread, several at once.
  //
  // These three are not part of oneTBB's interface yet; with
  // TBB_PREVIEW_TASK_GROUP_EXTENSIONS there is task_completion_handle too.
  static void set_task_order(detail::d2::task_handle& predecessor,
                             detail::d2::task_handle& successor) {
    detail::d2::HandleAccess::SetOrder(predecessor, successor);
  }
  // The same for a task that may have been started, or be over.
  static void set_task_order(const detail::d2::task_completion_handle& predecessor,
                             detail::d2::task_handle& successor) {
    detail::d2::HandleAccess::SetOrder(predecessor, successor);
  }
  // The task that calls this is over for its successors only when the task of `heir` is;
  // for its group it ends as always. Once in a task, and from the body of the task itself.
  // Throws std::bad_alloc.
  static void transfer_this_task_completion_to(detail::d2::task_handle& heir) {
    detail::d2::HandleAccess::TransferCompletion(heir);
  }

#if defined(TBB_PREVIEW_TASK_GROUP_EXTENSIONS) && TBB_PREVIEW_TASK_GROUP_EXTENSIONS
  // Waits for one task of this group, and runs tasks meanwhile, those of the group and
  // others; what a task that runs so waits for must not be what this wait is in the
  // middle of. Who passed its completion on is over when its heir is. task_complete if
  // the task ran to its end, whatever became of others. If it threw, that is thrown
  // again, by every wait for it. If it did not run, because its group was cancelled or
  // its handle dropped, the group's exception is thrown, or canceled is returned. The
  // group stays as it is, with its exception, until the wait for all of it. The handle
  // must not be empty. Any thread, several at once.
  detail::d1::task_group_status wait_for_task(const detail::d2::task_completion_handle& handle) {
    return detail::d2::HandleAccess::Wait(handle) ? detail::d1::task_complete
                                                  : detail::d1::canceled;
  }
  detail::d1::task_group_status wait_for_task(const detail::d2::task_handle&) = delete;
  // Starts the task, which must be one that this group deferred, and waits for it as
  // wait_for_task. Throws std::bad_alloc, and then the handle has the task. Any thread.
  detail::d1::task_group_status run_and_wait_for_task(detail::d2::task_handle&& handle) {
    const detail::d2::task_completion_handle completion(handle);
    run(std::move(handle));
    return wait_for_task(completion);
  }
  // What wait_for_task would return or canceled where it would throw; not_complete where
  // it would wait. What the task did is visible once it is over. Any thread.
  detail::d1::task_group_status get_status_of(
      const detail::d2::task_completion_handle& handle) const {
    switch (detail::d2::HandleAccess::StateOf(handle)) {
      case detail::d2::TaskCompletion::State::kNotOver:
        return detail::d1::not_complete;
      case detail::d2::TaskCompletion::State::kRan:
        return detail::d1::task_complete;
      case detail::d2::TaskCompletion::State::kFailed:
        break;
    }
    return detail::d1::canceled;
  }
#endif

  // Calls f() on this thread as a task of the group, and waits. Any thread.
  template <typename F>
  detail::d1::task_group_status run_and_wait(const F& f) {
    {
      const Unfinished unfinished(tasks());
      BindContext();
      filch::pool_internal::Slot& slot = filch::pool_internal::CurrentSlot();
      const filch::pool_internal::FpScope fp_scope(&tasks().context(), slot);
      const filch::ContextScope scope(tasks().context(), slot);
      if (!tasks().context().IsCancelled()) {
        FILCH_TRY { detail::d2::HandleAccess::CallAndRunResult(f); }
        FILCH_CATCH_ALL { detail::r1::KeepException(tasks().context()); }
      }
      detail::d1::PretendToCall(f);
    }
    return wait();
  }

  detail::d1::task_group_status run_and_wait(detail::d2::task_handle&& handle) {
    run(std::move(handle));
    return wait();
  }

  // The same with a function of TBB 2020's make_task, which stays the caller's
  // and must outlive the task.
  template <typename F>
  void run(detail::d2::function_handle<F>& handle) {
    run([&handle] { handle(); });
  }
  template <typename F>
  detail::d1::task_group_status run_and_wait(detail::d2::function_handle<F>& handle) {
    return run_and_wait([&handle] { handle(); });
  }

  // Waits for all tasks, and throws the first exception again. Any thread.
  detail::d1::task_group_status wait();

  // Asks tasks that have not started not to start. Any thread.
  void cancel() { m_context.cancel_group_execution(); }
  // Whether they will not. Any thread.
  bool is_canceling() const {
    return IsBound() ? m_context.is_group_execution_cancelled() : my_context.IsCancelledItself();
  }

 private:
  friend class detail::d2::DeferredTask;

  // What binding_ is about.
  class Standing;

  // Makes the group incomplete while it lives.  Who binds the context has one, or a task that
  // is counted: a wait for what was before that ends late leaves the context bound then.
  class Unfinished {
   public:
    explicit Unfinished(filch::WaitGroup& tasks) : tasks_(tasks) { tasks.Add(); }
    ~Unfinished() { tasks_.Withdraw(); }
    Unfinished(const Unfinished&) = delete;
    Unfinished& operator=(const Unfinished&) = delete;

   private:
    filch::WaitGroup& tasks_;
  };

  explicit task_group(filch::pool_internal::Slot& slot)
      : task_group(slot, IsLocalIn(slot.context) ? slot.context : nullptr) {}
  task_group(filch::pool_internal::Slot& slot, filch::Context* home)
      : my_context(home),
        m_context(my_context),
        m_wait_vertex(detail::d1::ContextUse::ContextOf(m_context), slot),
        guest_(),
        home_(home) {}

  bool HasOwnContext() const { return &m_context == &my_context; }
  // Whether what is above the context concerns the group.
  bool IsBound() const { return !HasOwnContext() || binding_.IsBound(); }

  void BindContext() {
    if (!BindHere(filch::pool_internal::CurrentSlot())) BindElsewhere();
  }
  // Whether it is bound at home now; else it may have to be bound elsewhere.
  bool BindHere(const filch::pool_internal::Slot& slot) {
    return binding_.BindHere([&] { return slot.context == home_; });
  }
  // The context of a caller, or of a group that was made elsewhere or not as a local
  // variable: the context that is current now may end before the group's tasks do.  The group is
  // not complete.  Throws std::bad_alloc, and then it is not bound.
  void BindElsewhere();
  // run() by the thread in the slot.
  template <typename F>
  FILCH_FORCED_INLINE void RunIn(filch::pool_internal::Slot& slot, F&& f) {
    if (__builtin_expect(!BindHere(slot), 0)) return RunElsewhere(std::forward<F>(f));
    tasks().RunOn(slot, detail::d2::GroupFunction<std::decay_t<F>>(std::forward<F>(f)));
  }
  // run() by a thread that is in no slot yet, or in another one than where the group was made.
  template <typename F>
  __attribute__((noinline)) void RunFromAfar(F f) {
    filch::pool_internal::Slot& slot = filch::pool_internal::CurrentSlot();
    if (__builtin_expect(!BindHere(slot), 0)) return RunElsewhere(std::move(f));
    tasks().RunFromAfar(slot, detail::d2::GroupFunction<F>(std::move(f)));
  }
  // run() where the context is to be bound elsewhere, or is until a wait.
  template <typename F>
  __attribute__((cold, noinline)) void RunElsewhere(F&& f) {
    const Unfinished unfinished(tasks());
    BindElsewhere();
    tasks().RunOn(filch::pool_internal::CurrentSlot(),
                  detail::d2::GroupFunction<std::decay_t<F>>(std::forward<F>(f)));
  }
  // After a wait: ends what is not for good, unless others have begun to run something again; who
  // waits for that does.  An own context has no guests afterwards.
  void UnbindContext();

  // After a wait: as new, but for what the context is bound to for good.
  void Renew();

  // Not inlined, so what is left of the wait and of the destructor is.
  __attribute__((cold)) detail::d1::task_group_status SettleAndRenew();
  __attribute__((cold)) void AbandonTasks();
  // The end of a context that was used for more than tasks, and of its visit; or of the use of the
  // caller's.
  __attribute__((cold)) void CloseContext();
  filch::WaitGroup& tasks() { return detail::d1::WaitAccess::Of(m_wait_vertex.get_context()); }

  // Whether the group is a local variable of the function that makes it, or of one nearby
  // that called that, and not one of a function outside of what has `context` on its stack.
  bool IsLocalIn(const filch::Context* context) const {
    constexpr std::uintptr_t kNearby = 16384;
    const char here = 0;
    const std::uintptr_t from = reinterpret_cast<std::uintptr_t>(&here) - kNearby;
    const std::uintptr_t distance = reinterpret_cast<std::uintptr_t>(this) - from;
    return distance < 2 * kNearby && reinterpret_cast<std::uintptr_t>(context) - from >= distance;
  }

  // Whether the context stands below the one that was current at its first run, or alone if there
  // was none.  If that one may end before the group, only until the next wait.
  detail::d1::GroupBinding binding_;

 protected:
  // What programs that derive from the group look at, under TBB's names.
  detail::d1::task_group_context& context() { return m_context; }

  // The group's own, whether it is used or not.  CloseContext destroys it, if it must be.
  union {
    detail::d1::task_group_context my_context;
  };
  detail::d1::task_group_context& m_context;      // the one that is used
  detail::d1::wait_context_vertex m_wait_vertex;  // what is not complete yet

 private:
  // The one that is used, where its parent may end first.  As my_context, which is marked
  // if this is used.
  union {
    filch::ContextGuest guest_;
  };
  // The context in which the group was made, if the group is a local variable there, so that
  // it outlives what is run there; null if there is none or if it may be otherwise.  The
  // group's own stands below it while it is not bound elsewhere, but nobody looks at it before
  // the group is bound: a group that is nearby may have been made by a function that is over.
  // Where the caller's is used, it is one that no task is in.
  filch::Context* const home_;
};

inline detail::d1::task_group_status task_group::wait() {
  using filch::pool_internal::SlowDispatch;
  tasks().WaitForTasks();
  // The usual group has its own context, and nothing has gone wrong here, and nothing in the
  // whole process.
  if (__builtin_expect(!my_context.untouched() || (SlowDispatch::IsNeeded() && is_canceling()),
                       0)) {
    return SettleAndRenew();
  }
  // There is nothing to unbind: a context that is untouched is no guest's host, and no guest.
  return detail::d1::complete;
}

namespace detail {
inline namespace filch_1 {
namespace d2 {
using tbb::task_group;
}  // namespace d2
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_TASK_GROUP_H_
