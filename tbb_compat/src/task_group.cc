// What task_group does seldom: binding its context elsewhere, and what has gone wrong.
#include "../include/oneapi/tbb/task_group.h"

#include <exception>
#include <thread>
#include <utility>

#include "filch/pool/context.h"
#include "filch/pool/context_scope.h"

namespace tbb {

// As binding_ asks for it.
class task_group::Standing {
 public:
  using State = detail::d1::GroupBinding::State;

  explicit Standing(task_group& group) : group_(group) {}

  bool IsComplete() const { return group_.tasks().IsComplete(); }
  State Bind() {
    if (!group_.HasOwnContext()) {
      return detail::d1::ContextUse::BeginToStay(group_.m_context) ? State::kForUser
                                                                   : State::kVisit;
    }
    filch::Context* const current = filch::CurrentContext();
    if (current == nullptr) {
      group_.my_context.set_parent(nullptr);
      return State::kAlone;
    }
    // Else it stays where it is: the calling thread works for it, or for one below.
    if (!current->IsOrIsBelow(group_.my_context)) group_.guest_.Visit(group_.my_context, *current);
    return State::kVisit;
  }
  void Unbind(State state) {
    if (state == State::kForUser) {
      detail::d1::ContextUse::End(group_.m_context);
    } else {
      BringHome();
    }
  }
  void BringHome() {
    if (!group_.HasOwnContext()) return;
    if (group_.guest_.is_visiting()) group_.guest_.Leave();
    group_.my_context.set_parent(group_.home_);  // only to be looked at once it is bound
  }
  static void Pause() { std::this_thread::yield(); }

 private:
  task_group& group_;
};

void task_group::BindElsewhere() { binding_.BindElsewhere(Standing(*this)); }

void task_group::UnbindContext() {
  if (!tasks().IsComplete()) return;
  if (HasOwnContext()) my_context.PartWithGuests();
  binding_.Unbind(Standing(*this));
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
  if (binding_.IsForUser()) detail::d1::ContextUse::End(m_context);
  guest_.~ContextGuest();
  my_context.~task_group_context();
}

}  // namespace tbb
