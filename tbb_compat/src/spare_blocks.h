// SpareBlocks: small blocks of a heap that are free, and neither put together nor given back.
//
// For blocks that come and go, by many threads: a thread has a place that it shares with few
// others, so it seldom waits for one, and nothing is cut or joined. What lies here is lost to
// the heap until somebody takes it out, so a place holds little, and who needs a block that
// the heap has not got takes out everything.
//
// Any thread. To the heap the blocks are allocated; they are nobody's (BlockHeap::SetAside).
#ifndef FILCH_TBB_COMPAT_SRC_SPARE_BLOCKS_H_
#define FILCH_TBB_COMPAT_SRC_SPARE_BLOCKS_H_

#include <cstddef>
#include <new>
#include <utility>

#include "filch/pool/sleeping_lock.h"
#include "filch/tbb_compat/src/block_heap.h"
#include "filch/topology/cache_line.h"

namespace filch::tbb_compat_internal {

// Blocks, each linked to the next in its own memory. One thread at a time.
class BlockList {
 public:
  bool is_empty() const { return first_ == nullptr; }
  void Push(void* block) { first_ = ::new (block) Link{first_}; }
  void* Pop() { return std::exchange(first_, first_->next); }

 private:
  struct Link {
    Link* next;
  };
  Link* first_ = nullptr;
};

class SpareBlocks {
 public:
  // What may lie in one place, with its headers.
  static constexpr std::size_t kMostBytes = std::size_t{8} << 10;

  // `units` is what BlockHeap says of a small block, or of a size.

  // From the thread's place; null if there is none.
  void* Take(std::size_t units);
  // Into the thread's place. If there are too many then, all that are there come back.
  BlockList Put(void* block, std::size_t units);
  // Everything, from everywhere.
  BlockList TakeAll();
  // The heap's blocks are all free, so none is spare.
  void Clear();

 private:
  // More threads than that share.
  static constexpr std::size_t kPlaces = 16;

  struct alignas(kCacheLineSize) Place {
    pool_internal::SleepingLock lock;
    std::size_t bytes = 0;
    BlockList of_units[BlockHeap::kMostSmallUnits + 1];
  };

  static constexpr std::size_t BytesOf(std::size_t units) {
    return (units + 1) * BlockHeap::kAlignment;
  }
  // Under the place's lock.
  static void TakeAllOf(Place& place, BlockList& all);
  Place& PlaceOfThread();

  Place places_[kPlaces];
};

}  // namespace filch::tbb_compat_internal

#endif  // FILCH_TBB_COMPAT_SRC_SPARE_BLOCKS_H_
