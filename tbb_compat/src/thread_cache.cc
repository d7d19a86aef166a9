#include "filch/tbb_compat/src/thread_cache.h"

#include <cstddef>

#include "filch/tbb_compat/src/block_class.h"
#include "filch/tbb_compat/src/block_heap.h"
#include "filch/tbb_compat/src/block_list.h"
#include "filch/tbb_compat/src/owner_lock.h"
#include "filch/tbb_compat/src/slab.h"

namespace filch::tbb_compat_internal {

static_assert(BlockClass::kMost <= BlockHeap::kMostClasses);

// --- Slabs

void ThreadCache::Link(Slab* slab) {
  Slab*& first = with_room_[slab->block_class()];
  slab->previous = nullptr;
  slab->next = first;
  if (first != nullptr) first->previous = slab;
  first = slab;
}

void ThreadCache::Unlink(Slab* slab) {
  (slab->previous != nullptr ? slab->previous->next : with_room_[slab->block_class()]) = slab->next;
  if (slab->next != nullptr) slab->next->previous = slab->previous;
}

void* ThreadCache::TakeSlowly(unsigned block_class, BlockList* too_many) {
  const Inside inside(lock_);
  CollectFromAfar();
  Slab* slab = with_room_[block_class];
  if (slab == nullptr) slab = ReuseUnused(block_class);
  for (Unused& unused : unused_) TrimUnused(unused, too_many);
  return slab == nullptr ? nullptr : TakeOf(slab);
}

void* ThreadCache::TakeFrom(void* memory, std::size_t bytes, unsigned block_class) {
  const Inside inside(lock_);
  Slab* const slab = Slab::Make(memory, bytes, block_class, this);
  Link(slab);
  return TakeOf(slab);
}

Slab* ThreadCache::ReuseUnused(unsigned block_class) {
  Unused& unused = UnusedFor(block_class);
  if (unused.first == nullptr) return nullptr;
  const std::size_t bytes = unused.first->bytes();
  if (Slab::BlocksIn(bytes, block_class) < kFewestBlocks) return nullptr;
  Slab* const made = Slab::Make(unused.Pop(), bytes, block_class, this);
  Link(made);
  return made;
}

// The last slab of a class stays when it is unused: its next block is likely to come.
void ThreadCache::ArrangeAfterPut(Slab* slab, bool was_full) {
  if (was_full) Link(slab);
  if (!slab->is_unused() || (slab->next == nullptr && slab->previous == nullptr)) return;
  Unlink(slab);
  UnusedFor(slab->block_class()).Push(slab);
}

BlockList ThreadCache::Rearrange(Slab* slab, bool was_full) noexcept {
  ArrangeAfterPut(slab, was_full);
  BlockList too_many;
  TrimUnused(UnusedFor(slab->block_class()), &too_many);
  return too_many;
}

void ThreadCache::TrimUnused(Unused& unused, BlockList* too_many) {
  while (unused.bytes > kMostUnusedBytes) too_many->Push(unused.Pop());
}

void ThreadCache::CollectFromAfar() {
  if (from_afar_.is_empty()) return;
  BlockList blocks(from_afar_.TakeAll());
  while (!blocks.is_empty()) {
    void* const block = blocks.Pop();
    Slab* const slab = Slab::Of(block);
    const bool was_full = slab->is_full();
    slab->Put(block);
    ArrangeAfterPut(slab, was_full);
  }
}

// --- Other blocks

void* ThreadCache::TakeHeld(std::size_t size, std::size_t alignment) {
  if (size > kLargestHeld) return nullptr;
  const Inside inside(lock_);
  const std::size_t most = size + size / 8 + 2 * BlockHeap::kAlignment;
  return held_.Take(size, most, alignment);
}

BlockList ThreadCache::Hold(void* block) {
  const std::size_t size = BlockHeap::SizeOf(block);
  if (size > kLargestHeld) {
    BlockList too_large;
    too_large.Push(block);
    return too_large;
  }
  const Inside inside(lock_);
  return held_.Hold(block, size);
}

// --- Everything

void ThreadCache::GiveUpUnderLock(BlockList* all) noexcept {
  CollectFromAfar();
  for (Slab* first : with_room_) {
    for (Slab* slab = first; slab != nullptr;) {
      Slab* const next = slab->next;
      if (slab->is_unused()) {
        Unlink(slab);
        all->Push(slab);
      }
      slab = next;
    }
  }
  for (Unused& unused : unused_) {
    while (unused.first != nullptr) all->Push(unused.Pop());
  }
  held_.GiveUp(all);
}

void ThreadCache::GiveUpClaimed(ThreadCache* last, BlockList* all) {
  OwnerLock::FenceClaims();
  while (last != nullptr) {
    ThreadCache& cache = *last;
    last = cache.next_claimed_;
    cache.lock_.AwaitOwner();
    cache.GiveUpUnderLock(all);
    cache.lock_.unlock();
  }
}

void ThreadCache::Clear() {
  held_.Clear();
  for (Unused& unused : unused_) unused = {};
  for (Slab*& first : with_room_) first = nullptr;
  from_afar_.TakeAll();
}

}  // namespace filch::tbb_compat_internal
