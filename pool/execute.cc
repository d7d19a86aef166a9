#include "filch/pool/execute.h"

#include <atomic>
#include <memory>

#include "filch/pool/arena.h"
#include "filch/pool/enter.h"
#include "filch/pool/parker.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"
#include "filch/pool/wait_table.h"

namespace filch {
namespace pool_internal {
namespace {

// Work that a thread wants done in a full arena.  The thread inside that finds
// it in the shared queue and the thread outside that gets a slot after all race
// for it, so it belongs to both.
class DelegatedTask final : public Task {
 public:
  explicit DelegatedTask(WorkRef work) : Task(&DelegatedTask::RunInside, nullptr), work_(work) {}

  void KeepUntilRun(std::shared_ptr<DelegatedTask> self) { self_ = std::move(self); }

  // True for the one who shall run the work.
  bool Claim() {
    return !claimed_.exchange(true, std::memory_order_relaxed);  // D1: the queue orders the rest
  }
  bool done() const { return done_.load(std::memory_order_seq_cst); }  // D2: after Enlist

 private:
  static Task* RunInside(Task& task, Execution&) noexcept {
    auto& self = static_cast<DelegatedTask&>(task);
    const std::shared_ptr<DelegatedTask> keep = std::move(self.self_);
    if (self.Claim()) {
      self.work_();
      self.done_.store(true, std::memory_order_seq_cst);  // D2: publishes the result
      GlobalWaitTable().WakeAll(&self);
    }
    return nullptr;
  }

  WorkRef work_;
  std::shared_ptr<DelegatedTask> self_;
  std::atomic<bool> claimed_{false};
  std::atomic<bool> done_{false};
};

}  // namespace

void ExecuteWhenPossible(Arena& arena, WorkRef work) {
  const auto task = std::make_shared<DelegatedTask>(work);
  task->KeepUntilRun(task);
  arena.Enqueue(*task);

  Parker parker;
  WaitTable::Waiter for_slot{arena.slot_key(), &parker, nullptr, nullptr};
  WaitTable::Waiter for_task{task.get(), &parker, nullptr, nullptr};
  arena.vacancy().AddSeeker();
  GlobalWaitTable().Enlist(for_slot);
  GlobalWaitTable().Enlist(for_task);
  bool taken = false;  // a thread inside runs it
  while (!task->done()) {
    Slot* const slot = taken ? nullptr : arena.OccupyFromOutside();
    if (slot != nullptr) {
      const EnterScope scope(*slot);
      if (task->Claim()) {
        work();
        break;
      }
      taken = true;
    }
    if (!task->done()) parker.Park();
  }
  GlobalWaitTable().Delist(for_task);
  GlobalWaitTable().Delist(for_slot);
  arena.vacancy().RemoveSeeker();
}

}  // namespace pool_internal
}  // namespace filch
