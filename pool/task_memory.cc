#include "filch/pool/task_memory.h"

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
    for (FreeBlock* block = lists_[size_class].first; block != nullptr;) {
      FreeBlock* const next = block->next;
      GlobalTaskDepot().GiveBlock(size_class, block);
      block = next;
    }
  }
}

void TaskCache::Refill(int size_class) {
  lists_[size_class].first = GlobalTaskDepot().TakeBatch(size_class);
  lists_[size_class].size = TaskDepot::kBatch;
}

void TaskCache::Drain(int size_class) {
  // The newest blocks stay: they are the ones in the processor's cache.
  List& list = lists_[size_class];
  FreeBlock* last_kept = list.first;
  for (int i = 1; i < list.size - TaskDepot::kBatch; ++i) last_kept = last_kept->next;
  FreeBlock* const batch = last_kept->next;
  last_kept->next = nullptr;
  list.size -= TaskDepot::kBatch;
  GlobalTaskDepot().GiveBatch(size_class, batch);
}

}  // namespace pool_internal
}  // namespace filch
