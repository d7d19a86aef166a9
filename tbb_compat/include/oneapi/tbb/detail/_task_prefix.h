// TaskPrefix: what the scheduler knows about a tbb::task, in front of it.
//
// new(allocate_child()) T makes one block: the prefix, which is the pool's own
// node, and the object after it, so that whoever constructs the object does not
// touch the node.  A prefix has 48 bytes; an object of two words shares one cache
// line with it.  Blocks come from the cache of the calling thread's slot and go
// to the cache of the slot where the task ends; those of objects that are large, or
// aligned to more than operator new aligns by itself, come from the heap.
//
// Scheduler-internal.  A prefix belongs to whoever has the task: the thread that
// made it, then the scheduler, then the thread that runs it.
#ifndef FILCH_TBB_COMPAT_DETAIL_TASK_PREFIX_H_
#define FILCH_TBB_COMPAT_DETAIL_TASK_PREFIX_H_

#include <cstddef>
#include <cstdint>
#include <new>

#include "_config.h"
#include "_lone_context.h"
#include "_task_group_context.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"
#include "filch/pool/task_memory.h"

namespace tbb {

class task;

namespace detail {
inline namespace filch_1 {
namespace r1 {
// What the pool calls to run a tbb::task: an ordinary one, and one with a flag.
filch::Task* RunOrdinaryTask(filch::Task& node, filch::Execution& execution) noexcept;
filch::Task* RunSpecialTask(filch::Task& node, filch::Execution& execution) noexcept;
// The context of roots that the thread in the slot makes in no task and no algorithm: its own,
// or that of the lone function that it runs.
task_group_context& OutermostContext(filch::pool_internal::Slot& slot);
// What AllocateTask and FreeTask do for tasks that no cache has blocks for.
void* AllocateTaskOnHeap(std::size_t bytes, std::align_val_t alignment, filch::Context* context,
                         filch::Task* parent);
void FreeTaskOnHeap(filch::Task& node);
}  // namespace r1

}  // namespace filch_1
}  // namespace detail

// What new() of a continuation and of a child takes: every task is both. _task_new.h has the rest.
namespace internal {

// What operator new gives every object.
inline constexpr std::align_val_t kOrdinaryAlignment{16};

class allocate_continuation_proxy {
 public:
  // Where the object of the continuation begins.
  void* allocate(std::size_t bytes, std::align_val_t alignment = kOrdinaryAlignment) const;
  // Its constructor has thrown.
  void TakeBack(void* object) const;
};

class allocate_child_proxy {
 public:
  void* allocate(std::size_t bytes, std::align_val_t alignment = kOrdinaryAlignment) const;
};

}  // namespace internal

namespace detail {
inline namespace filch_1 {
namespace d1 {

// Aligned as operator new aligns, and so is the object behind it, unless it asks for more.
class alignas(static_cast<std::size_t>(internal::kOrdinaryAlignment)) TaskPrefix final
    : public filch::Task,
      public internal::allocate_continuation_proxy,
      public internal::allocate_child_proxy {
 public:
  enum State : std::uint8_t { kExecuting, kReexecute, kReady, kAllocated, kFreed, kRecycle };
  // What is more to do for a task than for an ordinary one.
  enum Flag : std::uint8_t {
    kFromHeap = 0x08,     // the block came from operator new
    kStolen = 0x10,       // runs on another thread than the one that spawned it
    kEnqueued = 0x20,     // goes through the shared queue
    kHasAffinity = 0x40,  // wishes for a slot
  };

  static bool Is(const filch::Task& node) {
    return node.Runs(&r1::RunOrdinaryTask) || node.Runs(&r1::RunSpecialTask);
  }

  // In state allocated, in a block of that size class.
  TaskPrefix(filch::Context* context, filch::Task* parent, int size_class)
      : Task(&r1::RunOrdinaryTask, context, parent, 0),
        size_class_(static_cast<std::uint8_t>(size_class)) {}
  // The same in a block from elsewhere, of an object of that alignment.
  TaskPrefix(filch::Context* context, filch::Task* parent,
             std::align_val_t alignment = internal::kOrdinaryAlignment)
      : Task(&r1::RunSpecialTask, context, parent, 0),
        marks_(int{kAllocated} | int{kFromHeap}),
        size_class_(
            static_cast<std::uint8_t>(__builtin_ctzll(static_cast<std::size_t>(alignment)))) {}

  // By integers: the object begins where it begins, and compilers know it.
  static TaskPrefix& Of(const tbb::task& object) {
    return *reinterpret_cast<TaskPrefix*>(reinterpret_cast<std::uintptr_t>(&object) -
                                          sizeof(TaskPrefix));
  }
  tbb::task& object() {
    return *reinterpret_cast<tbb::task*>(reinterpret_cast<std::uintptr_t>(this) +
                                         sizeof(TaskPrefix));
  }

  task_group_context* group() const { return static_cast<task_group_context*>(context()); }
  State state() const { return static_cast<State>(marks_ & kStateMask); }
  void set_state(State state) {
    marks_ = static_cast<std::uint8_t>((marks_ & ~kStateMask) | state);
  }
  bool Has(Flag flag) const { return (marks_ & flag) != 0; }
  void Set(Flag flag) { SetMarks(marks_ | flag); }
  void Unset(Flag flag) { SetMarks(marks_ & ~flag); }

  // Whether that is the state and there are no flags: one byte tells both.
  bool IsOrdinaryAnd(State state) const { return marks_ == state; }
  // The state of a task that has no flags: a store, and no look at what was there.
  void BeOrdinaryAnd(State state) { marks_ = state; }
  int size_class() const { return size_class_; }
  // The object's, of a task from the heap.
  std::align_val_t alignment() const { return std::align_val_t{std::size_t{1} << size_class_}; }

  // The slot that should run the task, counted from one; 0 is any.
  std::uint16_t affinity() const { return affinity_; }
  void set_affinity(std::uint16_t slot) {
    affinity_ = slot;
    if (slot != 0) {
      Set(kHasAffinity);
    } else {
      Unset(kHasAffinity);
    }
  }

 private:
  static constexpr int kStateMask = 0x07;

  void SetMarks(int marks) {
    marks_ = static_cast<std::uint8_t>(marks);
    set_function((marks & ~kStateMask) == 0 ? &r1::RunOrdinaryTask : &r1::RunSpecialTask);
  }

  std::uint8_t marks_ = kAllocated;  // state and flags
  std::uint8_t size_class_ = 0;      // of a task from the heap, the logarithm of the alignment
  std::uint16_t affinity_ = 0;
};
static_assert(sizeof(TaskPrefix) == 48, "a task of two words fits into one cache line");

// Of those that the thread in the slot makes where it is.
inline filch::Context& ContextOfRoots(filch::pool_internal::Slot& slot) {
  filch::Context* const context = slot.context;
  const bool in_group = context != nullptr && !LoneContext::Is(*context);
  return in_group ? *context : r1::OutermostContext(slot);
}

// A block for a task of `bytes`, in state allocated; where the object begins.
// Throws std::bad_alloc.
inline void* AllocateTask(std::size_t bytes, std::align_val_t alignment,
                          filch::pool_internal::Slot& slot, filch::Context* context,
                          filch::Task* parent) {
  const std::size_t size = bytes + sizeof(TaskPrefix);
  if (size > filch::pool_internal::kLargestTask || alignment > internal::kOrdinaryAlignment) {
    return r1::AllocateTaskOnHeap(bytes, alignment, context, parent);
  }
  const int size_class = filch::pool_internal::TaskSizeClass(size);
  return ::new (slot.memory.Allocate(size_class)) TaskPrefix(context, parent, size_class) + 1;
}

// Takes back the block of a task whose object is destroyed.
inline void FreeTask(TaskPrefix& prefix, filch::pool_internal::Slot& slot) {
  if (prefix.Has(TaskPrefix::kFromHeap)) {
    r1::FreeTaskOnHeap(prefix);
  } else {
    slot.memory.Free(prefix.size_class(), &prefix);
  }
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail

}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_TASK_PREFIX_H_
