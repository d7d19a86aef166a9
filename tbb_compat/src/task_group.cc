// What task_group does seldom: binding its context elsewhere, and what has gone wrong.
#include "../include/oneapi/tbb/task_group.h"

#include <atomic>
#include <exception>
#include <utility>

#include "filch/pool/context.h"
#include "filch/pool/current_slot.h"

namespace tbb {

void task_group::BindElsewhere() {
  if (binding_.exchange(Binding::kDone, std::memory_order_relaxed) != Binding::kNone) {
    return;  // B1: once
  }
  if (HasOwnContext()) {
    detail::d1::ContextUse::BindOwn(my_context, guest_, filch::pool_internal::CurrentSlot());
  } else if (detail::d1::ContextUse::Begin(m_context, &guest_)) {
    binding_.store(Binding::kDoneForUser, std::memory_order_relaxed);  // B1: read after a wait
  }
}

void task_group::UnbindContext() {
  if (__builtin_expect(guest_.is_visiting(), 0)) guest_.Leave();
  if (__builtin_expect(HasOwnContext(), 1)) {
    binding_.store(Binding::kNone, std::memory_order_relaxed);  // B1: no task is left
    detail::d1::ContextUse::Detach(my_context);
    my_context.set_parent(home_);  // only to be looked at once it is bound
  } else if (binding_.exchange(Binding::kNone, std::memory_order_relaxed) ==  // B1: once
             Binding::kDoneForUser) {
    detail::d1::ContextUse::End(m_context);
  }
}

void task_group::Renew() {
  UnbindContext();
  m_context.reset();
}

// The exception is taken out first: the group is as new when it is thrown, and it need not
// be caught and thrown once more for that.
detail::d1::task_group_status task_group::SettleAndRenew() {
  filch::Context& context = tasks().context();
  const bool cancelled = is_canceling();
  std::exception_ptr exception = context.TakeException();
  if (exception || cancelled) {
    Renew();
  } else {
    UnbindContext();
  }
  if (exception) std::rethrow_exception(std::move(exception));
  return cancelled ? detail::d1::canceled : detail::d1::complete;
}

void task_group::AbandonTasks() {
  cancel();
  tasks().WaitForTasks();
  // An exception goes with it: that nobody waited is the worse news.
  Renew();
  if (std::uncaught_exceptions() != 0) return;
  CloseContext();
  detail::r1::throw_exception(detail::r1::exception_id::missing_wait);
}

void task_group::CloseContext() {
  guest_.~ContextGuest();
  my_context.~task_group_context();
}

}  // namespace tbb
