#include "filch/pool/dispatch.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "filch/pool/arena.h"
#include "filch/pool/arena_hook.h"
#include "filch/pool/arena_sources.h"
#include "filch/pool/enter.h"
#include "filch/pool/next_task.h"
#include "filch/pool/run_tasks.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"
#include "filch/pool/trace_buffer.h"
#include "filch/topology/cpu_relax.h"

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
  void PushOwn(Task& task) { slot_.Spawn(task); }
  Choice PopOwn() { return {}; }
  Choice TakeMail() { return {}; }
  Choice TakeShared() { return {}; }
  Choice Steal() { return {}; }

 private:
  Slot& slot_;
};

// Looks for a task by rules 3 to 6 for a while.  Returns at once when `stop()`.
template <typename Stop>
Choice Search(ArenaSources& sources, const Stop& stop) {
  using Clock = std::chrono::steady_clock;
  constexpr int kLongestPause = 32;  // of CpuRelax: about a third of a microsecond
  const Clock::time_point deadline = Clock::now() + sources.slot().arena->spin();
  for (int pause = 1;; pause = std::min(2 * pause, kLongestPause)) {
    const bool last_round = Clock::now() >= deadline;
    sources.set_last_resort(last_round);
    if (stop()) return {};
    const Choice choice = NextTask(sources, nullptr, nullptr);
    if (choice || last_round) {
      sources.set_last_resort(false);
      return choice;
    }
    for (int i = 0; i < pause; ++i) CpuRelax();
  }
}

void Park(Slot& slot) {
  slot.stats.parks.Increment();
  if (slot.trace != nullptr) slot.trace->Record(TraceKind::kParkBegin);
  slot.parker.Park();
  if (slot.trace != nullptr) slot.trace->Record(TraceKind::kParkEnd);
}

// Sleeps until `completion` unparks the slot, unless it is complete already.
// A thread that may not take any task is called for nothing else.
void Sleep(Slot& slot, Completion& completion) {
  completion.Enlist(slot.parker);
  if (!completion.IsComplete()) {
    Park(slot);
  }
  completion.Delist();
}

// The same for a thread that can be called for work as well; it counts as
// searching until here.  True: there is work, which somebody relies on it for.
bool SleepCallable(Slot& slot, Completion& completion, bool serves_queue) {
  Arena& arena = *slot.arena;
  completion.Enlist(slot.parker);
  arena.waiters().Add(slot.index);
  if (serves_queue) arena.queue_waiters().Add(slot.index);
  const bool found = arena.StopSearchingToSleep(slot, serves_queue);
  if (!found && !completion.IsComplete()) {
    Park(slot);
  }
  bool called = !arena.waiters().Remove(slot.index);
  if (serves_queue) called |= !arena.queue_waiters().Remove(slot.index);
  completion.Delist();
  return called || found;
}

}  // namespace

Outcome RunningTask::RunSlowly(Slot& slot, Task& task, Rule rule) {
  const bool cancelled = task.context() != nullptr && task.context()->IsCancelled();
  if (slot.trace == nullptr) return Call(slot, task, rule, cancelled);
  slot.trace->Record(TraceKind::kTaskBegin, static_cast<std::uint8_t>(rule));
  const Outcome outcome = Call(slot, task, rule, cancelled);
  slot.trace->Record(TraceKind::kTaskEnd);
  return outcome;
}

void RunChain(Slot& slot, Choice choice) {
  ChainSources sources(slot);
  RunTasks(sources, choice, [] { return true; });
}

void RunFollowers(Slot& slot, Followers followers) {
  ChainSources sources(slot);
  const Choice first = NextTask(sources, followers.returned, followers.ready);
  RunTasks(sources, first, [] { return true; });
}

void RunAll(Slot& slot) {
  ArenaSources sources(slot, {});
  sources.set_last_resort(true);
  RunTasks(sources, NextTask(sources, nullptr, nullptr), [] { return false; });
}

void WaitFor(Slot& slot, Completion& completion) {
  Arena& arena = *slot.arena;
  ArenaSources sources(slot, WaitScope(slot));
  const bool serves_queue = sources.scope().serves_queue;
  // A thread that may take anything can be called when there is work.
  const bool callable = sources.scope().isolation == 0 && sources.scope().steals;
  const auto complete = [&completion] { return completion.IsComplete(); };

  // A thread that was called for work takes it as one that searches: it is the
  // one who sees to it that somebody is called for what is left.
  bool called = false;
  while (!complete()) {
    Choice choice = called ? Choice{} : NextTask(sources, nullptr, nullptr);
    if (__builtin_expect(!choice && HooksWait(slot), 0)) TellHooksOfEntry(slot);
    if (!choice && callable) {
      arena.StartSearching(serves_queue);
      choice = Search(sources, complete);
      if (!choice && !complete()) {
        called = SleepCallable(slot, completion, serves_queue);
        continue;
      }
      arena.StopSearching(slot, serves_queue);
      called = false;
    } else if (!choice) {
      choice = Search(sources, complete);
      if (!choice && !complete()) {
        Sleep(slot, completion);
        continue;
      }
    }
    RunTasks(sources, choice, complete);
  }
  // Called for work, and leaving: the call must not be lost.
  if (called) arena.ForwardWake(slot);
}

void Serve(Slot& slot, Stay& stay) {
  Arena& arena = *slot.arena;
  ArenaSources sources(slot, {});
  const auto stop = [&stay] { return stay.MustLeave(); };
  for (;;) {
    if (__builtin_expect(HooksWait(slot), 0)) {
      arena.StopSearching(slot, true);
      TellHooksOfEntry(slot);
      arena.StartSearching(true);
    }
    const Choice choice = Search(sources, stop);
    if (choice) {
      arena.StopSearching(slot, true);
      RunTasks(sources, choice, stop);
      arena.StartSearching(true);
      continue;
    }
    stay.AnnounceSleep();
    if (!arena.StopSearchingToSleep(slot, true)) return;
    if (stay.MustLeave() || !stay.WithdrawSleep()) {
      // The work found last is for whoever is called next; that may be us.
      arena.ForwardWake(slot);
      return;
    }
    arena.StartSearching(true);
  }
}

}  // namespace pool_internal
}  // namespace filch
