// Memory at a multiple of an alignment, in a block that is not.
//
// An allocation that is to be aligned to cache lines takes the system several times as
// long as one that is not, so what is aligned is cut out of a larger block here, which
// begins with the address of the block. Any thread.
//
//   void* memory = AlignIn(::operator new(BlockSize(bytes, alignment)), alignment);
//   ::operator delete(BlockOf(memory));
#ifndef FILCH_TBB_COMPAT_DETAIL_ALIGNED_BLOCK_H_
#define FILCH_TBB_COMPAT_DETAIL_ALIGNED_BLOCK_H_

#include <cstddef>
#include <cstdint>
#include <limits>

#include "_config.h"
#include "_exception.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// How large a block for `bytes` bytes has to be: they get whole multiples of `alignment`, a
// power of two and at least that of the block itself. Throws std::bad_alloc if there is no
// such size.
inline std::size_t BlockSize(std::size_t bytes, std::size_t alignment) {
  if (alignment > std::numeric_limits<std::size_t>::max() / 4 ||
      bytes > std::numeric_limits<std::size_t>::max() - 2 * alignment) {
    r1::throw_exception(r1::exception_id::bad_alloc);
  }
  const std::size_t rounded = (bytes + alignment - 1) & ~(alignment - 1);
  return (bytes == 0 ? alignment : rounded) + alignment;
}

// The memory in such a block, which has the alignment of any ordinary object.
inline void* AlignIn(void* block, std::size_t alignment) {
  const auto begin = reinterpret_cast<std::uintptr_t>(block);
  // At least the block's own alignment, so there is room for an address in front.
  const std::size_t skipped = alignment - (begin & (alignment - 1));
  void* const memory = static_cast<char*>(block) + skipped;
  ::new (static_cast<void*>(static_cast<void**>(memory) - 1)) void*(block);
  return memory;
}

// The block in which this memory is.
inline void* BlockOf(void* memory) { return static_cast<void**>(memory)[-1]; }

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_ALIGNED_BLOCK_H_
