// tbb::task: a unit of work that the program makes, counts and spawns itself.
//
// oneTBB has removed this class and kept three static functions under its name;
// filch has both, so old and new code may meet in one program.  New code is
// better off with task_group, parallel_for and the like, which cannot be
// miscounted.
//
// A task is made with new and one of the allocate functions, and runs execute()
// once.  It has a parent, or none, and a count of tasks that it waits for.  When
// a task has run, it is destroyed and its parent's count goes down by one.
//
//   Blocking style: set_ref_count(children + 1), spawn(), wait_for_all().
//   Continuation style: a task from allocate_continuation(), with a count of its
//   children and no more, runs when the last of them is complete.
//
// What execute() returns runs next, on the same thread (bypass).
//
//   struct Fib : tbb::task {
//     tbb::task* execute() override {
//       if (n < 2) { *sum = n; return nullptr; }
//       long x, y;
//       Fib& a = *new (allocate_child()) Fib(n - 1, &x);
//       Fib& b = *new (allocate_child()) Fib(n - 2, &y);
//       set_ref_count(3);
//       spawn(b);
//       spawn_and_wait_for_all(a);
//       ...
//
// A task belongs to one thread at a time; functions for any thread say so.
// Exceptions of execute() cancel the task's group, go to whoever waits, and are
// thrown there when everything waited for is complete.  Mistakes in counting are
// found in builds with TBB_USE_ASSERT.
#ifndef FILCH_TBB_COMPAT_TASK_H_
#define FILCH_TBB_COMPAT_TASK_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <cstddef>
#include <cstdint>

#include "detail/_assert.h"
#include "detail/_classic_names.h"  // comes along
#include "detail/_config.h"
#include "detail/_context_use.h"
#include "detail/_small_object_pool.h"
#include "detail/_task.h"
#include "detail/_task_group_context.h"
#include "detail/_task_new.h"
#include "detail/_task_prefix.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/slot.h"
#include "profiling.h"  // comes along

namespace tbb {

class task_list;

namespace detail {
inline namespace filch_1 {
namespace d1 {
class task_arena;
}  // namespace d1

namespace r1 {
// Of a task with flags, or of any if there is no room for it in the deque.
void SpawnSpecial(d1::TaskPrefix& prefix, filch::pool_internal::Slot& slot);
void WaitForAll(d1::TaskPrefix& parent, d1::TaskPrefix* first);
// These three throw std::bad_alloc if there is no memory to bind the group, and then nothing has
// been spawned. Tasks of a list for which there is no memory run before the wait.
void SpawnAndWaitForAll(d1::TaskPrefix& parent, tbb::task_list& children);
void SpawnRootAndWait(d1::TaskPrefix& root);
void SpawnRootsAndWait(tbb::task_group_context& group, tbb::task_list& roots);
void Enqueue(d1::TaskPrefix& prefix, d1::task_arena* arena, priority_t level);
tbb::task& Self();
}  // namespace r1
}  // namespace filch_1
}  // namespace detail

// In tbb itself and not in an inline namespace: old programs declare it there.
class task {
  using TaskPrefix = detail::d1::TaskPrefix;

 public:
  // What the scheduler is doing with it.
  enum state_type {
    executing = TaskPrefix::kExecuting,
    reexecute = TaskPrefix::kReexecute,
    ready = TaskPrefix::kReady,
    allocated = TaskPrefix::kAllocated,
    freed = TaskPrefix::kFreed,
    recycle = TaskPrefix::kRecycle
  };
  using affinity_id = std::uint16_t;

  virtual ~task() = default;
  task(const task&) = delete;
  task& operator=(const task&) = delete;

  // The work. Returns the task to run next, or null.
  virtual task* execute() = 0;

  // --- making and destroying

  // Without a parent, in the group of the running task. Any thread.
  static internal::allocate_root_proxy allocate_root() { return {}; }
  // In a group of its own. Any thread.
  static internal::allocate_root_with_context_proxy allocate_root(task_group_context& context) {
    return internal::allocate_root_with_context_proxy(context);
  }
  // In the place of this task before its parent, which this one loses.
  internal::allocate_continuation_proxy& allocate_continuation() { return prefix(); }
  // A child; the count must be set to include it.
  internal::allocate_child_proxy& allocate_child() { return prefix(); }
  // A child that the parent's count goes up for. Any thread that is sure of a child of
  // that parent which runs, or for which the parent counts by itself.
  static internal::allocate_additional_child_of_proxy allocate_additional_child_of(task& parent) {
    return internal::allocate_additional_child_of_proxy(TaskPrefix::Of(parent));
  }
  // Destroys a task that was not spawned; it counts as complete for its parent,
  // which is not spawned by that.
  static void destroy(task& victim) {
    TaskPrefix& prefix = TaskPrefix::Of(victim);
    __TBB_ASSERT(
        prefix.state() == TaskPrefix::kAllocated || prefix.state() == TaskPrefix::kExecuting,
        "tbb::task::destroy: the scheduler has the task");
    filch::Task* const parent = prefix.successor();
    victim.~task();
    detail::d1::FreeTask(prefix, filch::pool_internal::CurrentSlot());
    if (parent != nullptr) parent->RemovePredecessor();
  }

