// SpareBlocks: the large blocks that a thread has freed and may want again.
//
// mimalloc 2.0.9 cuts a block of more than 128 KiB out of a segment when it is allocated, and
// puts the segment together again when it is freed: 0.25 us, which a thread that does so again
// and again need not pay. Each thread keeps a few such blocks for itself, until it ends.
//
// Any thread; each has its own. What it frees while it is ending is not kept.
#ifndef FILCH_TBB_COMPAT_SRC_SPARE_BLOCKS_H_
#define FILCH_TBB_COMPAT_SRC_SPARE_BLOCKS_H_

#include <cstddef>
#include <cstdint>

#include "filch/tbb_compat/src/alignment.h"
#include "filch/tbb_compat/src/memory_source.h"

namespace filch::tbb_compat_internal {

class SpareBlocks {
 public:
  // Of what sizes, in bytes, blocks are kept, and how many, and how many bytes, of a thread at
  // most.
  static constexpr std::size_t kSmallest = (std::size_t{56} << 10) + 1;
  static constexpr std::size_t kLargest = std::size_t{8} << 20;
  static constexpr std::size_t kMost = 32;
  static constexpr std::size_t kMostBytes = std::size_t{16} << 20;
  // What the places of such blocks are multiples of in mimalloc, but for some of less than 128
  // KiB. One that lies elsewhere is not kept.
  static constexpr std::size_t kPlace = std::size_t{64} << 10;

  // One that is hardly larger than `size`, or null. `alignment` is a power of two.
  static void* Take(std::size_t size, std::size_t alignment) {
    return __builtin_expect(IsSize(size), 0) ? TakeLarge(size, alignment) : nullptr;
  }

  // Frees a block of the source's, or null, or keeps it. A thread uses one source with
  // spare blocks, which outlives it.
  static void FreeOrKeep(void* memory, const MemorySource& source) {
    if (__builtin_expect(!IsAligned(memory, kPlace), 1)) {
      source.free(memory);
    } else {
      FreeAtPlace(memory, source);
    }
  }

  // Frees those of the calling thread.
  static void GiveUp();

 private:
  static constexpr bool IsSize(std::size_t size) {
    return size - kSmallest <= kLargest - kSmallest;
  }
  static void* TakeLarge(std::size_t size, std::size_t alignment);
  static void FreeAtPlace(void* memory, const MemorySource& source);
};

}  // namespace filch::tbb_compat_internal

#endif  // FILCH_TBB_COMPAT_SRC_SPARE_BLOCKS_H_
