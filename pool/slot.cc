#include "filch/pool/slot.h"

#include <cstdint>
#include <new>

#include "filch/pool/arena.h"
#include "filch/pool/forked_child.h"
#include "filch/pool/task.h"
#include "filch/topology/tick_clock.h"

namespace filch {
namespace pool_internal {

__thread Slot* current_slot = nullptr;
__thread Slot* attached_slot = nullptr;

void Slot::SpawnOrMail(Task& task) noexcept {
  try {
    Spawn(task);
  } catch (const std::bad_alloc&) {
    Deliver(task, isolation);
    arena->NotifyPosted();
  }
}

void Slot::Deliver(Task& task, std::uint64_t of_task) {
  task.set_isolation(of_task);
  mailbox.Push(task);  // Q1: sequentially consistent, before the look for sleepers
  if (arena->IsAskedInIsolation(of_task)) Arena::WakeIsolated(of_task);
}

void Slot::ShareSome() {
  using Deque = decltype(deque);
  if (deque.private_size() <= 0) return;
  const std::uint32_t request = deque.request_word();
  deque.Expose();
  stats.exposures.Increment();
  if (request >= Deque::kByThief && concurrency > 2) thieves_came = true;
  if (request == Deque::kByInsistentThief) eager_sharing.Begin(Ticks());
  if (request == Deque::kByOwner && eager_sharing.active()) eager_sharing.Shared(Ticks());
  if (eager_sharing.active()) {
    // Once more, not only the others' part: the owner took some back when it had none of its own.
    deque.Expose();
    deque.RequestOwnExposure();
  }
  if (calls_to_spread > 0) arena->CallForPushed(*this);
}

void Slot::AnswerThieves() {
  // One of several thieves asked just before the last answer: if the owner gave away what it had
  // kept, it would soon have to take some of it back.
  if (concurrency > 2 && deque.request_word() == decltype(deque)::kByThief && deque.HasShared()) {
    deque.DropRequest();
    return stats.answers.Increment();
  }
  ShareSome();
}

void Slot::ShareEagerly() {
  eager_sharing.Begin(Ticks());
  deque.RequestOwnExposure();
}

void Slot::Attend() {
  ForkedChild::MustNotBeThisProcess();
  stats.answers.Increment();
  ExposeIfAsked();
  arena->AnswerNeedWake(*this);
}

// Not in Attend: who sleeps has shared and seen what was pushed before, and a thread that looks
// for the last time before it sleeps attends, too; it would wake itself.
void Slot::AttendToPush(std::uint64_t of_task) {
  Attend();
  if (!arena->IsAskedInIsolation(of_task)) return;
  ShareSome();  // so that who is woken finds it at once
  Arena::WakeIsolated(of_task);
}

void Slot::AttendBeforeOwn() {
  // The others are about to ask for the rest, too, when the thread is in a task and does not
  // hear it: ten of sixteen tasks of 10 us waited for it.
  if (thieves_came) ShareSome();
  thieves_came = false;
  Attend();
}

}  // namespace pool_internal
}  // namespace filch
