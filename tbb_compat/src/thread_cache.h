// ThreadCache: what a heap's memory a thread has for itself.
//
// Slabs, of which the thread hands out small blocks, and some free blocks of other sizes that
// wait for one who wants such a block again: neither takes the heap's lock. What other threads
// free of the slabs waits until the thread looks for a slab with room.
//
// The owner is one thread at a time, and who owns a cache next is ordered after it; where
// nothing is said, the owner calls. Whoever is about to go without memory makes every thread's
// cache give up the slabs of which it has handed out nothing, and the other blocks.
#ifndef FILCH_TBB_COMPAT_SRC_THREAD_CACHE_H_
#define FILCH_TBB_COMPAT_SRC_THREAD_CACHE_H_

#include <cstddef>

#include "filch/tbb_compat/src/block_class.h"
#include "filch/tbb_compat/src/block_list.h"
#include "filch/tbb_compat/src/held_blocks.h"
#include "filch/tbb_compat/src/owner_lock.h"
#include "filch/tbb_compat/src/slab.h"
#include "filch/topology/cache_line.h"

namespace filch::tbb_compat_internal {

class alignas(kCacheLineSize) ThreadCache {
 public:
  // What waits here and is part of no slab: so many blocks, and so many bytes, at most, and
  // none that is larger.
  static constexpr std::size_t kMostHeld = 32;
  static constexpr std::size_t kMostHeldBytes = std::size_t{16} << 20;
  static constexpr std::size_t kLargestHeld = std::size_t{4} << 20;

  // The bytes of a slab for blocks of the class, of which all for small blocks are the same,
  // as are all for others: one that is empty serves any of these classes.
  static constexpr std::size_t SlabBytes(unsigned block_class) {
    return IsOfSmall(block_class) ? Slab::BytesFor(16, kLastSmall)
                                  : Slab::BytesFor(8, BlockClass::kMost);
  }

  // No slab is one of a class of which it has room for fewer blocks.
  static constexpr std::size_t kFewestBlocks = 4;

  // Blocks come and go as nobody's (BlockHeap::SetAside).

  // Null if there is no slab with room at hand.
  void* Take(unsigned block_class) {
    const Inside inside(lock_);
    Slab* const slab = with_room_[block_class];
    return __builtin_expect(slab != nullptr, 1) ? TakeOf(slab) : nullptr;
  }
  // The same after a look at what others have freed, and at slabs without a block. Adds
  // slabs that are too many then.
  void* TakeSlowly(unsigned block_class, BlockList* too_many);
  // The same from one more slab, made of a block of the heap.
  void* TakeFrom(void* slab, std::size_t bytes, unsigned block_class);
  // Takes a block of a slab of this cache. Returns slabs that are too many.
  BlockList Put(void* block) {
    const Inside inside(lock_);
    Slab* const slab = Slab::Of(block);
    const bool was_full = slab->is_full();
    slab->Put(block);
    return __builtin_expect(was_full || slab->is_unused(), 0) ? Rearrange(slab, was_full)
                                                              : BlockList();
  }
  // The same if another thread frees it. Any thread.
  void PutFromAfar(void* block) { from_afar_.Push(block); }

  // A block that is no part of a slab; null if none waits that is hardly larger.
  void* TakeHeld(std::size_t size, std::size_t alignment);
  // Takes such a block. Returns those that are too many.
  BlockList Hold(void* block);

  // All slabs without a block in use, and all blocks that wait.
  void GiveUpOwn(BlockList* all) {
    const Inside inside(lock_);
    GiveUpUnderLock(all);
  }
  // The same of other threads' caches: claims the cache, and puts it before those that the
  // thread has claimed before; the threads of a heap do so one at a time, and in the same
  // order. Any thread.
  void ClaimBefore(ThreadCache* claimed) {
    lock_.Claim();
    next_claimed_ = claimed;
  }
  // What all that the thread has claimed give up, of which this is the last, and no claim any
  // more. Costs microseconds, for all of them together.
  static void GiveUpClaimed(ThreadCache* last, BlockList* all);
  // Blocks and slabs are no more. Not while another thread uses the cache.
  void Clear();

 private:
  // The last class of which at least 16 blocks share a slab.
  static constexpr unsigned kLastSmall = BlockClass::For(std::size_t{1} << 10);
  static constexpr bool IsOfSmall(unsigned block_class) { return block_class <= kLastSmall; }
  // Of the slabs without a block in use, so many bytes of either kind stay.
  static constexpr std::size_t kMostUnusedBytes = std::size_t{1} << 20;

  class Inside {
   public:
    explicit Inside(OwnerLock& lock) : lock_(lock) { lock_.Enter(); }
    ~Inside() { lock_.Leave(); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    OwnerLock& lock_;
  };
  struct Unused {
    void Push(Slab* slab) {
      slab->next = first;
      first = slab;
      bytes += slab->bytes();
    }
    // Not of none.
    Slab* Pop() {
      Slab* const slab = first;
      first = slab->next;
      bytes -= slab->bytes();
      return slab;
    }

    Slab* first = nullptr;
    std::size_t bytes = 0;
  };

  // All under the lock.
  void Link(Slab* slab);
  void Unlink(Slab* slab);
  void* TakeOf(Slab* slab) {
    void* const block = slab->Take();
    if (__builtin_expect(slab->is_full(), 0)) Unlink(slab);
    return block;
  }
  void ArrangeAfterPut(Slab* slab, bool was_full);
  BlockList Rearrange(Slab* slab, bool was_full) noexcept;
  void TrimUnused(Unused& unused, BlockList* too_many);
  void CollectFromAfar();
  void GiveUpUnderLock(BlockList* all) noexcept;
  Slab* ReuseUnused(unsigned block_class);
  Unused& UnusedFor(unsigned block_class) { return unused_[IsOfSmall(block_class) ? 0 : 1]; }

  OwnerLock lock_;
  ThreadCache* next_claimed_ = nullptr;
  HeldBlocks<kMostHeld, kMostHeldBytes> held_;
  Unused unused_[2];
  Slab* with_room_[BlockClass::kMost + 1] = {};
  // Others write it.
  alignas(kCacheLineSize) SharedBlockList from_afar_;
};

}  // namespace filch::tbb_compat_internal

#endif  // FILCH_TBB_COMPAT_SRC_THREAD_CACHE_H_
