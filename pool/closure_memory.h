// ClosureMemory: where tasks of one type that own a closure come from, and what else lives as
// they do.
//
// Small ones from the slot's cache, large or strangely aligned ones from
// operator new.
#ifndef FILCH_POOL_CLOSURE_MEMORY_H_
#define FILCH_POOL_CLOSURE_MEMORY_H_

#include <new>

#include "filch/pool/task_memory.h"
#include "filch/topology/catch_all.h"

namespace filch {
namespace pool_internal {

template <typename T>
struct ClosureMemory {
  static constexpr bool kPooled = sizeof(T) <= kLargestTask && alignof(T) <= kSmallestTask;

  // Memory for one T.  Throws std::bad_alloc.  The cache's thread.
  static void* Allocate(TaskCache& cache) {
    if constexpr (kPooled) {
      return cache.Allocate(TaskSizeClass(sizeof(T)));
    } else {
      return ::operator new (sizeof(T), std::align_val_t{alignof(T)});
    }
  }

  // The same, if it is pooled and there is some at hand; else null.
  static void* TryAllocate(TaskCache& cache) {
    if constexpr (kPooled) return cache.TryAllocate(TaskSizeClass(sizeof(T)));
    return nullptr;
  }

  // A T that construct(memory) makes there, and returns.  Throws std::bad_alloc or what
  // construct throws, and then there is nothing.  The cache's thread.
  template <typename Construct>
  static T& Make(TaskCache& cache, const Construct& construct) {
    void* const memory = Allocate(cache);
    if constexpr (noexcept(construct(memory))) {
      return construct(memory);
    } else {
      FILCH_TRY { return construct(memory); }
      FILCH_CATCH_ALL {
        Free(cache, memory);
        FILCH_RETHROW;
      }
    }
  }

  // Takes it back, into whichever cache.  The cache's thread.
  static void Free(TaskCache& cache, void* memory) {
    if constexpr (kPooled) {
      cache.Free(TaskSizeClass(sizeof(T)), memory);
    } else {
      ::operator delete (memory, std::align_val_t{alignof(T)});
    }
  }
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_CLOSURE_MEMORY_H_
