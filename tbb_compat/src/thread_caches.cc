#include "filch/tbb_compat/src/thread_caches.h"

#include <atomic>
#include <cstddef>
#include <new>
#include <type_traits>

#include "filch/tbb_compat/src/block_list.h"
#include "filch/tbb_compat/src/thread_cache.h"

namespace filch::tbb_compat_internal {

ThreadCache* ThreadCaches::Make(std::size_t index, Allocate allocate) {
  // The program's memory may be made of a pool that is about to make a cache.
  static __thread bool makes_one = false;
  if (makes_one) return nullptr;
  makes_one = true;
  void* const memory = allocate(sizeof(ThreadCache), alignof(ThreadCache));
  makes_one = false;
  if (memory == nullptr) return nullptr;
  auto* const cache = ::new (memory) ThreadCache;
  caches_[index].store(cache, std::memory_order_release);  // P3: to GiveUp
  return cache;
}

BlockList ThreadCaches::GiveUp(ThreadCache* own) {
  BlockList all;
  if (own != nullptr) own->GiveUpOwn(&all);
  ThreadCache* claimed = nullptr;
  for (const auto& entry : caches_) {
    ThreadCache* const cache = entry.load(std::memory_order_acquire);  // P3: Make
    if (cache == nullptr || cache == own) continue;
    cache->ClaimBefore(claimed);
    claimed = cache;
  }
  if (claimed != nullptr) ThreadCache::GiveUpClaimed(claimed, &all);
  return all;
}

void ThreadCaches::Clear() {
  for (const auto& entry : caches_) {
    // P3: the only thread
    if (ThreadCache* const cache = entry.load(std::memory_order_relaxed)) cache->Clear();
  }
}

void ThreadCaches::Delete(Deallocate deallocate) {
  static_assert(std::is_trivially_destructible_v<ThreadCache>);
  for (auto& entry : caches_) {
    ThreadCache* const cache = entry.load(std::memory_order_relaxed);  // P3: the only thread
    if (cache != nullptr) deallocate(cache);
    entry.store(nullptr, std::memory_order_relaxed);  // P3: the only thread
  }
}

}  // namespace filch::tbb_compat_internal
