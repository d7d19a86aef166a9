#include <cstddef>
#include <cstdint>
#include <new>

#include "../include/oneapi/tbb/detail/_context_use.h"
#include "../include/oneapi/tbb/detail/_run_guarded.h"
#include "../include/oneapi/tbb/detail/_small_object_pool.h"
#include "../include/oneapi/tbb/detail/_task.h"
#include "../include/oneapi/tbb/detail/_task_group_context.h"
#include "../include/oneapi/tbb/detail/_wait_context.h"
#include "filch/pool/arena.h"
#include "filch/pool/closure_memory.h"
#include "filch/pool/context.h"
#include "filch/pool/context_scope.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/first_use.h"
#include "filch/pool/predecessors_wait.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"
#include "filch/pool/task_memory.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace r1 {

struct TaskAccess {
  static TaskNode& NodeOf(d1::task& t) { return t.node_; }
};

namespace {

using filch::pool_internal::CurrentSlot;
using filch::pool_internal::Slot;

// A task between the call of its function and its return: all that the scheduler
// looks at when the task may be gone.
struct RunningLowLevelTask {
  d1::task* object;  // null when it is destroyed
  void* block;       // null when it is given back, or was never ours
  int size_class;
  RunningLowLevelTask* outer;
};
thread_local RunningLowLevelTask* innermost_low_level = nullptr;

// What a waiting thread runs first is the only predecessor of nobody: the wait is
// over when that has run.
class Nobody final : public filch::Task {
 public:
  Nobody() : Task(nullptr, nullptr) { set_predecessors(1); }
};

TaskNode& Prepare(d1::task& t, task_group_context& context, const Slot& slot) {
  TaskNode& node = TaskAccess::NodeOf(t);
  node.set_context(&context);
  node.original_slot = static_cast<d1::slot_id>(slot.index);
  return node;
}

// Runs the task of the node.
filch::Task* Run(TaskNode& node, d1::execution_data data,
                 const filch::Execution& execution) noexcept {
  d1::task& object = node.object();
  filch::Context* const context = data.context;
  RunningLowLevelTask running{&object, nullptr, 0, innermost_low_level};
  if (node.HasBlock()) {
    running.block = reinterpret_cast<char*>(&object) - node.block_offset();
    running.size_class = node.size_class();
  }
  innermost_low_level = &running;
  d1::task* next = nullptr;
  bool cancelled = execution.cancelled;
  if (__builtin_expect(!cancelled, 1)) {
    try {
      next = object.execute(data);
    } catch (...) {
      KeepException(*context);
      cancelled = true;
    }
  }
  if (__builtin_expect(cancelled, 0)) next = object.cancel(data);
  innermost_low_level = running.outer;
  if (running.object == nullptr && running.block != nullptr) {
    FreeSmall(running.size_class, running.block);
  }
  if (next == nullptr) return nullptr;
  // A task that is returned has perhaps never been spawned.
  TaskNode& following = TaskAccess::NodeOf(*next);
  following.set_context(context);
  following.original_slot = static_cast<d1::slot_id>(execution.slot.index);
  return &following;
}

// A submission of a task that the scheduler may have already, so its node stays as it is.
class Submission final : public filch::Task {
 public:
  // Throws std::bad_alloc.
  static Submission& Make(Slot& slot, d1::task& t, task_group_context& context) {
    return Memory::Make(slot.memory, [&](void* memory) noexcept -> Submission& {
      return *::new (memory) Submission(slot, t, context);
    });
  }
  // Of one that the scheduler does not have (any more).
  static void Discard(Slot& slot, Submission& submission) {
    submission.~Submission();
    Memory::Free(slot.memory, &submission);
  }

 private:
  using Memory = filch::pool_internal::ClosureMemory<Submission>;

  Submission(const Slot& slot, d1::task& t, task_group_context& context)
      : Task(&Submission::RunSubmitted, &context),
        node_(TaskAccess::NodeOf(t)),
        original_slot_(static_cast<d1::slot_id>(slot.index)) {}
  ~Submission() = default;

