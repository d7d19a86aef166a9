// HeldBlocks: free blocks of memory that wait for one who wants such a block again.
//
// So few that each is looked at. One thread at a time.
#ifndef FILCH_TBB_COMPAT_SRC_HELD_BLOCKS_H_
#define FILCH_TBB_COMPAT_SRC_HELD_BLOCKS_H_

#include <algorithm>
#include <cstddef>

#include "filch/tbb_compat/src/alignment.h"
#include "filch/tbb_compat/src/block_list.h"

namespace filch::tbb_compat_internal {

// No more than `kMost` blocks, and `kMostBytes`.
template <std::size_t kMost, std::size_t kMostBytes>
class HeldBlocks {
 public:
  // The latest of `size` bytes to `most`; null if there is none. `alignment` is a power of two.
  void* Take(std::size_t size, std::size_t most, std::size_t alignment) {
    for (std::size_t i = count_; i-- > 0;) {
      const Held held = held_[i];
      if (held.size < size || held.size > most || !IsAligned(held.block, alignment)) continue;
      Remove(i, i + 1);
      return held.block;
    }
    return nullptr;
  }

  // Takes a block, which is no larger than kMostBytes and has room for a link. Returns those
  // that are too many now.
  BlockList Hold(void* block, std::size_t size) {
    BlockList too_many;
    while (count_ == kMost || bytes_ + size > kMostBytes) {
      // The older half, so that not every block moves all others.
      GiveUp((count_ + 1) / 2, &too_many);
    }
    held_[count_++] = {size, block};
    bytes_ += size;
    return too_many;
  }

  void GiveUp(BlockList* all) { GiveUp(count_, all); }

  // The blocks are no more.
  void Clear() { count_ = bytes_ = 0; }

 private:
  struct Held {
    std::size_t size;
    void* block;
  };

  void GiveUp(std::size_t oldest, BlockList* given) {
    for (std::size_t i = 0; i < oldest; ++i) given->Push(held_[i].block);
    Remove(0, oldest);
  }

  void Remove(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) bytes_ -= held_[i].size;
    std::copy(held_ + end, held_ + count_, held_ + begin);
    count_ -= end - begin;
  }

  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
  // By age.
  Held held_[kMost];
};

}  // namespace filch::tbb_compat_internal

#endif  // FILCH_TBB_COMPAT_SRC_HELD_BLOCKS_H_
