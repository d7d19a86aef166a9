#include "filch/pool/task_memory.h"

#include <cstddef>
#include <mutex>
#include <new>

namespace filch {
namespace pool_internal {

FreeBlock* TaskDepot::TakeBatch(int size_class) {
  Shelf& shelf = shelves_[size_class];
  {
    const std::lock_guard<std::mutex> lock(shelf.mutex);
    if (FreeBlock* const first = shelf.batches) {
      shelf.batches = first->next_batch;
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
  return first;
}

void TaskDepot::GiveBatch(int size_class, FreeBlock* first) {
  Shelf& shelf = shelves_[size_class];
  const std::lock_guard<std::mutex> lock(shelf.mutex);
  first->next_batch = shelf.batches;
  shelf.batches = first;
}

void* TaskDepot::TakeBlock(int size_class) {
  Shelf& shelf = shelves_[size_class];
  {
    const std::lock_guard<std::mutex> lock(shelf.mutex);
    if (FreeBlock* const block = shelf.singles) {
      shelf.singles = block->next;
      return block;
    }
  }
  FreeBlock* const batch = TakeBatch(size_class);
  const std::lock_guard<std::mutex> lock(shelf.mutex);
  FreeBlock* last = batch;
  while (last->next != nullptr) last = last->next;
  last->next = shelf.singles;
  shelf.singles = batch->next;
  return batch;
}

void TaskDepot::GiveBlock(int size_class, void* block) {
  Shelf& shelf = shelves_[size_class];
  const std::lock_guard<std::mutex> lock(shelf.mutex);
  shelf.singles = ::new (block) FreeBlock{shelf.singles, nullptr};
}

TaskDepot& GlobalTaskDepot() {
  // Never destroyed: threads may still run tasks while statics go away.
  static TaskDepot* const depot = new TaskDepot;
  return *depot;
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
