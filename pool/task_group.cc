#include "filch/pool/task_group.h"

#include <atomic>
#include <cstdint>
#include <exception>
#include <utility>

#include "filch/deque/asymmetric_fence.h"
#include "filch/pool/arena.h"
#include "filch/pool/completion.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/dispatch.h"
#include "filch/pool/enter.h"
#include "filch/pool/parker.h"
#include "filch/pool/run_tasks.h"
#include "filch/pool/slot.h"
#include "filch/pool/wait_table.h"

namespace filch {

using pool_internal::Completion;
using pool_internal::CurrentSlot;
using pool_internal::EnterScope;
using pool_internal::GlobalWaitTable;
using pool_internal::Parker;
using pool_internal::Slot;
using pool_internal::WaitTable;

class GroupCompletion final : public Completion {
 public:
  GroupCompletion(TaskGroup& group, Slot& slot)
      : group_(group),
        waiters_(pool_internal::GroupWaitersOf(group.home_)),
        at_home_(&slot == group.home_) {}

  bool IsComplete() const override { return group_.IsComplete(); }

  void Enlist(Parker& parker) override {
    waiter_.key = &group_;
    waiter_.parker = &parker;
    GlobalWaitTable().Enlist(waiter_);
    waiters_.fetch_add(1, std::memory_order_seq_cst);  // G3, G4: then look again
    // The thread in the home slot completes tasks without a fence of its own;
    // the waiter from elsewhere pays for both.
    if (!at_home_) AsymmetricFence::Heavy();  // G4
  }

  void Delist() override {
    waiters_.fetch_sub(1, std::memory_order_relaxed);  // G3, G4: one wake-up less
    GlobalWaitTable().Delist(waiter_);
  }

 private:
  TaskGroup& group_;
  std::atomic<std::uint32_t>& waiters_;
  const bool at_home_;
  WaitTable::Waiter waiter_;
};

void TaskGroup::Abandon() {
  Cancel();
  WaitForTasks();
}

void TaskGroup::CountRemoteSpawned(Slot& slot) {
  // G2: published with the task.
  remote_spawned_.fetch_add(1, std::memory_order_relaxed);
  if (slot.arena != home_->arena) {
    elsewhere_.store(slot.arena, std::memory_order_relaxed);  // G5: arenas outlive groups
  }
}

void TaskGroup::WakeWaiters(const void* key) { GlobalWaitTable().WakeAll(key); }

void TaskGroup::WaitForTasks() {
  Slot& slot = CurrentSlot();
  const auto complete = [this] { return IsComplete(); };
  if (__builtin_expect(slot.isolation == 0, 1) && pool_internal::RunOwnTasks(slot, complete))
    return;
  WaitForOthers(slot);
}

void TaskGroup::WaitForOthers(Slot& slot) {
  pool_internal::RunUntilIdle(slot, [this] { return IsComplete(); });
  if (IsComplete()) return;
  Arena* const elsewhere = slot.arena != home_->arena
                               ? home_->arena
                               : elsewhere_.load(std::memory_order_relaxed);  // G5: a hint
  if (elsewhere != nullptr && elsewhere != slot.arena) {
    // What is within reach is done; this thread may be the only one that can run
    // what is there.
    if (Slot* const there = elsewhere->OccupyToHelp()) {
      const EnterScope scope(*there);
      GroupCompletion completion(*this, *there);
      pool_internal::WaitFor(*there, completion);
      return;
    }
  }
  GroupCompletion completion(*this, slot);
  pool_internal::WaitFor(slot, completion);
}

bool TaskGroup::Settle() {
  const bool cancelled = context_->IsCancelled();
  std::exception_ptr exception = context_->TakeException();
  if (context_ == &own_context_) own_context_.Reset();
  if (exception) std::rethrow_exception(std::move(exception));
  return cancelled;
}

}  // namespace filch
