// tbb::detail::d1::task: the task below oneTBB's algorithms.
//
// oneTBB does not document it, but libstdc++'s <execution> and some programs
// derive from it.  Prefer task_group; and tbb::task, a class of another kind, for
// programs of TBB 2020.
//
// execute() runs once for each time the task was spawned or returned, or cancel()
// if the task's context was cancelled before or if execute() threw.  Either may
// destroy the task, and returns the task to run next on this thread, or null.
// Nothing of the task is touched afterwards, so it may also have been handed to
// another thread, or live on the stack of a thread that waits for it.
//
//   struct Hello : tbb::detail::d1::task {
//     explicit Hello(wait_context& done) : done(done) {}
//     task* execute(execution_data&) override { Greet(); done.release(); return nullptr; }
//     task* cancel(execution_data&) override { done.release(); return nullptr; }
//     wait_context& done;
//   };
//   wait_context done{1};
//   Hello hello{done};
//   execute_and_wait(hello, context, done, context);
//
// A task from small_object_allocator that destroys itself and is not deallocated
// is deallocated for it: libstdc++ 12 forgets most of the tasks of a sort.
#ifndef FILCH_TBB_COMPAT_DETAIL_TASK_H_
#define FILCH_TBB_COMPAT_DETAIL_TASK_H_

#include <cstddef>
#include <cstdint>

#include "_config.h"
#include "_task_group_context.h"
#include "_wait_context.h"
#include "filch/pool/task.h"

namespace filch {
class Arena;
}  // namespace filch

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

class small_object_allocator;
class task;

// A place in an arena.
using slot_id = std::uint16_t;
inline constexpr slot_id no_slot = 0xffff;
inline constexpr slot_id any_slot = no_slot - 1;

// What a task learns when it runs; gone when it returns.
struct execution_data {
  task_group_context* context = nullptr;
  slot_id original_slot = no_slot;  // where the task was spawned
  slot_id affinity_slot = no_slot;  // where it was asked to run
};

}  // namespace d1

namespace r1 {

// The scheduler's node of a d1::task, which is a member of it.
class TaskNode final : public filch::Task {
 public:
  explicit TaskNode(d1::task& object);

  d1::task& object() const { return object_; }

  // Where the object begins, if it is in a block of small_object_allocator: so
  // many bytes in front of the task, in a block of that size class.
  void set_block(std::ptrdiff_t offset, int size_class) {
    if (offset > 0xff) return;  // such an object deallocates itself, or nobody does
    block_offset_ = static_cast<std::uint8_t>(offset);
    size_class_ = static_cast<std::uint8_t>(size_class);
  }
  bool HasBlock() const { return size_class_ != kNone; }
  int size_class() const { return size_class_; }
  std::ptrdiff_t block_offset() const { return block_offset_; }

  d1::slot_id original_slot = d1::no_slot;

 private:
  static constexpr std::uint8_t kNone = 0xff;

  std::uint8_t block_offset_ = 0;
  std::uint8_t size_class_ = kNone;
  d1::task& object_;

 public:
  d1::slot_id affinity_slot = d1::no_slot;
};

struct TaskAccess;
// What the pool calls to run a d1::task.
filch::Task* RunLowLevelTask(filch::Task& node, filch::Execution& execution) noexcept;

// Any thread, all of them.
void spawn(d1::task& t, task_group_context& context);
void spawn(d1::task& t, task_group_context& context, d1::slot_id slot);
void submit(d1::task& t, task_group_context& context, filch::Arena* arena,
            std::uintptr_t as_critical);
void execute_and_wait(d1::task& t, task_group_context& t_context, d1::wait_context& wait,
                      task_group_context& w_context);
void wait(d1::wait_context& wait, task_group_context& context);
d1::slot_id execution_slot(const d1::execution_data* data);
task_group_context* current_context();
d1::task* current_task_ptr();

}  // namespace r1

namespace d1 {

class task {
 public:
  task() : node_(*this) {}
  // Another task, which nobody has given to the scheduler.
  task(const task&) : task() {}
  task& operator=(const task&) = delete;

  virtual task* execute(execution_data& data) = 0;
  virtual task* cancel(execution_data& data) = 0;

 protected:
  // Tells the scheduler, if the task is the one that this thread runs.
  virtual ~task();

 private:
  friend struct r1::TaskAccess;
  friend class small_object_allocator;

  r1::TaskNode node_;
};

// Hands the task to the scheduler, as part of the context. Throws std::bad_alloc,
// and then the scheduler does not have it. Any thread.
inline void spawn(task& t, task_group_context& context) { r1::spawn(t, context); }
// The same; the thread in that slot of the arena is asked first.
inline void spawn(task& t, task_group_context& context, slot_id slot) {
  r1::spawn(t, context, slot);
}

// Hands the task to an arena, also from outside of it, and also if the scheduler has it
// already: then it runs once more. A critical one is run before others. Throws
// std::bad_alloc, and then the scheduler does not have it. Any thread.
using r1::submit;

// Runs the task here, and others until the count is zero. Then throws what a task
// of `w_context` has thrown; the context keeps it until its reset. Any thread.
inline void execute_and_wait(task& t, task_group_context& t_context, wait_context& wait,
                             task_group_context& w_context) {
  r1::execute_and_wait(t, t_context, wait, w_context);
}
// The same without the first task.
inline void wait(wait_context& wait, task_group_context& context) { r1::wait(wait, context); }

inline task_group_context* current_context() { return r1::current_context(); }
// The innermost such task that this thread runs; null outside, and when it has destroyed
// itself. Any thread.
inline task* current_task_ptr() { return r1::current_task_ptr(); }
inline task_group_context* context(const execution_data& data) { return data.context; }
inline slot_id original_slot(const execution_data& data) { return data.original_slot; }
inline slot_id affinity_slot(const execution_data& data) { return data.affinity_slot; }
// Where the task runs. The thread that runs it.
inline slot_id execution_slot(const execution_data& data) { return r1::execution_slot(&data); }
inline bool is_same_affinity(const execution_data& data) {
  return data.affinity_slot == no_slot || data.affinity_slot == execution_slot(data);
}
inline bool is_stolen(const execution_data& data) {
  return data.original_slot != execution_slot(data);
}

}  // namespace d1

namespace r1 {
inline TaskNode::TaskNode(d1::task& object) : Task(&RunLowLevelTask, nullptr), object_(object) {}
}  // namespace r1

}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_TASK_H_