  static Task* RunSubmitted(Task& task, filch::Execution& execution) noexcept {
    auto& self = static_cast<Submission&>(task);
    Task* const next = r1::Run(
        self.node_,
        {static_cast<task_group_context*>(self.context()), self.original_slot_, d1::no_slot},
        execution);
    Discard(execution.slot, self);  // now: it is the innermost task while it runs
    return next;
  }

  TaskNode& node_;
  const d1::slot_id original_slot_;
};

}  // namespace

filch::Context& NoContext() {
  static filch::pool_internal::FirstUse<filch::Context> context;
  return context.Get();
}

filch::Task* RunLowLevelTask(filch::Task& self, filch::Execution& execution) noexcept {
  auto& node = static_cast<TaskNode&>(self);
  return Run(
      node,
      {static_cast<task_group_context*>(node.context()), node.original_slot, node.affinity_slot},
      execution);
}

void* AllocateSmall(int size_class, std::size_t bytes) {
  if (size_class == kFromHeap) {
    return ::operator new (bytes, std::align_val_t{filch::pool_internal::kSmallestTask});
  }
  return CurrentSlot().memory.Allocate(size_class);
}

void FreeSmall(int size_class, void* block) {
  if (innermost_low_level != nullptr && innermost_low_level->block == block) {
    innermost_low_level->block = nullptr;
  }
  if (size_class == kFromHeap) {
    ::operator delete (block, std::align_val_t{filch::pool_internal::kSmallestTask});
  } else {
    CurrentSlot().memory.Free(size_class, block);
  }
}

void spawn(d1::task& t, task_group_context& context) {
  Slot& slot = CurrentSlot();
  slot.Spawn(Prepare(t, context, slot));
}

void spawn(d1::task& t, task_group_context& context, d1::slot_id id) {
  Slot& slot = CurrentSlot();
  TaskNode& node = Prepare(t, context, slot);
  node.affinity_slot = id;
  if (slot.SendsMailTo(id)) {
    slot.arena->Post(node, id, slot.isolation);
  } else {
    slot.Spawn(node);
  }
}

void submit(d1::task& t, task_group_context& context, filch::Arena* arena,
            std::uintptr_t as_critical) {
  Slot& slot = CurrentSlot();
  Submission& submission = Submission::Make(slot, t, context);
  if (as_critical == 0 && slot.arena == arena) {
    try {
      slot.Spawn(submission);
    } catch (...) {
      Submission::Discard(slot, submission);
      throw;
    }
  } else {
    arena->Enqueue(submission,
                   as_critical != 0 ? filch::Priority::kHigh : filch::Priority::kNormal);
  }
}

void execute_and_wait(d1::task& t, task_group_context& t_context, d1::wait_context& wait,
                      task_group_context& w_context) {
  const d1::ContextUse use(t_context);
  Slot& slot = CurrentSlot();
  Nobody nobody;
  WaitForPredecessors(slot, nobody, &Prepare(t, t_context, slot),
                      filch::pool_internal::Waiters::kMany);
  r1::wait(wait, w_context);
}

void wait(d1::wait_context& wait, task_group_context& context) {
  filch::WaitGroup& tasks = d1::WaitAccess::Of(wait);
  // That of a group that runs nothing may stand nowhere that could be looked at.
  if (!tasks.IsComplete()) {
    const d1::ContextUse use(context);
    tasks.WaitForTasks();
  }
  context.Rethrow();
}

d1::slot_id execution_slot(const d1::execution_data*) {
  return static_cast<d1::slot_id>(CurrentSlot().index);
}

d1::task* current_task_ptr() {
  return innermost_low_level != nullptr ? innermost_low_level->object : nullptr;
}

task_group_context* current_context() {
  return static_cast<task_group_context*>(d1::ContextUse::Current());
}

}  // namespace r1

namespace d1 {

task::~task() {
  r1::RunningLowLevelTask* const running = r1::innermost_low_level;
  if (running != nullptr && running->object == this) running->object = nullptr;
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb
