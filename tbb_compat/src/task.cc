#include "../include/oneapi/tbb/task.h"

#include <cstddef>
#include <exception>
#include <new>
#include <utility>

#include "../include/oneapi/tbb/detail/_context_use.h"
#include "../include/oneapi/tbb/detail/_run_guarded.h"
#include "../include/oneapi/tbb/detail/_task_group_context.h"
#include "../include/oneapi/tbb/detail/_task_prefix.h"
#include "../include/oneapi/tbb/task_arena.h"
#include "filch/pool/arena.h"
#include "filch/pool/context_scope.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/outcome.h"
#include "filch/pool/predecessors_wait.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"
#include "outside.h"
#include "stand_in.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace r1 {
namespace {

using d1::TaskPrefix;
using filch::pool_internal::CurrentSlot;
using filch::pool_internal::Outcome;
using filch::pool_internal::Rule;
using filch::pool_internal::Slot;
using filch::pool_internal::Waiters;
using filch::pool_internal::WaitForPredecessors;

// The task runs elsewhere than where it was spawned, or wished to run elsewhere.
// Where it runs is news to it then.
void NoteWhere(TaskPrefix& prefix, const filch::Execution& execution) {
  const bool stolen = execution.stolen();
  if (stolen) {
    prefix.Set(TaskPrefix::kStolen);
  } else {
    prefix.Unset(TaskPrefix::kStolen);
  }
  const auto here = static_cast<std::uint16_t>(execution.slot.index + 1);
  if (execution.cancelled || prefix.affinity() == here) return;
  if (prefix.affinity() != 0 || stolen) prefix.object().note_affinity(here);
}

// After a wait that something went wrong in.
__attribute__((noinline)) void Settle(Slot& slot, filch::Context& context) {
  const std::exception_ptr exception = context.exception();
  // Nobody is left who could ask the context of the outermost tasks.
  task_group_context& outermost = ThisOutside().context;
  if (slot.depth == slot.outermost_depth && &context == &outermost) outermost.reset();
  if (exception) std::rethrow_exception(exception);
}

// What the waits below have in their loops, and nearly all tasks are: a task without
// flags, that the thread itself has spawned or got from rules 1 and 2.
struct OrdinaryKind {
  static bool Is(const filch::Task& node) { return node.Runs(&RunOrdinaryTask); }
  static __attribute__((always_inline)) filch::Task* Run(filch::Task& node,
                                                         filch::Execution& execution) noexcept;
};

// The pool's task; null for null.
filch::Task* NodeOf(tbb::task* task) { return task != nullptr ? &TaskPrefix::Of(*task) : nullptr; }

// How far its prefix is behind the begin of the block of a task from the heap.
std::size_t BytesBefore(std::align_val_t alignment) {
  return -sizeof(TaskPrefix) % static_cast<std::size_t>(alignment);
}

// After execute(), of a task that has a flag or runs again at once.
__attribute__((noinline)) Outcome Finish(TaskPrefix& prefix, Slot& slot, tbb::task* next) {
  switch (prefix.state()) {
    case TaskPrefix::kExecuting: {
      filch::Task* const parent = prefix.successor();
      prefix.object().~task();
      FreeTask(prefix, slot);
      return {NodeOf(next), parent};
    }
    case TaskPrefix::kRecycle:
      // execute() was a predecessor of its own task.
      prefix.set_state(TaskPrefix::kAllocated);
      return {NodeOf(next), &prefix};
    case TaskPrefix::kReexecute:
      prefix.set_state(TaskPrefix::kReady);
      if (next == nullptr) return {&prefix, nullptr};
      slot.SpawnSurely(prefix);
      return {NodeOf(next), nullptr};
    default:
      return {NodeOf(next), nullptr};
  }
}

// Of a task without flags, or with them.
enum class Flags { kNone, kPerhaps };
template <Flags kFlags>
inline filch::Task* RunTask(TaskPrefix& prefix, filch::Execution& execution) noexcept {
  Slot& slot = execution.slot;
  if constexpr (kFlags == Flags::kNone) {
    prefix.BeOrdinaryAnd(TaskPrefix::kExecuting);
  } else {
    prefix.set_state(TaskPrefix::kExecuting);
  }
  tbb::task* next = nullptr;
  if (__builtin_expect(!execution.cancelled, 1)) {
    try {
      next = prefix.object().execute();
    } catch (...) {
      KeepException(*prefix.context());
    }
  }
  if (__builtin_expect(prefix.IsOrdinaryAnd(TaskPrefix::kExecuting), 1)) {
    prefix.object().~task();
    execution.successor = prefix.successor();  // now, so that it need not survive the call
    slot.memory.Free(prefix.size_class(), &prefix);
  } else if (prefix.IsOrdinaryAnd(TaskPrefix::kAllocated)) {
    execution.successor = nullptr;  // recycled
  } else {
    const Outcome outcome = Finish(prefix, slot, next);
    execution.successor = outcome.successor;
    return outcome.returned;
  }
  return NodeOf(next);
}

inline filch::Task* OrdinaryKind::Run(filch::Task& node, filch::Execution& execution) noexcept {
  return RunTask<Flags::kNone>(static_cast<TaskPrefix&>(node), execution);
}

inline void EndWait(Slot& slot, filch::Context& context) {
  if (__builtin_expect(!context.untouched(), 0)) Settle(slot, context);
}

// Calls work(), which spawns tasks of the group before it waits, as from a task of it: there
// may be no memory to bind it, which has to be known before anything is spawned.
template <typename Work>
void InGroup(task_group_context& group, const Work& work) {
  if (__builtin_expect(&group == CurrentSlot().context, 1)) return work();
  const d1::ContextUse use(group);
  const filch::ContextScope scope(use.context());
  work();
}

void SpawnAndWaitInGroup(TaskPrefix& parent, TaskPrefix* first, tbb::task_list& others) {
  try {
    tbb::task::spawn(others);
  } catch (const std::bad_alloc&) {
    // The list has the rest.
  }
  // The parent must be there for those that were spawned, and it counts on all. Nobody waits
  // for more than that the one task has run.
  while (!others.empty()) {
    StandIn nobody(parent.context(), 1);
    WaitForPredecessors(CurrentSlot(), nobody.prefix(), &TaskPrefix::Of(others.pop_front()),
                        Waiters::kMany);
  }
  WaitForAll(parent, first);
}

void SpawnRootsAndWaitInGroup(tbb::task_list& roots) {
  TaskPrefix& first = TaskPrefix::Of(roots.pop_front());
  StandIn parent(first.context(), 2);
  first.set_successor(&parent.prefix());
  tbb::task_list others;
  while (!roots.empty()) {
    tbb::task& root = roots.pop_front();
    TaskPrefix::Of(root).set_successor(&parent.prefix());
    parent.prefix().AddPredecessors(1);
    others.push_back(root);
  }
  SpawnAndWaitInGroup(parent.prefix(), &first, others);
}

}  // namespace

