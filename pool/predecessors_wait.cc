#include "filch/pool/predecessors_wait.h"

#include <cstdint>

#include "filch/pool/arena_sources.h"
#include "filch/pool/completion.h"
#include "filch/pool/dispatch.h"
#include "filch/pool/next_task.h"
#include "filch/pool/parker.h"
#include "filch/pool/run_tasks.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"
#include "filch/pool/wait_table.h"

namespace filch {
namespace pool_internal {
namespace {

class PredecessorsCompletion final : public Completion {
 public:
  explicit PredecessorsCompletion(Task& task) : task_(task) {}

  bool IsComplete() const override { return task_.predecessors() == 1; }

  void Enlist(Parker& parker) override {
    waiter_.key = &task_;
    waiter_.parker = &parker;
    GlobalWaitTable().Enlist(waiter_);
    task_.AnnounceWaiter();
  }

  // The announcement stays: it costs the next waiter a wake-up at most.
  void Delist() override { GlobalWaitTable().Delist(waiter_); }

 private:
  Task& task_;
  WaitTable::Waiter waiter_;
};

// Rules 1 to 3 for the thread in `slot`, outside of any isolation.
class OwnSources {
 public:
  explicit OwnSources(Slot& slot) : slot_(slot) {}

  Choice Inherit(Task* task, Rule rule) { return {task, slot_.isolation, rule}; }
  void PushOwn(Task& task) { slot_.Spawn(task); }
  Choice PopOwn() {
    if (__builtin_expect(slot_.NeedsAttention(), 0)) slot_.Attend();
    Choice own{nullptr, 0, Rule::kOwnDeque};
    if (!slot_.deque.Pop(&own.task, &own.isolation)) own.task = nullptr;
    return own;
  }
  Choice TakeMail() { return {}; }
  Choice TakeShared() { return {}; }
  Choice Steal() { return {}; }

 private:
  Slot& slot_;
};

// Runs `choice` and then own tasks until one predecessor is left, or until there
// is none to run.  The completions of predecessors that run here are counted
// here, and the task learns of them when this returns: nobody else waits for it.
void RunOwnPredecessors(Slot& slot, Task& task, Choice choice) {
  OwnSources sources(slot);
  RunningTask running(slot);
  std::int32_t done = 0;
  for (;;) {
    Task* returned = nullptr;
    Task* ready = nullptr;
    if (choice) {
      Task* const successor = running.RunAlone(choice, &returned);
      if (successor == &task) {
        ++done;
      } else if (successor != nullptr && successor->PredecessorDone()) {
        ready = successor;
      }
    }
    if (returned == nullptr && ready == nullptr && task.predecessors() - done == 1) break;
    choice = NextTask(sources, returned, ready);
    if (!choice) break;
  }
  task.PredecessorsDone(done);
}

}  // namespace

void WaitForPredecessors(Slot& slot, Task& task, Task* first, Waiters waiters) {
  const Choice choice{first, slot.isolation, first != nullptr ? Rule::kReturned : Rule::kNone};
  if (__builtin_expect(slot.isolation == 0 && waiters == Waiters::kOne, 1)) {
    RunOwnPredecessors(slot, task, choice);
  } else if (first != nullptr) {
    RunChain(slot, choice);
  }
  if (task.predecessors() == 1) return;
  PredecessorsCompletion completion(task);
  WaitFor(slot, completion);
}

}  // namespace pool_internal
}  // namespace filch
