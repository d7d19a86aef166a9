#include "filch/pool/fork_join_task.h"

#include <cstddef>
#include <exception>
#include <initializer_list>
#include <new>
#include <utility>

#include "filch/pool/arena.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/join.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"
#include "filch/topology/contract.h"

namespace filch {
namespace pool_internal {

void ForkedTask::Start() {
  if (phase_ == Phase::kForked) Fail("filch::ForkJoinTask: a task was forked twice.");
  Slot& slot = CurrentSlot();
  DropResult();
  Renew();
  set_context(slot.context);
  arena_ = slot.arena;
  slot.Spawn(*this);
  phase_ = Phase::kForked;
}

bool ForkedTask::TakeBack() {
  Slot& slot = CurrentSlot();
  bool back = false;
  if (!complete()) {
    back = slot.arena == arena_ ? FinishJoin(slot, *this) : FinishJoinIn(*arena_, slot, *this);
  }
  if (back) slot.stats.dispatched.Increment();
  phase_ = Phase::kIdle;
  return back;
}

Task* ForkedTask::RunStolen(Task& task, Execution& execution) noexcept {
  auto& self = static_cast<ForkedTask&>(task);
  self.RunAsThief(execution.slot, [&self] { self.ComputeAndKeep(); });
  return nullptr;
}

void ForkedTask::ComputeAll(std::initializer_list<ForkedTask*> tasks) {
  for (const ForkedTask* const task : tasks) {
    if (task->phase_ == Phase::kForked) {
      Fail("filch::ForkJoinTask: a task that is forked was given to InvokeAll.");
    }
  }
  // The last one first, so that they come back in order.  What there is no
  // memory to fork is computed here, in its turn.
  std::size_t forked_from = tasks.size();
  try {
    for (; forked_from > 1; --forked_from) tasks.begin()[forked_from - 1]->Start();
  } catch (const std::bad_alloc&) {
  }
  ComputeFirst(tasks.begin(), tasks.size(), forked_from);
}

// Computes the tasks before `forked_from`, and then waits for the others.
void ForkedTask::ComputeFirst(ForkedTask* const* tasks, std::size_t count,
                              std::size_t forked_from) {
  std::exception_ptr first;
  for (std::size_t i = 0; i < count; ++i) {
    ForkedTask& task = *tasks[i];
    std::exception_ptr exception;
    if (i < forked_from || task.TakeBack()) {
      try {
        if (!first) task.ComputeAndKeep();
      } catch (...) {
        exception = std::current_exception();
      }
    } else {
      exception = task.TakeException();
    }
    if (exception && !first) first = std::move(exception);
    task.phase_ = Phase::kComputed;
  }
  if (!first) return;
  for (std::size_t i = 0; i < count; ++i) {
    tasks[i]->DropResult();
    tasks[i]->phase_ = Phase::kIdle;
  }
  std::rethrow_exception(std::move(first));
}

void ForkedTask::FailNotForked() {
  Fail("filch::ForkJoinTask: a task was joined that had not been forked.");
}

void ForkedTask::FailDestroyed() {
  Fail("filch::ForkJoinTask: a task was destroyed between Fork and Join.");
}

}  // namespace pool_internal
}  // namespace filch
