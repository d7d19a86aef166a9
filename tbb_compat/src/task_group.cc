// What task_group does seldom: binding its context elsewhere, and what has gone wrong.
#include "../include/oneapi/tbb/task_group.h"

#include <atomic>
#include <exception>
#include <thread>
#include <utility>

#include "filch/pool/context.h"
#include "filch/pool/context_scope.h"

namespace tbb {

void task_group::BindElsewhere() {
  Binding binding = Binding::kNone;
  while (!binding_.compare_exchange_strong(binding, Binding::kAlone,
                                           std::memory_order_seq_cst)) {  // B1: only one does
    // Who ends it has seen that the group is not complete, or lets others bind it.
    if (binding != Binding::kEnding) return;
    std::this_thread::yield();
    binding = Binding::kNone;
  }
  filch::Context* const current = filch::CurrentContext();
  if (HasOwnContext() && current == nullptr) {
    my_context.set_parent(nullptr);
    return;
  }
  binding = Binding::kVisit;
  if (!HasOwnContext()) {
    try {
      if (detail::d1::ContextUse::BeginToStay(m_context)) binding = Binding::kForUser;
    } catch (...) {
      binding_.store(Binding::kNone, std::memory_order_release);  // B1: to who binds it next
      throw;
    }
  } else if (!current->IsOrIsBelow(my_context)) {
    // Else it stays where it is: the calling thread works for it, or for one below.
    guest_.Visit(my_context, *current);
  }
  binding_.store(binding, std::memory_order_release);  // B1: to who unbinds it
}

void task_group::UnbindContext() {
  if (!tasks().IsComplete()) return;
  if (HasOwnContext()) my_context.PartWithGuests();
  // Several threads may be here.
  Binding binding = binding_.load(std::memory_order_relaxed);  // B1: looked at again
  for (;;) {
    switch (binding) {
      case Binding::kNone:
      case Binding::kAlone:
        return;
      case Binding::kHome:
        // A thread elsewhere may have bound it at the same time.
        BringHome();
        return;
      case Binding::kVisit:
      case Binding::kForUser:
        if (binding_.compare_exchange_weak(binding, Binding::kEnding,
                                           std::memory_order_seq_cst)) {  // B1: only one does
          return EndBinding(binding);
        }
        break;
      case Binding::kEnding:
        // It is over when the wait of this thread is, who may run something next.
        std::this_thread::yield();
        binding = binding_.load(std::memory_order_relaxed);  // B1: looked at again
    }
  }
}

void task_group::EndBinding(Binding binding) {
  // As long as this was said others could not bind it, and who did before had something to run.
  if (!tasks().IsComplete()) {
    binding_.store(binding, std::memory_order_release);  // B1: as it was
    return;
  }
  if (binding == Binding::kVisit) {
    BringHome();
  } else {
    detail::d1::ContextUse::End(m_context);
  }
  binding_.store(Binding::kNone, std::memory_order_release);  // B1: to who binds it next
}

void task_group::BringHome() {
  if (!HasOwnContext()) return;
  if (guest_.is_visiting()) guest_.Leave();
  my_context.set_parent(home_);  // only to be looked at once it is bound
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
