#include "filch/pool/dispatch.h"

#include <cstdint>

#include "filch/pool/arena.h"
#include "filch/pool/arena_sources.h"
#include "filch/pool/context.h"
#include "filch/pool/fp_scope.h"
#include "filch/pool/hand_over.h"
#include "filch/pool/idle_loops.h"
#include "filch/pool/idle_thread.h"
#include "filch/pool/next_task.h"
#include "filch/pool/outcome.h"
#include "filch/pool/run_task.h"
#include "filch/pool/run_tasks.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"
#include "filch/pool/trace_buffer.h"

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

Outcome Dispatch::RunSlowly(Slot& slot, Task& task, Rule rule) {
  const bool cancelled = task.context() != nullptr && task.context()->IsCancelled();
  const FpScope fp_scope(task.context(), slot);
  if (slot.trace == nullptr) return Call<UnknownKind>(slot, task, rule, cancelled);
  slot.trace->Record(TraceKind::kTaskBegin, static_cast<std::uint8_t>(rule));
  const Outcome outcome = Call<UnknownKind>(slot, task, rule, cancelled);
  slot.trace->Record(TraceKind::kTaskEnd);
  return outcome;
}

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

void WaitFor(Slot& slot, Completion& completion) {
  const ArenaSources::Scope scope = WaitScope(slot);
  IdleThread thread(slot, scope, completion);
  WaitUntilComplete(thread, completion, IsCallable(scope), scope.serves_queue);
}

void WaitAfterLooking(Slot& slot, Completion& completion, ThiefShares then) {
  AwaitBriefly([&] {
    if (completion.IsComplete()) return true;
    const int thief = then == ThiefShares::kHelp ? completion.Thief() : -1;
    return thief >= 0 && slot.arena->slots()[thief].deque.HasShared();
  });
  if (!completion.IsComplete()) WaitFor(slot, completion);
}

Choice AwaitTask(Slot& slot, const ArenaSources::Scope& scope, Completion& completion) {
  IdleThread thread(slot, scope, completion);
  return AwaitTask(thread, completion, IsCallable(scope), scope.serves_queue);
}

void Serve(Slot& slot, Stay& stay) {
  IdleThread thread(slot, stay);
  ServeUntilIdle(thread, stay);
}

}  // namespace pool_internal
}  // namespace filch
