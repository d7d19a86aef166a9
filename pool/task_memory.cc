#include "filch/pool/task_memory.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>

#include "filch/pool/first_use.h"
#include "filch/pool/forked_child.h"

namespace filch {
namespace pool_internal {

TaskCache::Stack TaskCache::no_stack_{};

TaskBatch* TaskDepot::PopBatch(TaskBatch*& list) {
  TaskBatch* const batch = list;
  if (batch != nullptr) list = batch->next;
  return batch;
}

void TaskDepot::PushBatch(TaskBatch*& list, TaskBatch* batch) {
  batch->next = list;
  list = batch;
}

TaskBatch* TaskDepot::MakeSlab(int size_class) {
  const std::size_t bytes = kSmallestTask << size_class;
  auto* const slab = static_cast<std::byte*>(
      ::operator new (bytes* kTaskBatch + sizeof(TaskBatch), std::align_val_t{kSmallestTask}));
  auto* const batch = ::new (slab + bytes * kTaskBatch) TaskBatch;
  std::byte* block = slab + bytes * kTaskBatch;
  for (void*& entry : batch->blocks) entry = block -= bytes;
  return batch;
}

TaskBatch* TaskDepot::TakeEmpty(int size_class) {
  ForkedChild::MustNotBeThisProcess();  // a lock may be held for ever
  Shelf& shelf = shelves_[size_class];
  {
    const std::lock_guard<ProcessMutex> lock(shelf.mutex);
    if (shelf.given_empty > 0) {
      --shelf.given_empty;
      return PopBatch(shelf.empty);
    }
  }
  return new TaskBatch;
}

void TaskDepot::GiveEmpty(int size_class, TaskBatch* empty) {
  ForkedChild::MustNotBeThisProcess();  // a lock may be held for ever
  Shelf& shelf = shelves_[size_class];
  const std::lock_guard<ProcessMutex> lock(shelf.mutex);
  PushBatch(shelf.empty, empty);
  ++shelf.given_empty;
}

TaskBatch* TaskDepot::TakeFull(int size_class, TaskBatch* empty) {
  ForkedChild::MustNotBeThisProcess();  // a lock may be held for ever
  Shelf& shelf = shelves_[size_class];
  {
    const std::lock_guard<ProcessMutex> lock(shelf.mutex);
    if (TaskBatch* const full = PopBatch(shelf.full)) {
      PushBatch(shelf.empty, empty);
      CountOutside(kTaskBatch);
      return full;
    }
  }
  TaskBatch* const full = MakeSlab(size_class);
  const std::lock_guard<ProcessMutex> lock(shelf.mutex);
  PushBatch(shelf.empty, empty);
  CountOutside(kTaskBatch);
  return full;
}

TaskBatch* TaskDepot::GiveFull(int size_class, TaskBatch* full) {
  ForkedChild::MustNotBeThisProcess();  // a lock may be held for ever
  Shelf& shelf = shelves_[size_class];
  const std::lock_guard<ProcessMutex> lock(shelf.mutex);
  PushBatch(shelf.full, full);
  CountOutside(-kTaskBatch);
  return PopBatch(shelf.empty);
}

void* TaskDepot::TakeBlock(int size_class) {
  ForkedChild::MustNotBeThisProcess();  // a lock may be held for ever
  Shelf& shelf = shelves_[size_class];
  TaskBatch* slab = nullptr;
  for (;;) {
    {
      const std::lock_guard<ProcessMutex> lock(shelf.mutex);
      if (FreeBlock* const block = shelf.singles) {
        shelf.singles = block->next;
        --shelf.single_count;
        CountOutside(1);
        if (slab != nullptr) PushBatch(shelf.full, slab);  // others were faster
        return block;
      }
      if (TaskBatch* const batch = slab != nullptr ? slab : PopBatch(shelf.full)) {
        PushBatch(shelf.empty, batch);
        CountOutside(kTaskBatch);
        for (int i = 0; i < kTaskBatch - 1; ++i) AddSingle(shelf, batch->blocks[i]);
        return batch->blocks[kTaskBatch - 1];
      }
    }
    slab = MakeSlab(size_class);
  }
}

void TaskDepot::GiveBlock(int size_class, void* block) {
  ForkedChild::MustNotBeThisProcess();  // a lock may be held for ever
  Shelf& shelf = shelves_[size_class];
  const std::lock_guard<ProcessMutex> lock(shelf.mutex);
  AddSingle(shelf, block);
}

void TaskDepot::AddSingle(Shelf& shelf, void* block) {
  CountOutside(-1);
  shelf.singles = ::new (block) FreeBlock{shelf.singles};
  if (++shelf.single_count < kTaskBatch) return;
  TaskBatch* const full = PopBatch(shelf.empty);
  for (void*& entry : full->blocks) {
    entry = shelf.singles;
    shelf.singles = shelf.singles->next;
  }
  shelf.single_count = 0;
  PushBatch(shelf.full, full);
}

TaskDepot& GlobalTaskDepot() {
  // Never destroyed: threads may still run tasks while statics go away.
  static FirstUse<TaskDepot> depot;
  return depot.Get();
}

TaskCache::~TaskCache() {
  for (int size_class = 0; size_class < kTaskSizeClasses; ++size_class) {
    void** top = tops_[size_class];
    Stack* const stack = StackOf(top);
    if (stack == &no_stack_) continue;
    for (; *top != nullptr; --top) GlobalTaskDepot().GiveBlock(size_class, *top);
    GlobalTaskDepot().GiveEmpty(size_class, empty_[size_class]);
    delete stack;
  }
}

TaskCache::Stack* TaskCache::StackFor(int size_class) {
  void**& top = tops_[size_class];
  if (StackOf(top) == &no_stack_) {
    // Not by std::nothrow: programs that replace operator new often leave that one out.
    try {
      auto stack = std::make_unique<Stack>();
      empty_[size_class] = GlobalTaskDepot().TakeEmpty(size_class);
      stack->entries[0] = nullptr;
      top = stack.release()->entries;
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }
  return StackOf(top);
}

void* TaskCache::Refill(int size_class) {
  Stack* const stack = StackFor(size_class);
  if (stack == nullptr) throw std::bad_alloc();
  TaskBatch* const batch = GlobalTaskDepot().TakeFull(size_class, empty_[size_class]);
  empty_[size_class] = batch;
  // The processor fetches them side by side; whoever writes into one block after the
  // other waits for each.
  for (void* const block : batch->blocks) __builtin_prefetch(block, 1);
  // The last one is the caller's.
  void** const end = std::copy_n(batch->blocks, kTaskBatch - 1, stack->entries + 1);
  tops_[size_class] = end - 1;
  return batch->blocks[kTaskBatch - 1];
}

void TaskCache::Drain(int size_class, void* block) {
  // The end of a child that drops what it has of its parent's.
  if (ForkedChild::IsThisProcess()) return;
  Stack* const stack = StackFor(size_class);
  // A new one has room; without one, the block goes the long way.
  if (stack == nullptr) return GlobalTaskDepot().GiveBlock(size_class, block);
  if (IsEnd(tops_[size_class] + 1)) {
    // The newest blocks stay: they are the ones in the processor's cache.
    void** const begin = stack->entries + 1;
    void** const kept = begin + kTaskBatch;
    TaskBatch*& batch = empty_[size_class];
    std::copy(begin, kept, batch->blocks);
    tops_[size_class] = std::copy(kept, stack->entries + kEntries, begin) - 1;
    batch = GlobalTaskDepot().GiveFull(size_class, batch);
  }
  Free(size_class, block);
}

}  // namespace pool_internal
}  // namespace filch
