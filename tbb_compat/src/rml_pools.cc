#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <type_traits>

#include "../include/oneapi/tbb/detail/_sleeping_lock.h"
#include "../include/oneapi/tbb/scalable_allocator.h"
#include "filch/tbb_compat/src/alignment.h"
#include "filch/tbb_compat/src/block_class.h"
#include "filch/tbb_compat/src/block_heap.h"
#include "filch/tbb_compat/src/block_list.h"
#include "filch/tbb_compat/src/realloc_policy.h"
#include "filch/tbb_compat/src/slab.h"
#include "filch/tbb_compat/src/thread_cache.h"
#include "filch/tbb_compat/src/thread_caches.h"
#include "growing_heap.h"

namespace rml {
inline namespace filch_1 {
namespace {

using filch::tbb_compat_internal::BlockClass;
using filch::tbb_compat_internal::BlockHeap;
using filch::tbb_compat_internal::BlockList;
using filch::tbb_compat_internal::IsAligned;
using filch::tbb_compat_internal::IsPowerOfTwo;
using filch::tbb_compat_internal::MoveResized;
using filch::tbb_compat_internal::Slab;
using filch::tbb_compat_internal::StaysInPlace;
using filch::tbb_compat_internal::ThreadCache;
using filch::tbb_compat_internal::ThreadCaches;

// No slab has a larger share of a fixed pool.
constexpr std::size_t kSlabsInFixedPool = 64;

bool FitsInHeap(std::size_t size, std::size_t alignment) {
  return size <= BlockHeap::kLimit && alignment <= BlockHeap::kLimit;
}

}  // namespace

// The callbacks are called under the lock, so by one thread at a time.
class MemoryPool final : private GrowingHeap {
 public:
  MemoryPool(std::intptr_t id, const MemPoolPolicy& policy) : GrowingHeap(id, policy) {}

  static MemoryPool* Of(void* object) { return static_cast<MemoryPool*>(HeapOf(object)); }

  void* Allocate(std::size_t size, std::size_t alignment = kAlignment);
  void* Reallocate(void* object, std::size_t size, std::size_t alignment = kAlignment);
  void Free(void* object);
  static std::size_t SizeOf(void* object);
  void Reset();
  // The last that is done with the pool. False if some memory was not taken.
  bool End();

 private:
  ThreadCache* CacheOfThread() { return caches_.OfThread(&scalable_aligned_malloc); }
  void* AllocateInSlab(ThreadCache& cache, unsigned block_class);
  void* AllocateInHeap(std::size_t size, std::size_t alignment);
  void FreeInHeap(BlockList blocks);

  // Under the lock.
  std::size_t SlabBytes(unsigned block_class) const;

  ThreadCaches caches_;
  tbb::detail::d1::SleepingLock lock_;  // the heap
  // Who has it makes all threads give up memory, which is done by one at a time
  // (ThreadCache::ClaimBefore); and others would find neither here nor there what is on its
  // way. Before the lock.
  tbb::detail::d1::SleepingLock shortage_;
};

// None if it is 0.
std::size_t MemoryPool::SlabBytes(unsigned block_class) const {
  const std::size_t bytes = ThreadCache::SlabBytes(block_class);
  if (!is_fixed()) return bytes;
  const std::size_t share = std::min(bytes, taken() / kSlabsInFixedPool);
  return Slab::BlocksIn(share, block_class) < ThreadCache::kFewestBlocks ? 0 : share;
}

void* MemoryPool::Allocate(std::size_t size, std::size_t alignment) {
  ThreadCache* const cache = CacheOfThread();
  if (__builtin_expect(cache == nullptr, 0)) return AllocateInHeap(size, alignment);
  const bool is_small = size <= BlockClass::kMostBytes && alignment <= kAlignment;
  const unsigned block_class = is_small ? BlockClass::For(size) : 0;
  void* object = is_small ? cache->Take(block_class) : nullptr;
  if (__builtin_expect(is_small && object == nullptr, 0)) {
    BlockList too_many;
    object = cache->TakeSlowly(block_class, &too_many);
    FreeInHeap(too_many);
  }
  if (object == nullptr) object = cache->TakeHeld(size, alignment);
  if (object == nullptr && is_small) object = AllocateInSlab(*cache, block_class);
  if (object == nullptr) return AllocateInHeap(size, alignment);
  TakeUp(object);
  return object;
}

void* MemoryPool::AllocateInSlab(ThreadCache& cache, unsigned block_class) {
  std::size_t bytes = 0;
  void* slab = nullptr;
  {
    const std::lock_guard lock(lock_);
    bytes = SlabBytes(block_class);
    if (bytes == 0) return nullptr;
    slab = BlockHeap::Allocate(bytes, kAlignment);
  }
  // A fixed pool's last parts are for blocks.
  if (slab == nullptr && !is_fixed()) slab = AllocateInHeap(bytes, kAlignment);
  return slab == nullptr ? nullptr : cache.TakeFrom(slab, bytes, block_class);
}

void* MemoryPool::AllocateInHeap(std::size_t size, std::size_t alignment) {
  if (!FitsInHeap(size, alignment)) return nullptr;
  {
    const std::lock_guard lock(lock_);
    if (void* const object = BlockHeap::Allocate(size, alignment)) return object;
  }
  const std::lock_guard shortage(shortage_);
  FreeInHeap(caches_.GiveUp(CacheOfThread()));
  const std::lock_guard lock(lock_);
  return AllocateAndGrow(size, alignment);
}

void* MemoryPool::Reallocate(void* object, std::size_t size, std::size_t alignment) {
  if (object == nullptr) return Allocate(size, alignment);
  if (size == 0) {
    Free(object);
    return nullptr;
  }
  const std::size_t has = SizeOf(object);
  if (IsAligned(object, alignment)) {
    if (StaysInPlace(has, size)) return object;
    if (ClassOf(object) == 0 && FitsInHeap(size, alignment)) {
      const std::lock_guard lock(lock_);
      if (Resize(object, size)) return object;
    }
  }
  return MoveResized(
      object, has, size, IsAligned(object, alignment),
      [&](std::size_t bytes) { return Allocate(bytes, alignment); },
      [this](void* moved) { Free(moved); });
}

void MemoryPool::Free(void* object) {
  ThreadCache* const cache = CacheOfThread();
  SetAside(object);
  BlockList too_many;
  if (ClassOf(object) == 0) {
    if (cache != nullptr) {
      too_many = cache->Hold(object);
    } else {
      too_many.Push(object);
    }
  } else if (ThreadCache* const owner = Slab::Of(object)->cache(); owner == cache) {
    too_many = cache->Put(object);
  } else {
    owner->PutFromAfar(object);
  }
  if (__builtin_expect(!too_many.is_empty(), 0)) FreeInHeap(too_many);
}

void MemoryPool::FreeInHeap(BlockList blocks) {
  if (blocks.is_empty()) return;
  const std::lock_guard lock(lock_);
  FreeAndShrink(blocks);
}

std::size_t MemoryPool::SizeOf(void* object) {
  const unsigned block_class = ClassOf(object);
  return block_class == 0 ? BlockHeap::SizeOf(object) : BlockClass::BytesOf(block_class);
}

void MemoryPool::Reset() {
  caches_.Clear();
  const std::lock_guard lock(lock_);
  Clear();
}

bool MemoryPool::End() {
  caches_.Delete(&scalable_aligned_free);
  return GiveEverythingBack();
}

MemPoolError pool_create_v1(std::intptr_t pool_id, const MemPoolPolicy* policy, MemoryPool** pool) {
  if (pool == nullptr) return INVALID_POLICY;
  *pool = nullptr;
  if (policy == nullptr || policy->pAlloc == nullptr ||
      (policy->pFree == nullptr && !policy->fixedPool) ||
      policy->version < MemPoolPolicy::TBBMALLOC_POOL_VERSION) {
    return INVALID_POLICY;
  }
  if (policy->version > MemPoolPolicy::TBBMALLOC_POOL_VERSION || policy->reserved != 0) {
    return UNSUPPORTED_POLICY;
  }
  // Not by new, which may be the program's own and made of a pool.
  void* const place = scalable_aligned_malloc(sizeof(MemoryPool), alignof(MemoryPool));
  if (place == nullptr) return NO_MEMORY;
  *pool = ::new (place) MemoryPool(pool_id, *policy);
  return POOL_OK;
}

bool pool_destroy(MemoryPool* pool) {
  if (pool == nullptr) return false;
  const bool all_taken = pool->End();
  static_assert(std::is_trivially_destructible_v<MemoryPool>);
  scalable_aligned_free(pool);
  return all_taken;
}

void* pool_malloc(MemoryPool* pool, std::size_t size) {
  return pool == nullptr ? nullptr : pool->Allocate(size);
}

void* pool_realloc(MemoryPool* pool, void* object, std::size_t size) {
  return pool == nullptr ? nullptr : pool->Reallocate(object, size);
}

void* pool_aligned_malloc(MemoryPool* pool, std::size_t size, std::size_t alignment) {
  if (pool == nullptr || !IsPowerOfTwo(alignment) || size == 0) return nullptr;
  return pool->Allocate(size, alignment);
}

void* pool_aligned_realloc(MemoryPool* pool, void* object, std::size_t size,
                           std::size_t alignment) {
  if (pool == nullptr || !IsPowerOfTwo(alignment)) return nullptr;
  return pool->Reallocate(object, size, alignment);
}

bool pool_reset(MemoryPool* pool) {
  if (pool == nullptr) return false;
  pool->Reset();
  return true;
}

bool pool_free(MemoryPool* pool, void* object) {
  if (pool == nullptr || object == nullptr || MemoryPool::Of(object) != pool) return false;
  pool->Free(object);
  return true;
}

MemoryPool* pool_identify(void* object) {
  return object == nullptr ? nullptr : MemoryPool::Of(object);
}

std::size_t pool_msize(MemoryPool*, void* object) {
  return object == nullptr ? 0 : MemoryPool::SizeOf(object);
}

}  // namespace filch_1
}  // namespace rml
