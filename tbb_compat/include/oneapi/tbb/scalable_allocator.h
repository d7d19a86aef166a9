// scalable_allocator and the scalable_* functions: a thin layer over malloc.
//
// The C library's malloc, or whatever the program is linked with in its place,
// scales as well as it does. The functions are for C programs too.
//
//   std::list<int, tbb::scalable_allocator<int>> numbers;
#ifndef FILCH_TBB_COMPAT_SCALABLE_ALLOCATOR_H_
#define FILCH_TBB_COMPAT_SCALABLE_ALLOCATOR_H_

#ifdef __cplusplus
#include <memory_resource>

#include "detail/_allocator_base.h"
#include "detail/_config.h"
#endif

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// As malloc, free, realloc, calloc, posix_memalign and malloc_usable_size.
void* scalable_malloc(size_t size);
void scalable_free(void* memory);
void* scalable_realloc(void* memory, size_t size);
void* scalable_calloc(size_t count, size_t size);
int scalable_posix_memalign(void** memory, size_t alignment, size_t size);
size_t scalable_msize(void* memory);

// Null, and errno says why, if the alignment is no power of two, the size is 0
// or memory is short.
void* scalable_aligned_malloc(size_t size, size_t alignment);
void* scalable_aligned_realloc(void* memory, size_t size, size_t alignment);
void scalable_aligned_free(void* memory);

typedef enum {
  TBBMALLOC_OK,
  TBBMALLOC_INVALID_PARAM,
  TBBMALLOC_UNSUPPORTED,
  TBBMALLOC_NO_MEMORY,
  TBBMALLOC_NO_EFFECT
} ScalableAllocationResult;

typedef enum {
  TBBMALLOC_USE_HUGE_PAGES,
  USE_HUGE_PAGES = TBBMALLOC_USE_HUGE_PAGES,
  TBBMALLOC_SET_SOFT_HEAP_LIMIT,
  TBBMALLOC_SET_HUGE_SIZE_THRESHOLD
} AllocationModeParam;
// TBBMALLOC_OK for what is so anyway, as no limit and no huge pages; TBBMALLOC_NO_EFFECT
// for what would have to be changed.
int scalable_allocation_mode(int parameter, intptr_t value);

typedef enum { TBBMALLOC_CLEAN_ALL_BUFFERS, TBBMALLOC_CLEAN_THREAD_BUFFERS } ScalableAllocationCmd;
int scalable_allocation_command(int command, void* parameter);

#ifdef __cplusplus
}  // extern "C"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

template <typename T>
class scalable_allocator : public AllocatorBase<scalable_allocator, T, 1> {
 public:
  scalable_allocator() = default;
  template <typename U>
  scalable_allocator(const scalable_allocator<U>&) noexcept {}
};

template <>
class scalable_allocator<void> : public VoidAllocatorBase<scalable_allocator> {};

template <typename T, typename U>
bool operator==(const scalable_allocator<T>&, const scalable_allocator<U>&) noexcept {
  return true;
}
template <typename T, typename U>
bool operator!=(const scalable_allocator<T>&, const scalable_allocator<U>&) noexcept {
  return false;
}

// The default resource of the standard library on operator new.
inline std::pmr::memory_resource* scalable_memory_resource() noexcept {
  return std::pmr::new_delete_resource();
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::scalable_allocator;
using detail::d1::scalable_memory_resource;
}  // namespace v1
}  // namespace tbb
#endif  // __cplusplus

#endif  // FILCH_TBB_COMPAT_SCALABLE_ALLOCATOR_H_
