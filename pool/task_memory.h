// TaskCache and TaskDepot: memory for tasks that outlive the frame that made
// them.
//
// Every slot has a TaskCache: a stack of free blocks for each of a few sizes, used
// by the slot's thread alone, six instructions to take one and six to put it back.
// A block may be freed on another slot than it came from; caches that are full or
// run dry exchange batches with the process's one TaskDepot, under a lock, so that a
// producer of tasks and their consumers run in bounded memory.  A batch is an array of
// pointers beside the blocks: a list through blocks that another processor has freed
// would be as many cache misses as blocks, one after the other.  Blocks that are larger
// than the largest size come from operator new.
//
// Memory goes back to the system when the process ends.
//
// Memory ordering: what one thread did with a block before it freed it is visible to who takes it
// on another slot, by the depot's lock; a cache is its thread's, or goes to the next thread with
// the slot (O1 of README.md).
#ifndef FILCH_POOL_TASK_MEMORY_H_
#define FILCH_POOL_TASK_MEMORY_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "filch/pool/process_mutex.h"
#include "filch/topology/cache_line.h"

namespace filch {
namespace pool_internal {

inline constexpr int kTaskSizeClasses = 4;
inline constexpr std::size_t kSmallestTask = 64;  // bytes; each class doubles it
inline constexpr std::size_t kLargestTask = kSmallestTask << (kTaskSizeClasses - 1);

// The size class that serves `bytes`, which is at most kLargestTask.
constexpr int TaskSizeClass(std::size_t bytes) {
  return bytes <= kSmallestTask ? 0 : 64 - __builtin_clzll((bytes - 1) / kSmallestTask);
}

// A free block in a list.
struct FreeBlock {
  FreeBlock* next;
};

// How many blocks change hands at once: enough to make the lock rare, little enough for
// the smallest ones to sit in the first-level cache.  With 64, a task of a million that
// one thread spawns and two run costs a sixth more (two virtual Intel Xeon processors,
// 2026-11-22).
inline constexpr int kTaskBatch = 256;

// Free blocks of one class, or room for them.
struct TaskBatch {
  TaskBatch* next;
  void* blocks[kTaskBatch];  // the last one is to be taken first
};

// The process's store of free blocks, in batches.  Any thread.
//
// Whoever gives or takes a batch gives or takes another one in exchange, so nobody needs
// memory to give something back: a shelf has one empty batch for each slab of blocks
// that it made and whose blocks are outside.
class TaskDepot {
 public:
  // An empty batch for blocks of the class, which a cache keeps and exchanges.  Throws
  // std::bad_alloc.
  TaskBatch* TakeEmpty(int size_class);
  void GiveEmpty(int size_class, TaskBatch* empty);
  // A full one for an empty one.  Throws std::bad_alloc, and then the empty one is still
  // the caller's.
  TaskBatch* TakeFull(int size_class, TaskBatch* empty);
  // An empty one for a full one.
  TaskBatch* GiveFull(int size_class, TaskBatch* full);
  // A single block that comes from or goes to no cache.
  void* TakeBlock(int size_class);
  void GiveBlock(int size_class, void* block);

  // How many blocks of all classes have been taken and not given back: those in
  // use and those in caches.  None, when every pool is gone and nothing leaks.
  std::int64_t BlocksOutside() const {
    return outside_.load(std::memory_order_relaxed);  // A1: a statistic
  }

 private:
  struct alignas(kCacheLineSize) Shelf {
    ProcessMutex mutex;
    TaskBatch* full = nullptr;
    TaskBatch* empty = nullptr;
    FreeBlock* singles = nullptr;  // fewer than kTaskBatch
    int single_count = 0;
    int given_empty = 0;  // by caches that are gone, and not taken by others
  };

  // Under the shelf's lock, the first three.
  static TaskBatch* PopBatch(TaskBatch*& list);
  static void PushBatch(TaskBatch*& list, TaskBatch* batch);
  // As many single blocks as make a batch become one.
  void AddSingle(Shelf& shelf, void* block);
  // New blocks.
  static TaskBatch* MakeSlab(int size_class);

  void CountOutside(int blocks) {
    outside_.fetch_add(blocks, std::memory_order_relaxed);  // A1: a statistic
  }

  Shelf shelves_[kTaskSizeClasses];
  std::atomic<std::int64_t> outside_{0};
};

TaskDepot& GlobalTaskDepot();

// One slot's free blocks.  The slot's thread only.
class TaskCache {
 public:
  TaskCache() {
    for (void**& top : tops_) top = no_stack_.entries + kEntries - 1;
  }
  // What it holds goes to the depot.
  ~TaskCache();
  TaskCache(const TaskCache&) = delete;
  TaskCache& operator=(const TaskCache&) = delete;

  // A block of the class, aligned to kSmallestTask.  Throws std::bad_alloc.
  void* Allocate(int size_class) {
    void* const block = TryAllocate(size_class);
    return __builtin_expect(block != nullptr, 1) ? block : Refill(size_class);
  }
  // The same, if there is one here; else null.
  void* TryAllocate(int size_class) {
    void** const top = tops_[size_class];
    void* const block = *top;
    if (__builtin_expect(block != nullptr, 1)) tops_[size_class] = top - 1;
    return block;
  }

  void Free(int size_class, void* block) {
    void** const place = tops_[size_class] + 1;
    if (__builtin_expect(IsEnd(place), 0)) return Drain(size_class, block);
    *place = block;
    tops_[size_class] = place;
  }

 private:
  // A stack of pointers.  Its size is its alignment, so the place above the top tells
  // when it is full; the first entry stays null, so the top tells when it is empty.
  // A top never points beyond its stack: a leak checker would think it lost.
  static constexpr std::size_t kEntries = std::size_t{2} * kTaskBatch;
  struct alignas(kEntries * sizeof(void*)) Stack {
    void* entries[kEntries];
  };

  static bool IsEnd(void** place) {
    return reinterpret_cast<std::uintptr_t>(place) % sizeof(Stack) == 0;
  }
  // The stack that a top points into.
  static Stack* StackOf(void** top) {
    const auto address = reinterpret_cast<std::uintptr_t>(top);
    return reinterpret_cast<Stack*>(address - address % sizeof(Stack));
  }
  // Makes the stack if there is none yet; null if there is no memory for it.
  Stack* StackFor(int size_class);

  void* Refill(int size_class);
  void Drain(int size_class, void* block);

  // Stands for stacks that were not used yet: empty and full.
  static Stack no_stack_;

  void** tops_[kTaskSizeClasses];       // the newest entries
  TaskBatch* empty_[kTaskSizeClasses];  // to be exchanged; set if there is a stack
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_TASK_MEMORY_H_
