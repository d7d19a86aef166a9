#include "filch/pool/arena_sources.h"

#include <algorithm>
#include <cstdint>
#include <new>

#include "filch/pool/need_wake.h"
#include "filch/pool/next_task.h"
#include "filch/pool/slot.h"
#include "filch/pool/stay.h"
#include "filch/pool/task.h"

namespace filch {
namespace pool_internal {

void PutBack(Slot& slot, Task& task, std::uint64_t isolation) noexcept {
  // There is room, where it was; whoever looked meanwhile has not seen it, and may sleep now.
  slot.SpawnIn(isolation, task);
}

Choice ArenaSources::TakeMail() {
  Task* const task =
      scope_.isolation == 0 ? slot_.mailbox.Pop() : slot_.mailbox.PopIsolated(scope_.isolation);
  if (task == nullptr) return {};
  slot_.stats.mails.Increment();
  return IfMayBegin({task, task->isolation(), Rule::kAffinity});
}

Choice ArenaSources::TakeShared() {
  if (!scope_.serves_queue) return {};
  return slot_.arena->TakeShared(slot_, scope_.isolation);
}

Choice ArenaSources::Steal() {
  if (!scope_.steals) return {};
  // The thief of what this thread waits for, first: its tasks are a part of that.
  const int thief = awaited_ != nullptr ? awaited_->Thief() : -1;
  return IfMayBegin(slot_.arena->StealFor(slot_, scope_.isolation, reach_, thief));
}

Choice ArenaSources::IfMayBegin(const Choice& found) {
  if (stay_ == nullptr || !found || stay_->MayBegin()) return found;
  try {
    slot_.SpawnIn(found.isolation, *found.task);
  } catch (const std::bad_alloc&) {
    return found;  // nobody else would have it
  }
  return {};
}

Choice ArenaSources::PopRestricted() {
  if (scope_.isolation != 0) return PopIsolated();
  // What was inherited counts as stolen.
  if (!scope_.steals && slot_.deque.bottom() <= slot_.inherited) return {};
  Choice own;
  own.rule = Rule::kOwnDeque;
  if (!slot_.deque.Pop(&own.task, &own.isolation)) {
    slot_.inherited = 0;
    return {};
  }
  // What the thread pushes from now on is its own.
  slot_.inherited = std::min(slot_.inherited, slot_.deque.bottom());
  return own;
}

Choice ArenaSources::PopIsolated() {
  // The others on their way back, linked through themselves: this must not need
  // memory, or they would be lost.
  Task* others = nullptr;
  Choice found;
  // Nothing of the isolation was pushed before its region began.
  while (!found && slot_.deque.bottom() > slot_.isolation_floor) {
    Task* task;
    std::uint64_t isolation;
    if (!slot_.deque.Pop(&task, &isolation)) break;
    if (isolation == scope_.isolation) {
      found = {task, isolation, Rule::kOwnDeque};
      // One less was inherited, and the others come back above the gap.
      if (slot_.deque.bottom() < slot_.inherited) --slot_.inherited;
    } else {
      task->set_isolation(isolation);
      task->set_link(others);
      others = task;
    }
  }
  if (others == nullptr) return found;
  // There is room: the deque holds no more than before.
  do {
    Task* const task = others;
    others = task->link();
    slot_.deque.Push(task, task->isolation());
  } while (others != nullptr);
  // Whoever looked meanwhile has not seen them, and sleeps now; see Slot::Spawn.
  NeedWake::AfterPush();
  if (slot_.NeedsAttention()) slot_.Attend();
  return found;
}

}  // namespace pool_internal
}  // namespace filch