void* AllocateTaskOnHeap(std::size_t bytes, std::align_val_t alignment, filch::Context* context,
                         filch::Task* parent) {
  const std::size_t before = BytesBefore(alignment);
  void* const block = ::operator new(before + sizeof(TaskPrefix) + bytes, alignment);
  auto* const prefix =
      ::new (static_cast<char*>(block) + before) TaskPrefix(context, parent, alignment);
  return prefix + 1;
}

void FreeTaskOnHeap(filch::Task& node) {
  auto& prefix = static_cast<TaskPrefix&>(node);
  const std::align_val_t alignment = prefix.alignment();
  ::operator delete(reinterpret_cast<char*>(&prefix) - BytesBefore(alignment), alignment);
}

filch::Task* RunOrdinaryTask(filch::Task& node, filch::Execution& execution) noexcept {
  if (execution.rule > Rule::kOwnDeque) return RunSpecialTask(node, execution);
  return OrdinaryKind::Run(node, execution);
}

filch::Task* RunSpecialTask(filch::Task& node, filch::Execution& execution) noexcept {
  auto& prefix = static_cast<TaskPrefix&>(node);
  NoteWhere(prefix, execution);
  return RunTask<Flags::kPerhaps>(prefix, execution);
}

void SpawnSpecial(TaskPrefix& prefix, Slot& slot) {
  prefix.set_state(TaskPrefix::kReady);
  const int wished = prefix.affinity() - 1;
  if (slot.SendsMailTo(wished)) {
    slot.arena->Post(prefix, wished, slot.isolation);
    return;
  }
  try {
    slot.Spawn(prefix);
  } catch (...) {
    prefix.set_state(TaskPrefix::kAllocated);
    throw;
  }
}

