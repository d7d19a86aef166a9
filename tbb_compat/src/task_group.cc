// What task_group does seldom: binding its context elsewhere, and what has gone wrong.
#include "../include/oneapi/tbb/task_group.h"

#include <atomic>
#include <exception>
#include <utility>

#include "filch/pool/context.h"
#include "filch/pool/context_scope.h"

namespace tbb {

void task_group::BindElsewhere() {
  if (binding_.exchange(Binding::kDone, std::memory_order_relaxed) != Binding::kNone) {
    return;  // B1: once
  }
  if (!HasOwnContext()) {
    const bool binds = detail::d1::ContextUse::BeginToStay(m_context);
    binding_.store(binds ? Binding::kForUser : Binding::kVisit,
                   std::memory_order_relaxed);  // B1: read after a wait
    return;
  }
  filch::Context* const current = filch::CurrentContext();
  if (current == nullptr) {
    my_context.set_parent(nullptr);
    return;
  }
  // It stays where it is if the calling thread works for it, or for one below.
  if (!current->IsOrIsBelow(my_context)) guest_.Visit(my_context, *current);
  binding_.store(Binding::kVisit, std::memory_order_relaxed);  // B1: read after a wait
}

void task_group::UnbindContext() {
  const Binding binding = binding_.load(std::memory_order_relaxed);  // B1: no task is left
  if (binding > Binding::kDone) {
    binding_.store(Binding::kNone, std::memory_order_relaxed);  // B1: likewise
  }
  if (binding == Binding::kForUser) detail::d1::ContextUse::End(m_context);
  if (__builtin_expect(!HasOwnContext(), 0)) return;
  if (__builtin_expect(guest_.is_visiting(), 0)) guest_.Leave();
  filch::Context* const parent = binding == Binding::kDone ? my_context.parent() : home_;
  detail::d1::ContextUse::Detach(my_context);
  my_context.set_parent(parent);  // only to be looked at once it is bound
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
  // The last run may have been followed by no wait, or by one for the count alone.
  if (binding_.load(std::memory_order_relaxed) == Binding::kForUser) {  // B1: nobody else is there
    detail::d1::ContextUse::End(m_context);
  }
  guest_.~ContextGuest();
  my_context.~task_group_context();
}

}  // namespace tbb