  // --- recycling, from execute() alone

  // The task is not destroyed after execute(), and may be spawned or returned
  // again; it has to get a count or a spawn that does not make it run before.
  void recycle_as_continuation() {
    AssertExecuting();
    prefix().set_state(TaskPrefix::kAllocated);
  }
  // The same with one more in the count than it has children: execute() itself.
  void recycle_as_safe_continuation() {
    AssertExecuting();
    prefix().set_state(TaskPrefix::kRecycle);
  }
  // The same as a child of another task.
  void recycle_as_child_of(task& new_parent) {
    AssertExecuting();
    TaskPrefix& prefix = this->prefix();
    __TBB_ASSERT(ref_count() == 0, "tbb::task::recycle_as_child_of: the task has children");
    __TBB_ASSERT(prefix.successor() == nullptr,
                 "tbb::task::recycle_as_child_of: the task has a parent; "
                 "allocate_continuation() takes it over");
    prefix.set_state(TaskPrefix::kAllocated);
    prefix.set_successor(&new_parent.prefix());
    prefix.set_context(new_parent.prefix().context());
  }
  // Runs again, after the task that execute() returns.
  void recycle_to_reexecute() {
    AssertExecuting();
    __TBB_ASSERT(ref_count() == 0, "tbb::task::recycle_to_reexecute: the task has children");
    prefix().set_state(TaskPrefix::kReexecute);
  }

  // --- counting

  // There are less than 2^30 of them, or the process ends with a sentence. While no child is
  // with the scheduler.
  void set_ref_count(int count) { prefix().set_predecessors(count); }
  // Any thread that is sure of a child which runs, or that is counted by itself.
  void increment_ref_count() { prefix().AddPredecessors(1); }
  int add_ref_count(int count) {
    const int left = prefix().AddPredecessors(count);
    __TBB_ASSERT(left >= 0, "tbb::task::add_ref_count: more were taken away than there are");
    return left;
  }
  // The new count; at zero it is for the caller to spawn the task. Any thread.
  int decrement_ref_count() { return prefix().RemovePredecessor(); }
  // Children that are not complete, and one for the wait; those that a waiting
  // thread runs may still be counted. Any thread.
  int ref_count() const { return prefix().predecessors(); }

  // --- running

  // Gives the task to the scheduler. Throws std::bad_alloc, and then the task is
  // still the caller's.
  static void spawn(task& t) {
    TaskPrefix& prefix = TaskPrefix::Of(t);
    __TBB_ASSERT(prefix.state() == TaskPrefix::kAllocated,
                 "tbb::task::spawn: the task is not free");
    filch::pool_internal::Slot& slot = filch::pool_internal::CurrentSlot();
    if (__builtin_expect(!prefix.IsOrdinaryAnd(TaskPrefix::kAllocated), 0)) {
      detail::r1::SpawnSpecial(prefix, slot);
      return;
    }
    prefix.set_state(TaskPrefix::kReady);
    if (__builtin_expect(!slot.TrySpawn(prefix), 0)) detail::r1::SpawnSpecial(prefix, slot);
  }
  // All of them, and empties the list; the first one is found first. Throws std::bad_alloc,
  // and then those that were not spawned are in the list, and the caller's.
  static void spawn(task_list& list);
  // spawn(child) and wait_for_all(), without the detour.
  void spawn_and_wait_for_all(task& child) { detail::r1::WaitForAll(prefix(), &child.prefix()); }
  void spawn_and_wait_for_all(task_list& list);
  // Runs other tasks until the count is one, and makes it zero; in a group with
  // concurrent_wait it stays one.
  void wait_for_all() { detail::r1::WaitForAll(prefix(), nullptr); }
  // Runs the task and all that follows. Any thread.
  static void spawn_root_and_wait(task& root) {
    detail::r1::SpawnRootAndWait(TaskPrefix::Of(root));
  }
  static void spawn_root_and_wait(task_list& roots);
  // Puts the task at the end of the shared queue of the caller's arena, or of
  // another one; tasks of higher priority start first. Any thread.
  static void enqueue(task& t) {
    TaskPrefix& prefix = TaskPrefix::Of(t);
    detail::r1::Enqueue(prefix, nullptr, prefix.group()->priority());
  }
  static void enqueue(task& t, priority_t level) {
    detail::r1::Enqueue(TaskPrefix::Of(t), nullptr, level);
  }
  static void enqueue(task& t, detail::d1::task_arena& arena, priority_t level = priority_normal) {
    detail::r1::Enqueue(TaskPrefix::Of(t), &arena, level);
  }

