// SpareBlocks: the large blocks that a thread has freed and may want again.
//
// mimalloc 2.0.9 cuts a block of more than 128 KiB out of a segment when it is allocated, and
// puts the segment together again when it is freed: 0.25 us, which a thread that does so again
// and again need not pay. Each thread keeps a few such blocks for itself, until it ends.
//
// Any thread; each has its own. No lock is taken, so a thread may free what it likes while it
// loads a library, and what it frees while it is ending is not lost.
#ifndef FILCH_TBB_COMPAT_SRC_SPARE_BLOCKS_H_
#define FILCH_TBB_COMPAT_SRC_SPARE_BLOCKS_H_

#include <cstddef>
#include <cstring>

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

  // A spare block that is larger by an eighth and 64 KiB at most, or memory of the source's;
  // null if there is none.
  static void* Allocate(const MemorySource& source, std::size_t size) {
    void* const spare = Take(size, 1);
    return spare != nullptr ? spare : source.allocate(size);
  }
  // The same, all zeros, for `count` objects of `size` bytes.
  static void* AllocateZeros(const MemorySource& source, std::size_t count, std::size_t size) {
    std::size_t bytes = 0;
    void* const spare = __builtin_mul_overflow(count, size, &bytes) ? nullptr : Take(bytes, 1);
    return spare != nullptr ? std::memset(spare, 0, bytes) : source.allocate_zeros(count, size);
  }
  // The same, aligned to a power of two.
  static void* AllocateAligned(const MemorySource& source, std::size_t size,
                               std::size_t alignment) {
    void* const spare = Take(size, alignment);
    return spare != nullptr ? spare : source.AllocateAligned(size, alignment);
  }

  // Frees what the source has given, or null, or keeps it. A thread uses one source with spare
  // blocks, which outlives it.
  static void FreeOrKeep(const MemorySource& source, void* memory) {
    if (__builtin_expect(!IsAligned(memory, kPlace), 1)) {
      source.free(memory);
    } else {
      FreeAtPlace(source, memory);
    }
  }

  // Frees those of the calling thread.
  static void GiveUp();

 private:
  static constexpr bool IsSize(std::size_t size) {
    return size - kSmallest <= kLargest - kSmallest;
  }
  static void* Take(std::size_t size, std::size_t alignment) {
    return __builtin_expect(IsSize(size), 0) ? TakeLarge(size, alignment) : nullptr;
  }
  static void* TakeLarge(std::size_t size, std::size_t alignment);
  static void FreeAtPlace(const MemorySource& source, void* memory);
};

}  // namespace filch::tbb_compat_internal

#endif  // FILCH_TBB_COMPAT_SRC_SPARE_BLOCKS_H_
