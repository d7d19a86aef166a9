// Enqueue: runs a function later, first come, first served; nobody waits for it.
//
// Enqueued functions are for independent requests, where Join and TaskGroup are
// for parts of one computation.  They start in about the order in which they
// came, even if every worker of the pool is switched off; a thread that waits
// inside a task does not take them.  For strict order there is SerialQueue.
//
// An exception that leaves the function ends the program (std::terminate), for
// nobody waits for it.
//
//   filch::Enqueue(arena, [request = std::move(request)] { Answer(request); });
//
// Memory ordering: what a thread did before Enqueue is visible to the function (Q1, Q2).
#ifndef FILCH_POOL_ENQUEUE_H_
#define FILCH_POOL_ENQUEUE_H_

#include <new>
#include <type_traits>
#include <utility>

#include "filch/pool/arena.h"
#include "filch/pool/closure_memory.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"

namespace filch {

namespace pool_internal {

// Calls its function, and is gone.
template <typename F>
class EnqueuedTask final : public Task {
 public:
  // With a function that is made of `sources`.
  template <typename... Sources>
  static EnqueuedTask& Make(Slot& slot, Sources&&... sources) {
    return ClosureMemory<EnqueuedTask>::Make(slot.memory, [&](void* memory) -> EnqueuedTask& {
      return *::new (memory) EnqueuedTask(std::forward<Sources>(sources)...);
    });
  }

 private:
  // Called by Make alone, so never in place of a copy.
  template <typename... Sources>
  explicit EnqueuedTask(Sources&&... sources)  // NOLINT(bugprone-forwarding-reference-overload)
      : Task(&EnqueuedTask::RunAndDestroy, nullptr), f_(std::forward<Sources>(sources)...) {}
  ~EnqueuedTask() = default;

  static Task* RunAndDestroy(Task& task, Execution& execution) noexcept {
    auto& self = static_cast<EnqueuedTask&>(task);
    self.f_();
    self.~EnqueuedTask();
    ClosureMemory<EnqueuedTask>::Free(execution.slot.memory, &self);
    return nullptr;
  }

  F f_;
};

}  // namespace pool_internal

// Puts f at the end of the arena's queue, behind those of the same and higher priority.
// Throws std::bad_alloc or what copying f throws, and then nothing is enqueued.  Any thread.
template <typename F>
void Enqueue(Arena& arena, F&& f, Priority priority = Priority::kNormal) {
  using EnqueuedTaskOfF = pool_internal::EnqueuedTask<std::decay_t<F>>;
  arena.Enqueue(EnqueuedTaskOfF::Make(pool_internal::CurrentSlot(), std::forward<F>(f)), priority);
}

}  // namespace filch

#endif  // FILCH_POOL_ENQUEUE_H_