  // --- asking

  // The task that the calling thread runs; outside of tasks, one that stands for
  // that. Any thread.
  static task& self() { return detail::r1::Self(); }
  task* parent() const {
    filch::Task* const parent = prefix().successor();
    return parent != nullptr ? &static_cast<TaskPrefix*>(parent)->object() : nullptr;
  }
  void set_parent(task* parent) {
    prefix().set_successor(parent != nullptr ? &parent->prefix() : nullptr);
  }
  state_type state() const { return static_cast<state_type>(prefix().state()); }
  // Whether it runs on another thread than the one that spawned it.
  bool is_stolen_task() const { return prefix().Has(TaskPrefix::kStolen); }
  bool is_enqueued_task() const { return prefix().Has(TaskPrefix::kEnqueued); }
  // True, as with TBB 2020: whoever may ask has the task.
  bool is_owned_by_current_thread() const { return true; }

  // --- affinity: a wish to run where a task like this has run before

  void set_affinity(affinity_id id) { prefix().set_affinity(id); }
  affinity_id affinity() const { return prefix().affinity(); }
  // Called before execute() if the task runs elsewhere than it wished, or than it
  // was spawned; `id` is the wish that would have led here.
  virtual void note_affinity(affinity_id) {}

  // --- the group

  task_group_context* context() { return group(); }
  task_group_context* group() { return prefix().group(); }
  // Moves the task, which was not spawned or is running, to another group.
  void change_group(task_group_context& context);
  bool cancel_group_execution() { return prefix().context()->Cancel(); }
  bool is_cancelled() const { return prefix().context()->IsCancelled(); }
  void set_group_priority(priority_t level) { group()->set_priority(level); }
  priority_t group_priority() const { return prefix().group()->priority(); }

  // --- what oneTBB has under this name

  // The group of the task that the calling thread runs, or null. Any thread.
  static task_group_context* current_context() {
    return static_cast<task_group_context*>(detail::d1::ContextUse::Current());
  }

 protected:
  __TBB_DEPRECATED_IN_VERBOSE_MODE_MSG("tbb::task is not in oneTBB: use task_group")
  task() {}  // NOLINT(modernize-use-equals-default): the message needs a function

 private:
  friend class task_list;

  TaskPrefix& prefix() const { return TaskPrefix::Of(*this); }
  void AssertExecuting() const {
    __TBB_ASSERT(prefix().state() == TaskPrefix::kExecuting,
                 "tbb::task: a task is recycled by its own execute(), once");
  }
};

// A task that does nothing: what others have as parent.
class empty_task : public task {
 public:
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  empty_task() = default;
#pragma GCC diagnostic pop

 private:
  task* execute() override { return nullptr; }
};

// Tasks to be spawned together, first in, first found.
class task_list {
 public:
  task_list() = default;
  ~task_list() = default;
  task_list(const task_list&) = delete;
  task_list& operator=(const task_list&) = delete;

  bool empty() const { return first_ == nullptr; }
  void push_back(task& t) {
    filch::Task* const added = &t.prefix();
    added->set_link(nullptr);
    if (first_ == nullptr) {
      first_ = added;
    } else {
      last_->set_link(added);
    }
    last_ = added;
  }
  // The first one, which leaves the list.
  task& pop_front() {
    filch::Task* const first = first_;
    first_ = first->link();
    return static_cast<task::TaskPrefix*>(first)->object();
  }
  // Forgets the tasks without destroying them.
  void clear() { first_ = nullptr; }

 private:
  friend class task;

  // The list, which is empty, gets back its first tasks, from the last of them on: they are
  // linked the other way round.
  void TakeBack(filch::Task& last) {
    last_ = &last;
    for (filch::Task* next = &last; next != nullptr;) {
      filch::Task* const t = next;
      next = t->link();
      t->set_link(first_);
      first_ = t;
    }
  }

  filch::Task* first_ = nullptr;
  filch::Task* last_ = nullptr;
};

}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_TASK_H_
