#include "filch/pool/task_memory.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <new>

#include "filch/pool/forked_child.h"

namespace filch {
namespace pool_internal {

FreeBlock* TaskDepot::TakeBatch(int size_class) {
  ForkedChild::MustNotBeThisProcess();  // a lock may be held for ever
  Shelf& shelf = shelves_[size_class];
  {
    const std::lock_guard<std::mutex> lock(shelf.mutex);
    if (FreeBlock* const first = shelf.batches) {
      shelf.batches = first->next_batch;
      CountOutside(kBatch);
      return first;
    }
  }
  const std::size_t bytes = kSmallestTask << size_class;
  auto* const slab =
      static_cast<std::byte*>(::operator new (bytes* kBatch, std::align_val_t{kSmallestTask}));
  FreeBlock* first = nullptr;
  for (int i = kBatch - 1; i >= 0; --i) {
    first = ::new (slab + bytes * static_cast<std::size_t>(i)) FreeBlock{first, nullptr};
  }
  CountOutside(kBatch);
  return first;
}

void TaskDepot::GiveBatch(int size_class, FreeBlock* first) {
  ForkedChild::MustNotBeThisProcess();  // a lock may be held for ever
  Shelf& shelf = shelves_[size_class];
  const std::lock_guard<std::mutex> lock(shelf.mutex);
  first->next_batch = shelf.batches;
  shelf.batches = first;
  CountOutside(-kBatch);
}

void* TaskDepot::TakeBlock(int size_class) {
  ForkedChild::MustNotBeThisProcess();  // a lock may be held for ever
  Shelf& shelf = shelves_[size_class];
  {
    const std::lock_guard<std::mutex> lock(shelf.mutex);
    if (FreeBlock* const block = shelf.singles) {
      shelf.singles = block->next;
      --shelf.single_count;
      CountOutside(1);
      return block;
    }
  }
  FreeBlock* const batch = TakeBatch(size_class);
  const std::lock_guard<std::mutex> lock(shelf.mutex);
  for (FreeBlock* block = batch->next; block != nullptr;) {
    FreeBlock* const next = block->next;
    AddSingle(shelf, block);
    block = next;
  }
  return batch;
}

void TaskDepot::GiveBlock(int size_class, void* block) {
  ForkedChild::MustNotBeThisProcess();  // a lock may be held for ever
  Shelf& shelf = shelves_[size_class];
  const std::lock_guard<std::mutex> lock(shelf.mutex);
  AddSingle(shelf, block);
}

void TaskDepot::AddSingle(Shelf& shelf, void* block) {
  CountOutside(-1);
  shelf.singles = ::new (block) FreeBlock{shelf.singles, nullptr};
  if (++shelf.single_count < kBatch) return;
  shelf.singles->next_batch = shelf.batches;
  shelf.batches = shelf.singles;
  shelf.singles = nullptr;
  shelf.single_count = 0;
}

TaskDepot& GlobalTaskDepot() {
  // Never destroyed: threads may still run tasks while statics go away.
  static TaskDepot* const depot = new TaskDepot;
  return *depot;
}

TaskCache::~TaskCache() {
  for (int size_class = 0; size_class < kTaskSizeClasses; ++size_class) {
    FreeBlock** top = tops_[size_class];
    Stack* const stack = StackOf(top);
    if (stack == &no_stack_) continue;
    for (; *top != nullptr; --top) GlobalTaskDepot().GiveBlock(size_class, *top);
    delete stack;
  }
}

TaskCache::Stack* TaskCache::StackFor(int size_class) {
  FreeBlock**& top = tops_[size_class];
  if (StackOf(top) == &no_stack_) {
    // Not by std::nothrow: programs that replace operator new often leave that one out.
    try {
      auto* const stack = new Stack;
      stack->entries[0] = nullptr;
      top = stack->entries;
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }
  return StackOf(top);
}

void* TaskCache::Refill(int size_class) {
  Stack* const stack = StackFor(size_class);
  if (stack == nullptr) throw std::bad_alloc();
  FreeBlock* const first = GlobalTaskDepot().TakeBatch(size_class);
  // The first one is the caller's, and the second is the next to be taken.
  FreeBlock** const end = stack->entries + TaskDepot::kBatch;
  FreeBlock** entry = end;
  for (FreeBlock* block = first->next; block != nullptr; block = block->next) *--entry = block;
  tops_[size_class] = end - 1;
  return first;
}

void TaskCache::Drain(int size_class, void* block) {
  Stack* const stack = StackFor(size_class);
  // A new one has room; without one, the block goes the long way.
  if (stack == nullptr) return GlobalTaskDepot().GiveBlock(size_class, block);
  if (IsEnd(tops_[size_class] + 1)) {
    // The newest blocks stay: they are the ones in the processor's cache.
    FreeBlock** const begin = stack->entries + 1;
    FreeBlock** const kept = begin + TaskDepot::kBatch;
    FreeBlock* batch = nullptr;
    for (FreeBlock** entry = begin; entry != kept; ++entry) {
      batch = ::new (static_cast<void*>(*entry)) FreeBlock{batch, nullptr};
    }
    tops_[size_class] = std::copy(kept, stack->entries + kEntries, begin) - 1;
    GlobalTaskDepot().GiveBatch(size_class, batch);
  }
  Free(size_class, block);
}

}  // namespace pool_internal
}  // namespace filch
