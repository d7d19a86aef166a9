// Slab: a block of a heap that is cut into blocks of one class.
//
// Blocks of a slab are not put together with others, so they come and go for next to
// nothing; the slab goes back to the heap as a whole when none of them is used. What has
// never been handed out has never been touched.
//
// One thread at a time, but for what only looks at a block that the caller has: Of, and the
// slab's cache and class.
#ifndef FILCH_TBB_COMPAT_SRC_SLAB_H_
#define FILCH_TBB_COMPAT_SRC_SLAB_H_

#include <cstddef>
#include <cstdint>
#include <new>

#include "filch/tbb_compat/src/block_class.h"
#include "filch/tbb_compat/src/block_heap.h"
#include "filch/tbb_compat/src/block_list.h"

namespace filch::tbb_compat_internal {

class ThreadCache;

class alignas(BlockHeap::kAlignment) Slab {
 public:
  // What a slab with so many blocks of a class needs.
  static constexpr std::size_t BytesFor(std::size_t blocks, unsigned block_class) {
    return sizeof(Slab) + blocks * Stride(block_class);
  }
  // In so many bytes.
  static constexpr std::size_t BlocksIn(std::size_t bytes, unsigned block_class) {
    return bytes < sizeof(Slab) ? 0 : (bytes - sizeof(Slab)) / Stride(block_class);
  }

  // Makes one of a block of the heap, which has room for one block of the class at least.
  static Slab* Make(void* memory, std::size_t bytes, unsigned block_class, ThreadCache* cache) {
    return ::new (memory) Slab(bytes, block_class, cache);
  }
  // That of a block whose class is not 0.
  static Slab* Of(void* block) { return static_cast<Slab*>(BlockHeap::WholeOf(block)); }

  ThreadCache* cache() const { return cache_; }
  unsigned block_class() const { return class_; }
  // All of them, what the heap gave.
  std::size_t bytes() const { return bytes_; }

  bool is_full() const { return free_.is_empty() && fresh_ == end_; }
  bool is_unused() const { return used_ == 0; }

  // Not of a full one. The block is nobody's yet (BlockHeap::SetAside).
  void* Take() {
    ++used_;
    if (!free_.is_empty()) return free_.Pop();
    unsigned char* const place = fresh_;
    fresh_ += stride_;
    return BlockHeap::MakePart(place, this, class_);
  }
  void Put(void* block) {
    --used_;
    free_.Push(block);
  }

  // Of the slabs of a class that have room; the cache's.
  Slab* next = nullptr;
  Slab* previous = nullptr;

 private:
  static constexpr std::size_t Stride(unsigned block_class) {
    return BlockHeap::kHeader + BlockClass::BytesOf(block_class);
  }

  Slab(std::size_t bytes, unsigned block_class, ThreadCache* cache)
      : cache_(cache), bytes_(bytes), stride_(Stride(block_class)), class_(block_class) {
    fresh_ = reinterpret_cast<unsigned char*>(this) + sizeof(Slab);
    end_ = fresh_ + BlocksIn(bytes, block_class) * stride_;
  }

  ThreadCache* const cache_;
  const std::size_t bytes_;
  const std::size_t stride_;
  const unsigned class_;
  std::uint32_t used_ = 0;
  BlockList free_;
  unsigned char* fresh_;
  unsigned char* end_;
};

}  // namespace filch::tbb_compat_internal

#endif  // FILCH_TBB_COMPAT_SRC_SLAB_H_
