#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <new>
#include <type_traits>

#include "../include/oneapi/tbb/detail/_sleeping_lock.h"
#include "../include/oneapi/tbb/scalable_allocator.h"
#include "filch/tbb_compat/src/block_heap.h"
#include "filch/tbb_compat/src/spare_blocks.h"

namespace rml {
inline namespace filch_1 {
namespace {

using filch::tbb_compat_internal::BlockHeap;
using filch::tbb_compat_internal::BlockList;
using filch::tbb_compat_internal::SpareBlocks;

// Of the pieces that a pool takes without need for more: each is as large as all before it,
// so that there are few, and within these bounds.
constexpr std::size_t kSmallestPiece = std::size_t{1} << 20;
constexpr std::size_t kLargestPiece = std::size_t{2} << 20;

// Of the pieces' sizes, if the program names none.
constexpr std::size_t kGranularity = std::size_t{64} << 10;

// Of the pieces that are empty, a pool keeps so much for blocks that come and go.
constexpr std::size_t kKeptEmpty = std::size_t{4} << 20;

bool IsPowerOfTwo(std::size_t n) { return n != 0 && (n & (n - 1)) == 0; }

bool IsAligned(const void* object, std::size_t alignment) {
  return (reinterpret_cast<std::uintptr_t>(object) & (alignment - 1)) == 0;
}

bool FitsInHeap(std::size_t size, std::size_t alignment) {
  return size <= BlockHeap::kLimit && alignment <= BlockHeap::kLimit;
}

}  // namespace

// The callbacks are called under the lock, so by one thread at a time.
class MemoryPool final : private BlockHeap {
 public:
  MemoryPool(std::intptr_t id, const MemPoolPolicy& policy) : id_(id), policy_(policy) {
    if (policy_.granularity == 0) policy_.granularity = kGranularity;
  }

  static MemoryPool* Of(void* object) { return static_cast<MemoryPool*>(HeapOf(object)); }

  void* Allocate(std::size_t size, std::size_t alignment = kAlignment);
  void* Reallocate(void* object, std::size_t size, std::size_t alignment = kAlignment);
  void Free(void* object);
  std::size_t SizeOf(void* object);
  void Reset();
  // The last that is done with the pool. False if some memory was not taken.
  bool GiveEverythingBack();

 private:
  void* AllocateInHeap(std::size_t size, std::size_t alignment);
  void FreeInHeap(BlockList blocks);

  // Under the lock.
  bool TakePieceFor(std::size_t size, std::size_t alignment);
  bool TakePiece(std::size_t bytes);
  bool GiveBack(Memory memory);

  SpareBlocks spare_;
  const std::intptr_t id_;
  MemPoolPolicy policy_;
  tbb::detail::d1::SleepingLock lock_;
  // What the pool has of the caller's memory.
  std::size_t taken_ = 0;
  bool has_asked_ = false;
};

bool MemoryPool::TakePiece(std::size_t bytes) {
  const std::size_t granularity = policy_.granularity;
  if (granularity - 1 > SIZE_MAX - bytes) return false;
  const std::size_t wanted = (bytes + granularity - 1) / granularity * granularity;
  Memory memory{nullptr, wanted};
  memory.begin = policy_.pAlloc(id_, memory.bytes);
  if (memory.begin == nullptr) return false;
  taken_ += memory.bytes;
  if ((policy_.fixedPool || memory.bytes >= wanted) && Add(memory)) return true;
  GiveBack(memory);
  return false;
}

bool MemoryPool::TakePieceFor(std::size_t size, std::size_t alignment) {
  const std::size_t least = PieceFor(size, alignment);
  if (policy_.fixedPool) {
    if (has_asked_) return false;
    has_asked_ = true;
    return TakePiece(std::max(least, kLargestPiece));
  }
  const std::size_t ample = std::clamp(taken_, kSmallestPiece, kLargestPiece);
  return (ample > least && TakePiece(ample)) || TakePiece(least);
}

bool MemoryPool::GiveBack(Memory memory) {
  taken_ -= memory.bytes;
  return policy_.pFree == nullptr || policy_.pFree(id_, memory.begin, memory.bytes) == 0;
}

void* MemoryPool::Allocate(std::size_t size, std::size_t alignment) {
  if (!FitsInHeap(size, alignment)) return nullptr;
  const std::size_t units = alignment <= kAlignment ? SmallUnitsFor(size) : 0;
  if (units != 0) {
    if (void* const object = spare_.Take(units)) {
      TakeUp(object);
      return object;
    }
  }
  return AllocateInHeap(size, alignment);
}

void* MemoryPool::AllocateInHeap(std::size_t size, std::size_t alignment) {
  {
    const std::lock_guard lock(lock_);
    if (void* const object = BlockHeap::Allocate(size, alignment)) return object;
  }
  FreeInHeap(spare_.TakeAll());
  const std::lock_guard lock(lock_);
  void* const object = BlockHeap::Allocate(size, alignment);
  if (object != nullptr || !TakePieceFor(size, alignment)) return object;
  return BlockHeap::Allocate(size, alignment);
}

void* MemoryPool::Reallocate(void* object, std::size_t size, std::size_t alignment) {
  if (object == nullptr) return Allocate(size, alignment);
  if (size == 0) {
    Free(object);
    return nullptr;
  }
  if (FitsInHeap(size, alignment) && IsAligned(object, alignment)) {
    const std::lock_guard lock(lock_);
    if (Resize(object, size)) return object;
  }
  void* const moved = Allocate(size, alignment);
  if (moved == nullptr) return nullptr;
  std::memcpy(moved, object, std::min(size, SizeOf(object)));
  Free(object);
  return moved;
}

void MemoryPool::Free(void* object) {
  BlockList blocks;
  if (const std::size_t units = SmallUnitsOf(object); units != 0) {
    SetAside(object);
    blocks = spare_.Put(object, units);
  } else {
    blocks.Push(object);
  }
  FreeInHeap(blocks);
}

void MemoryPool::FreeInHeap(BlockList blocks) {
  if (blocks.is_empty()) return;
  const std::lock_guard lock(lock_);
  while (!blocks.is_empty()) {
    Piece* const empty = BlockHeap::Free(blocks.Pop());
    if (empty == nullptr || policy_.fixedPool || policy_.keepAllMemory) continue;
    if (empty_bytes() > std::max(kKeptEmpty, policy_.granularity)) GiveBack(Remove(empty));
  }
}

std::size_t MemoryPool::SizeOf(void* object) {
  const std::lock_guard lock(lock_);
  return BlockHeap::SizeOf(object);
}

void MemoryPool::Reset() {
  spare_.Clear();
  const std::lock_guard lock(lock_);
  Clear();
}

bool MemoryPool::GiveEverythingBack() {
  Clear();
  bool all_taken = true;
  while (Piece* const piece = first_piece()) all_taken = GiveBack(Remove(piece)) && all_taken;
  return all_taken;
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
  const bool all_taken = pool->GiveEverythingBack();
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
  return object == nullptr ? 0 : MemoryPool::Of(object)->SizeOf(object);
}

}  // namespace filch_1
}  // namespace rml
