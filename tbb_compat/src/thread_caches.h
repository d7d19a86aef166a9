// ThreadCaches: the caches of a heap, one for each thread that uses it.
//
// A thread finds its own by its number, so a later thread may inherit one.
#ifndef FILCH_TBB_COMPAT_SRC_THREAD_CACHES_H_
#define FILCH_TBB_COMPAT_SRC_THREAD_CACHES_H_

#include <atomic>
#include <cstddef>

#include "filch/tbb_compat/src/block_list.h"
#include "filch/tbb_compat/src/thread_cache.h"
#include "filch/tbb_compat/src/thread_indexes.h"

namespace filch::tbb_compat_internal {

class ThreadCaches {
 public:
  // Memory of the program's for a cache, aligned as one; may be null.
  using Allocate = void* (*)(std::size_t bytes, std::size_t alignment);
  using Deallocate = void (*)(void* memory);

  ThreadCaches() = default;
  ThreadCaches(const ThreadCaches&) = delete;
  ThreadCaches& operator=(const ThreadCaches&) = delete;

  // The calling thread's. Null if there is no memory for it, or if the thread has no number.
  // Any thread.
  ThreadCache* OfThread(Allocate allocate) {
    const std::size_t index = ThreadIndex();
    if (__builtin_expect(index == ThreadIndexes::kMost, 0)) return nullptr;
    // P3: a thread of the same number, which N1 orders
    ThreadCache* const cache = caches_[index].load(std::memory_order_relaxed);
    return __builtin_expect(cache != nullptr, 1) ? cache : Make(index, allocate);
  }

  // What all of them give up; `own` is the calling thread's, or null. Any thread.
  BlockList GiveUp(ThreadCache* own);

  // Not while another thread uses one.
  void Clear();
  void Delete(Deallocate deallocate);

 private:
  ThreadCache* Make(std::size_t index, Allocate allocate);

  std::atomic<ThreadCache*> caches_[ThreadIndexes::kMost] = {};
};

}  // namespace filch::tbb_compat_internal

#endif  // FILCH_TBB_COMPAT_SRC_THREAD_CACHES_H_
