#include "filch/pool/arena_sources.h"

#include <algorithm>
#include <cstdint>
#include <new>

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
  slot_.stolen_from = nullptr;
  const Choice found = slot_.arena->StealFor(slot_, scope_.isolation, reach_, thief);
  // Who waits for something asks after each task whether that is over.
  if (stay_ == nullptr) slot_.stolen_from = nullptr;
  return IfMayBegin(found);
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
  Task* task;
  std::int64_t gap;
  // Nothing of the isolation was pushed before its region began.
  const std::int64_t from = std::min(slot_.isolation_floor, slot_.came_down_from);
  if (!slot_.deque.PopOf(scope_.isolation, from, &task, &gap)) return {};
  if (gap < slot_.inherited) --slot_.inherited;  // for what was inherited above it came down
  // What came down may lie below the floor of its region now: of one further down the stack, or
  // of one that the thread will enter again.
  if (gap < slot_.deque.bottom()) slot_.came_down_from = std::min(slot_.came_down_from, gap);
  return {task, scope_.isolation, Rule::kOwnDeque};
}

}  // namespace pool_internal
}  // namespace filch
