#include "filch/pool/join.h"

#include <exception>
#include <utility>

#include "filch/pool/announced_completion.h"
#include "filch/pool/arena.h"
#include "filch/pool/arena_sources.h"
#include "filch/pool/dispatch.h"
#include "filch/pool/enter.h"
#include "filch/pool/free_slot_completion.h"
#include "filch/pool/next_task.h"
#include "filch/pool/reenter.h"
#include "filch/pool/slot.h"
#include "filch/pool/wait_for.h"
#include "filch/pool/wait_table.h"

namespace filch {
namespace pool_internal {
namespace {

class JoinCompletion final : public AnnouncedCompletion<JoinTask> {
 public:
  explicit JoinCompletion(JoinTask& task) : AnnouncedCompletion(task) {}

  bool IsComplete() const override { return awaited().complete(); }
  int Thief() const override { return awaited().Thief(); }
};

}  // namespace

std::exception_ptr JoinTask::TakeException() {
  return latch_.threw() ? exception_.Empty() : nullptr;
}

void JoinTask::Rethrow() {
  if (std::exception_ptr exception = TakeException()) {
    std::rethrow_exception(std::move(exception));
  }
}

void JoinTask::Complete(bool threw) {
  // Only the address is used afterwards.
  if (latch_.Open(threw)) GlobalWaitTable().WakeAll(this);
}

bool TakeBackJoin(Slot& slot, JoinTask& task) {
  // What lies above the task in the deque was spawned by the first function
  // and not waited for; it runs first, as it would have in any other order.
  ArenaSources own(slot, ArenaSources::Scope::OwnAlone(slot.isolation));
  // Complete: a wait on this very thread may have run it, and what is left in the deque has
  // nothing to do with it.
  while (!task.complete()) {
    const Choice choice = own.PopOwn();
    // The deque was certified empty, so the task was stolen.
    if (!choice) return false;
    if (choice.task == &task) return true;
    RunChain(slot, choice);
  }
  return false;
}

void AwaitJoin(Slot& slot, JoinTask& task) {
  JoinCompletion completion(task);
  WaitAfterLooking(slot, completion, ThiefShares::kHelp);
}

void AwaitPeer(Slot& slot, JoinTask& task) {
  JoinCompletion completion(task);
  WaitAfterLooking(slot, completion, ThiefShares::kLookOn);
}

bool FinishJoin(Slot& slot, JoinTask& task) {
  if (TakeBackJoin(slot, task)) return true;
  AwaitJoin(slot, task);
  return false;
}

bool EndJoin(Slot& slot, JoinTask& task) {
  if (FinishJoin(slot, task)) return true;
  task.Rethrow();
  return false;
}

bool FinishJoinIn(Arena& arena, Slot& slot, JoinTask& task) {
  // It may lie in the thread's own deque there.
  if (Slot* const own = SlotBelow(slot, arena)) {
    const ReenterScope scope(*own);
    return FinishJoin(*own, task);
  }
  while (!task.complete()) {
    if (Slot* const there = arena.slots().OccupyToHelp()) {
      const EnterScope scope(*there);
      return FinishJoin(*there, task);
    }
    JoinCompletion joined(task);
    FreeSlotCompletion completion(joined, arena);
    WaitFor(slot, completion);
  }
  return false;
}

void AbandonJoin(Slot& slot, JoinTask& task) noexcept {
  if (FinishJoin(slot, task)) return;
  // The first function's exception is the one that counts.
  task.TakeException();
}

}  // namespace pool_internal
}  // namespace filch
