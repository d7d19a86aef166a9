// SpareBlocks: the large blocks that a thread has freed and may want again.
//
// mimalloc 2.0.9 cuts a block of more than 128 KiB out of a segment when it is allocated, and
// puts the segment together again when it is freed: 0.25 us, which a thread that does so again
// and again need not pay. Each thread keeps a few such blocks for itself, until it ends.
//
// Where the process has more memory than it should (SoftLimit), a thread keeps none, and of what it
// frees of their sizes, or larger, the system gets the memory back at once.
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
  // Of so many bytes that a thread frees, it looks once whether the limit is exceeded.
  static constexpr std::size_t kLook = std::size_t{4} << 20;

  // A spare block that is larger by an eighth and 64 KiB at most, or memory of the source's;
  // null if there is none.
  static void* Allocate(const MemorySource& source, std::size_t size) {
    return TakeOr(source, size, 1, [&] { return source.allocate(size); });
  }
  // The same, all zeros, for `count` objects of `size` bytes.
  static void* AllocateZeros(const MemorySource& source, std::size_t count, std::size_t size) {
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes)) return nullptr;
    bool fresh = false;
    void* const memory = TakeOr(source, bytes, 1, [&] {
      fresh = true;
      return source.allocate_zeros(count, size);
    });
    return fresh || memory == nullptr ? memory : std::memset(memory, 0, bytes);
  }
  // The same, aligned to a power of two.
  static void* AllocateAligned(const MemorySource& source, std::size_t size,
                               std::size_t alignment) {
    return TakeOr(source, size, alignment, [&] { return source.AllocateAligned(size, alignment); });
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

  // Frees those of the calling thread; the system gets their memory back.
  static void GiveUp();

 private:
  static constexpr bool IsSize(std::size_t size) {
    return size - kSmallest <= kLargest - kSmallest;
  }
  template <typename Fresh>
  static void* TakeOr(const MemorySource& source, std::size_t size, std::size_t alignment,
                      const Fresh& fresh) {
    if (__builtin_expect(size < kSmallest, 1)) return fresh();
    void* const spare = IsSize(size) ? TakeLarge(size, alignment) : nullptr;
    if (spare != nullptr) return spare;
    return size < MemorySource::kHuge || source.MayHave(size) ? fresh() : nullptr;
  }
  static void* TakeLarge(std::size_t size, std::size_t alignment);
  static void FreeAtPlace(const MemorySource& source, void* memory);
};

}  // namespace filch::tbb_compat_internal

#endif  // FILCH_TBB_COMPAT_SRC_SPARE_BLOCKS_H_
