#include "filch/tbb_compat/src/thread_cache.h"

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "filch/tbb_compat/src/block_heap.h"
#include "filch/tbb_compat/src/block_list.h"
#include "filch/tbb_compat/src/owner_lock.h"
#include "filch/tbb_compat/src/slab.h"

namespace filch::tbb_compat_internal {
namespace {

static_assert(BlockClass::kMost <= BlockHeap::kMostClasses);

class Inside {
 public:
  explicit Inside(OwnerLock& lock) : lock_(lock) { lock_.Enter(); }
  ~Inside() { lock_.Leave(); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  OwnerLock& lock_;
};

bool IsAligned(const void* memory, std::size_t alignment) {
  return (reinterpret_cast<std::uintptr_t>(memory) & (alignment - 1)) == 0;
}

}  // namespace

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

void* ThreadCache::TakeOf(Slab* slab) {
  void* const block = slab->Take();
  if (__builtin_expect(slab->is_full(), 0)) Unlink(slab);
  return block;
}

void* ThreadCache::Take(unsigned block_class) {
  const Inside inside(lock_);
  Slab* slab = with_room_[block_class];
  if (__builtin_expect(slab == nullptr, 0)) {
    CollectFromAfar();
    slab = with_room_[block_class];
    if (slab == nullptr) slab = ReuseUnused(block_class);
    if (slab == nullptr) return nullptr;
  }
  return TakeOf(slab);
}

void* ThreadCache::TakeFrom(void* memory, std::size_t bytes, unsigned block_class) {
  const Inside inside(lock_);
  Slab* const slab = Slab::Make(memory, bytes, block_class, this);
  Link(slab);
  return TakeOf(slab);
}

Slab* ThreadCache::ReuseUnused(unsigned block_class) {
  Unused& unused = UnusedFor(block_class);
  Slab* const slab = unused.first;
  if (slab == nullptr) return nullptr;
  const std::size_t bytes = slab->bytes();
  if (Slab::BlocksIn(bytes, block_class) < kFewestBlocks) return nullptr;
  unused.first = slab->next;
  unused.bytes -= bytes;
  Slab* const made = Slab::Make(slab, bytes, block_class, this);
  Link(made);
  return made;
}

// The last slab of a class stays when it is unused: its next block is likely to come.
void ThreadCache::PutInSlab(void* block) {
  Slab* const slab = Slab::Of(block);
  const bool was_full = slab->is_full();
  slab->Put(block);
  if (was_full) Link(slab);
  if (!slab->is_unused() || (slab->next == nullptr && slab->previous == nullptr)) return;
  Unlink(slab);
  Unused& unused = UnusedFor(slab->block_class());
  slab->next = unused.first;
  unused.first = slab;
  unused.bytes += slab->bytes();
}

BlockList ThreadCache::Put(void* block) {
  const Inside inside(lock_);
  Unused& unused = UnusedFor(Slab::Of(block)->block_class());
  PutInSlab(block);
  BlockList too_many;
  while (__builtin_expect(unused.bytes > kMostUnusedBytes, 0)) {
    Slab* const slab = unused.first;
    unused.first = slab->next;
    unused.bytes -= slab->bytes();
    too_many.Push(slab);
  }
  return too_many;
}

void ThreadCache::CollectFromAfar() {
  if (from_afar_.is_empty()) return;
  BlockList blocks(from_afar_.TakeAll());
  while (!blocks.is_empty()) PutInSlab(blocks.Pop());
}

// --- Other blocks

void* ThreadCache::RemoveHeld(std::size_t index) {
  const Held held = held_[index];
  held_bytes_ -= held.size;
  --held_count_;
  for (std::size_t i = index; i < held_count_; ++i) held_[i] = held_[i + 1];
  return held.block;
}

void* ThreadCache::TakeHeld(std::size_t size, std::size_t alignment) {
  const Inside inside(lock_);
  const std::size_t most = size + size / 8 + 2 * BlockHeap::kAlignment;
  for (std::size_t i = held_count_; i-- > 0;) {
    const Held& held = held_[i];
    if (held.size < size || held.size > most || !IsAligned(held.block, alignment)) continue;
    return RemoveHeld(i);
  }
  return nullptr;
}

BlockList ThreadCache::Hold(void* block) {
  const std::size_t size = BlockHeap::SizeOf(block);
  BlockList too_many;
  if (size > kMostHeldBytes) {
    too_many.Push(block);
    return too_many;
  }
  const Inside inside(lock_);
  while (held_count_ == kMostHeld || held_bytes_ + size > kMostHeldBytes) {
    too_many.Push(RemoveHeld(0));
  }
  held_[held_count_++] = {size, block};
  held_bytes_ += size;
  return too_many;
}

// --- Everything

BlockList ThreadCache::GiveUp() {
  const std::lock_guard<OwnerLock> lock(lock_);
  CollectFromAfar();
  BlockList all;
  for (Slab* first : with_room_) {
    for (Slab* slab = first; slab != nullptr;) {
      Slab* const next = slab->next;
      if (slab->is_unused()) {
        Unlink(slab);
        all.Push(slab);
      }
      slab = next;
    }
  }
  for (Unused& unused : unused_) {
    for (Slab* slab = unused.first; slab != nullptr;) {
      Slab* const next = slab->next;
      all.Push(slab);
      slab = next;
    }
    unused = {};
  }
  while (held_count_ > 0) all.Push(RemoveHeld(held_count_ - 1));
  return all;
}

void ThreadCache::Clear() {
  held_count_ = 0;
  held_bytes_ = 0;
  for (Unused& unused : unused_) unused = {};
  for (Slab*& first : with_room_) first = nullptr;
  from_afar_.TakeAll();
}

}  // namespace filch::tbb_compat_internal
