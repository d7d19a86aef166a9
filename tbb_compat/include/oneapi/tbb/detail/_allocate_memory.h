// The memory of TBB's allocators, without a type, for programs that ask the library for it.
//
// It is the memory of scalable_malloc (scalable_allocator.h). Sizes and alignments are in
// bytes. Any thread; memory may go back from another one than it was given to.
#ifndef FILCH_TBB_COMPAT_DETAIL_ALLOCATE_MEMORY_H_
#define FILCH_TBB_COMPAT_DETAIL_ALLOCATE_MEMORY_H_

#include <cstddef>

#include "_config.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace r1 {

// Fit for any type of ordinary alignment; of no bytes it is a block of its own all the same.
// Throws std::bad_alloc.
void* allocate_memory(std::size_t size);
// Gives such memory back; null is nothing.
void deallocate_memory(void* memory) noexcept;

// At a multiple of `alignment`, a power of two that is larger than that of ordinary types;
// nothing else lies between its beginning and the next multiple behind its end. Throws
// std::bad_alloc.
void* allocate_aligned_memory(std::size_t size, std::size_t alignment);
// Gives such memory back; null is nothing.
void deallocate_aligned_memory(void* memory) noexcept;

// Whether threads have memory of their own in it, as with oneTBB's tbbmalloc; if not, it
// comes from malloc. The same until the program ends.
bool is_tbbmalloc_used() noexcept;

}  // namespace r1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_ALLOCATE_MEMORY_H_
