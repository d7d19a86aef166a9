#include "filch/pool/arena_sources.h"

#include <cstdint>
#include <vector>

#include "filch/pool/next_task.h"
#include "filch/pool/task.h"

namespace filch {
namespace pool_internal {

Choice ArenaSources::TakeMail() {
  Task* const task =
      scope_.isolation == 0 ? slot_.mailbox.Pop() : slot_.mailbox.PopIsolated(scope_.isolation);
  if (task == nullptr) return {};
  slot_.stats.mails.Increment();
  return {task, task->isolation(), Rule::kAffinity};
}

Choice ArenaSources::TakeShared() {
  if (!scope_.serves_queue) return {};
  return slot_.arena->TakeShared(slot_, scope_.isolation);
}

Choice ArenaSources::Steal() {
  if (!scope_.steals) return {};
  return slot_.arena->StealFor(slot_, scope_.isolation, last_resort_);
}

Choice ArenaSources::PopIsolated() {
  struct Entry {
    Task* task;
    std::uint64_t isolation;
  };
  std::vector<Entry> others;
  Choice found;
  // Nothing of the isolation was pushed before its region began.
  while (!found && slot_.deque.bottom() > slot_.isolation_floor) {
    Entry entry;
    if (!slot_.deque.Pop(&entry.task, &entry.isolation)) break;
    if (entry.isolation == scope_.isolation) {
      found = {entry.task, entry.isolation, Rule::kOwnDeque};
    } else {
      others.push_back(entry);
    }
  }
  for (auto entry = others.rbegin(); entry != others.rend(); ++entry) {
    slot_.deque.Push(entry->task, entry->isolation);
  }
  return found;
}

}  // namespace pool_internal
}  // namespace filch