void WaitForAll(TaskPrefix& parent, TaskPrefix* first) {
  Slot& slot = CurrentSlot();
  task_group_context& group = *parent.group();
  // Most waits are in a task of the group.
  const bool binds = __builtin_expect(&group != slot.context, 0) && d1::ContextUse::Begin(group);
  if (__builtin_expect((group.traits() & task_group_context::concurrent_wait) != 0, 0)) {
    WaitForPredecessors(slot, parent, first, Waiters::kMany);
  } else {
    WaitForPredecessors<OrdinaryKind>(slot, parent, first, Waiters::kOne);
    parent.set_predecessors(0);
  }
  if (__builtin_expect(binds, 0)) d1::ContextUse::End(group);
  EndWait(slot, group);
}

void SpawnAndWaitForAll(TaskPrefix& parent, tbb::task_list& children) {
  InGroup(*parent.group(), [&] {
    TaskPrefix* first = nullptr;
    if (!children.empty()) first = &TaskPrefix::Of(children.pop_front());
    SpawnAndWaitInGroup(parent, first, children);
  });
}

void SpawnRootAndWait(TaskPrefix& root) {
  InGroup(*root.group(), [&root] {
    StandIn parent(root.context(), 2);
    root.set_successor(&parent.prefix());
    WaitForAll(parent.prefix(), &root);
  });
}

void SpawnRootsAndWait(task_group_context& group, tbb::task_list& roots) {
  InGroup(group, [&roots] { SpawnRootsAndWaitInGroup(roots); });
}

void Enqueue(TaskPrefix& prefix, d1::task_arena* arena, priority_t level) {
  filch::Arena& where = arena != nullptr ? d1::ArenaAccess::Of(*arena) : *CurrentSlot().arena;
  prefix.Set(TaskPrefix::kEnqueued);
  prefix.set_state(TaskPrefix::kReady);
  where.Enqueue(prefix, d1::ArenaPriority(level));
}

tbb::task& Self() {
  Slot& slot = CurrentSlot();
  filch::Task* const innermost = slot.innermost;
  if (innermost != nullptr && TaskPrefix::Is(*innermost) && innermost->context() == slot.context) {
    return static_cast<TaskPrefix*>(innermost)->object();
  }
  // In an algorithm, or outside of everything.
  TaskPrefix& stand_in = ThisOutside().task.prefix();
  stand_in.set_context(&d1::ContextOfRoots(slot));
  return stand_in.object();
}

}  // namespace r1

}  // namespace filch_1
}  // namespace detail

using detail::d1::TaskPrefix;
using filch::pool_internal::CurrentSlot;
using filch::pool_internal::Slot;

void task::spawn(task_list& list) {
  // Turned round, so that the first one is pushed last and found first.
  filch::Task* last = nullptr;
  for (filch::Task* next = list.first_; next != nullptr;) {
    filch::Task* const t = std::exchange(next, next->link());
    t->set_link(last);
    last = t;
  }
  list.clear();
  while (last != nullptr) {
    filch::Task* const t = std::exchange(last, last->link());
    try {
      spawn(static_cast<TaskPrefix*>(t)->object());
    } catch (...) {
      t->set_link(last);
      list.TakeBack(*t);
      throw;
    }
  }
}

void task::spawn_and_wait_for_all(task_list& list) {
  detail::r1::SpawnAndWaitForAll(prefix(), list);
}

void task::spawn_root_and_wait(task_list& roots) {
  if (roots.empty()) return;
  detail::r1::SpawnRootsAndWait(*static_cast<TaskPrefix*>(roots.first_)->group(), roots);
}

void task::change_group(task_group_context& context) {
  Slot& slot = CurrentSlot();
  TaskPrefix& prefix = this->prefix();
  prefix.set_context(&context);
  if (slot.innermost == &prefix) slot.context = &context;
}

}  // namespace tbb
