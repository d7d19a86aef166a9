#include "filch/pool/dispatch.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "filch/pool/arena.h"
#include "filch/pool/arena_sources.h"
#include "filch/pool/next_task.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"
#include "filch/topology/cpu_relax.h"

namespace filch {
namespace pool_internal {
namespace {

// How a task of rule 1 to 6 leaves the thread's state as it found it.
class RunningTask {
 public:
  explicit RunningTask(Slot& slot)
      : slot_(slot),
        isolation_(slot.isolation),
        floor_(slot.isolation_floor),
        context_(slot.context) {
    ++slot.depth;
  }
  ~RunningTask() {
    --slot_.depth;
    slot_.isolation = isolation_;
    slot_.isolation_floor = floor_;
    slot_.context = context_;
  }
  RunningTask(const RunningTask&) = delete;
  RunningTask& operator=(const RunningTask&) = delete;

  // Runs the task; `*returned` and `*ready` are what rules 1 and 2 ask for.
  void Run(const Choice& choice, Task** returned, Task** ready) {
    Task& task = *choice.task;
    if (choice.isolation != slot_.isolation) {
      slot_.isolation = choice.isolation;
      slot_.isolation_floor = slot_.deque.bottom();
    }
    slot_.context = task.context();
    Execution execution{slot_, task.context() != nullptr && task.context()->IsCancelled(),
                        task.successor()};
    slot_.stats.dispatched.Increment();
    *returned = task.Run(execution);
    // From here on the task may be gone; its successor waits for us.
    Task* const successor = execution.successor;
    *ready = successor != nullptr && successor->PredecessorDone() ? successor : nullptr;
  }

 private:
  Slot& slot_;
  const std::uint64_t isolation_;
  const std::int64_t floor_;
  Context* const context_;
};

// Runs `choice` and then what the six rules give, until they give nothing or
// `stop()` says so; rules 1 and 2 are followed to their end.
template <typename Sources, typename Stop>
void RunTasks(Sources& sources, Choice choice, const Stop& stop) {
  RunningTask running(sources.slot());
  while (choice) {
    Task* returned;
    Task* ready;
    running.Run(choice, &returned, &ready);
    if (returned == nullptr && ready == nullptr && stop()) return;
    choice = NextTask(sources, returned, ready);
  }
}

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

std::uintptr_t StackAddress() {
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

// What a thread that waits now may run meanwhile.  Deep in its stack it runs
// only what it has spawned itself; enqueued tasks are for outermost waits.
ArenaSources::Scope WaitScope(const Slot& slot) {
  const bool deep = StackAddress() < slot.stack_floor;
  return {slot.isolation, slot.depth == 0 && slot.isolation == 0 && !deep, !deep};
}

// Sleeps until `completion` unparks the slot, unless it is complete already.
// A thread that may not take any task is called for nothing else.
void Sleep(Slot& slot, Completion& completion) {
  completion.Enlist(slot.parker);
  if (!completion.IsComplete()) {
    slot.stats.parks.Increment();
    slot.parker.Park();
  }
  completion.Delist();
}

// The same for a thread that can be called for work as well; it counts as
// searching until here.
void SleepCallable(Slot& slot, Completion& completion, bool serves_queue) {
  Arena& arena = *slot.arena;
  completion.Enlist(slot.parker);
  arena.waiters().Add(slot.index);
  if (serves_queue) arena.queue_waiters().Add(slot.index);
  const bool found = arena.StopSearchingToSleep(slot, serves_queue);
  if (!found && !completion.IsComplete()) {
    slot.stats.parks.Increment();
    slot.parker.Park();
  }
  bool called = !arena.waiters().Remove(slot.index);
  if (serves_queue) called |= !arena.queue_waiters().Remove(slot.index);
  completion.Delist();
  // Called for work, and leaving: the call must not be lost.
  if ((called || found) && completion.IsComplete()) arena.ForwardWake(slot);
}

}  // namespace

void RunChain(Slot& slot, Choice choice) {
  ChainSources sources(slot);
  RunTasks(sources, choice, [] { return true; });
}

void RunUntilIdle(Slot& slot, Completion& completion) {
  ArenaSources sources(slot, WaitScope(slot));
  if (completion.IsComplete()) return;
  RunTasks(sources, NextTask(sources, nullptr, nullptr),
           [&completion] { return completion.IsComplete(); });
}

void WaitFor(Slot& slot, Completion& completion) {
  Arena& arena = *slot.arena;
  ArenaSources sources(slot, WaitScope(slot));
  const bool serves_queue = sources.scope().serves_queue;
  // A thread that may take anything can be called when there is work.
  const bool callable = sources.scope().isolation == 0 && sources.scope().steals;
  const auto complete = [&completion] { return completion.IsComplete(); };

  while (!complete()) {
    Choice choice = NextTask(sources, nullptr, nullptr);
    if (!choice && callable) {
      arena.StartSearching(serves_queue);
      choice = Search(sources, complete);
      if (!choice && !complete()) {
        SleepCallable(slot, completion, serves_queue);
        continue;
      }
      arena.StopSearching(slot, serves_queue);
    } else if (!choice) {
      choice = Search(sources, complete);
      if (!choice && !complete()) {
        Sleep(slot, completion);
        continue;
      }
    }
    RunTasks(sources, choice, complete);
  }
}

void Serve(Slot& slot, Stay& stay) {
  Arena& arena = *slot.arena;
  ArenaSources sources(slot, {});
  const auto stop = [&stay] { return stay.MustLeave(); };
  for (;;) {
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
