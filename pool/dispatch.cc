#include "filch/pool/dispatch.h"

#include "filch/pool/arena_sources.h"
#include "filch/pool/context.h"
#include "filch/pool/next_task.h"
#include "filch/pool/outcome.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"

namespace filch {
namespace pool_internal {
namespace {

// The sources of a thread that wants to run one task and what follows from it:
// rules 3 to 6 find nothing.
class ChainSources {
 public:
  explicit ChainSources(Slot& slot) : slot_(slot) {}
  Slot& slot() { return slot_; }
  Choice Inherit(Task* task, Rule rule) { return {task, slot_.isolation, rule}; }
  void PushOwn(Task& task) { slot_.SpawnSurely(task); }
  Choice PopSibling(const Task&) { return {}; }
  Choice PopOwn() { return {}; }
  Choice TakeMail() { return {}; }
  Choice TakeShared() { return {}; }
  Choice Steal() { return {}; }

 private:
  Slot& slot_;
};

}  // namespace

void RunChain(Slot& slot, Choice choice) {
  ChainSources sources(slot);
  RunTasks(sources, choice, [] { return true; });
}

void RunTasksOfMany(Slot& slot, const Context& context) {
  constexpr int kFew = 32;
  for (int i = 0; i < kFew; ++i) {
    Choice own;
    own.rule = Rule::kOwnDeque;
    if (!slot.deque.Pop(&own.task, &own.isolation)) return;
    const bool of_group = own.task->context() == &context;
    // As in RunOwnTasks.
    if (__builtin_expect(slot.NeedsAttention(), 0)) slot.Attend();
    RunOwnTask(slot, own);
    if (!of_group) return;
  }
}

void RunFollowers(Slot& slot, Followers followers) {
  ChainSources sources(slot);
  const Choice first = NextTask(sources, followers.returned, followers.ready);
  RunTasks(sources, first, [] { return true; });
}

void RunAll(Slot& slot) {
  ArenaSources sources(slot, {});
  sources.set_reach(Reach::kLastResort);
  RunTasks(sources, NextTask(sources, nullptr, nullptr), [] { return false; });
}

}  // namespace pool_internal
}  // namespace filch
