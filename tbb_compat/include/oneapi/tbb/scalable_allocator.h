/* scalable_allocator and the scalable_* functions: memory from mimalloc if that is
 * installed (libmimalloc.so.2, of 2.0.9 or newer), and from malloc otherwise.
 *
 * The library is loaded at the first use of any allocator; the program's malloc stays
 * what it is. A program with a sanitizer gets memory from malloc, which the sanitizer sees.
 * What was allocated here is freed here, and by any thread. The functions are for C programs
 * too, of C90 on: so comments are as there, and those that only C++ sees have no apostrophes.
 *
 *   std::list<int, tbb::scalable_allocator<int>> numbers;
 */
#ifndef FILCH_TBB_COMPAT_SCALABLE_ALLOCATOR_H_
#define FILCH_TBB_COMPAT_SCALABLE_ALLOCATOR_H_

#ifdef __cplusplus
#include <cstddef>
#include <cstdint>
#include <memory_resource>

#include "detail/_allocator_base.h"
#include "detail/_config.h"
#endif

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As malloc, free, realloc, calloc, posix_memalign and malloc_usable_size: null and ENOMEM
 * if memory is short, a block of its own for no bytes. realloc to no bytes frees; the usable
 * size of null is 0, and errno is EINVAL then. Any thread, as all of these functions.
 */
void* scalable_malloc(size_t size);
void scalable_free(void* memory);
void* scalable_realloc(void* memory, size_t size);
void* scalable_calloc(size_t count, size_t size);
int scalable_posix_memalign(void** memory, size_t alignment, size_t size);
size_t scalable_msize(void* memory);

/* Null, and errno says why, if the alignment is no power of two, the size is 0
 * or memory is short. realloc to no bytes frees, and what cannot be moved for want of memory
 * stays as it is.
 */
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
/* USE_HUGE_PAGES, 1 or 0: whether large pages are wanted for what the system gives from now on,
 * as with TBB_MALLOC_USE_HUGE_PAGES=1 in the environment. SET_SOFT_HEAP_LIMIT, in bytes, or 0 for
 * none: while the process has more memory than that, the memory of each block of 56 KiB or more
 * that a thread frees goes back to the system at once; what the calling thread has kept goes back
 * when the limit is set. Nothing fails because of a limit. SET_HUGE_SIZE_THRESHOLD does nothing.
 * Returns TBBMALLOC_OK, TBBMALLOC_INVALID_PARAM, or TBBMALLOC_NO_EFFECT for what stays as it is:
 * with malloc, everything. Any thread.
 */
int scalable_allocation_mode(int parameter, intptr_t value);

typedef enum { TBBMALLOC_CLEAN_ALL_BUFFERS, TBBMALLOC_CLEAN_THREAD_BUFFERS } ScalableAllocationCmd;
/* Gives free memory back to the system: of this thread and of threads that have ended. What
 * other threads keep for themselves stays with them, and up to 128 MiB stay with the
 * process. TBBMALLOC_NO_EFFECT if that is surely nothing; the parameter is null.
 */
int scalable_allocation_command(int command, void* parameter);

#ifdef __cplusplus
} /* extern "C" */

// Pools in memory that one function of the program gives and another takes back.
//
//   const rml::MemPoolPolicy policy(&TakeMemory, &GiveMemoryBack);
//   rml::MemoryPool* pool = nullptr;
//   if (rml::pool_create_v1(0, &policy, &pool) != rml::POOL_OK) return;
//   void* const object = rml::pool_malloc(pool, 100);
//   rml::pool_destroy(pool);  // and the object with it
namespace rml {
inline namespace filch_1 {

class MemoryPool;

// A piece of memory of whatever alignment for the pool of this number, or null. It may say
// that there are more bytes than were asked for; for a fixed pool also fewer.
using rawAllocType = void* (*)(std::intptr_t pool_id, std::size_t& bytes);
// Not 0 if that failed. A pool calls one of the two at a time; they do not use the pool, and
// throw nothing.
using rawFreeType = int (*)(std::intptr_t pool_id, void* raw_ptr, std::size_t raw_bytes);

struct MemPoolPolicy {
  enum { TBBMALLOC_POOL_VERSION = 1 };

  MemPoolPolicy(rawAllocType take, rawFreeType give_back, std::size_t granule = 0,
                bool fixed = false, bool keep_all = false)
      : pAlloc(take),
        pFree(give_back),
        granularity(granule),
        version(TBBMALLOC_POOL_VERSION),
        fixedPool(fixed),
        keepAllMemory(keep_all),
        reserved(0) {}

  rawAllocType pAlloc;
  rawFreeType pFree;  // may be null if the pool is fixed
  // The pool asks for multiples of it; 0: of 64 KiB.
  std::size_t granularity;
  int version;
  // The pool asks for memory once, when the first block is allocated.
  unsigned fixedPool : 1;
  // It gives memory back when it is destroyed, and not before.
  unsigned keepAllMemory : 1;
  unsigned reserved : 30;
};

enum MemPoolError {
  POOL_OK = TBBMALLOC_OK,
  INVALID_POLICY = TBBMALLOC_INVALID_PARAM,
  UNSUPPORTED_POLICY = TBBMALLOC_UNSUPPORTED,
  NO_MEMORY = TBBMALLOC_NO_MEMORY,
  NO_EFFECT = TBBMALLOC_NO_EFFECT
};

// Null in *pool if there is an error. No callback is called yet.
MemPoolError pool_create_v1(std::intptr_t pool_id, const MemPoolPolicy* policy, MemoryPool** pool);
// Gives all memory back, with the blocks in it. False if there is no pool, or if some memory
// could not be given back. When no other thread uses the pool, as pool_reset.
bool pool_destroy(MemoryPool* pool);
// All blocks are free; the memory stays with the pool. False if there is no pool.
bool pool_reset(MemoryPool* pool);

// As the scalable_ functions of those names, but for errno: null if memory is short or there
// is no pool. Any thread.
void* pool_malloc(MemoryPool* pool, std::size_t size);
void* pool_realloc(MemoryPool* pool, void* object, std::size_t size);
void* pool_aligned_malloc(MemoryPool* pool, std::size_t size, std::size_t alignment);
void* pool_aligned_realloc(MemoryPool* pool, void* object, std::size_t size, std::size_t alignment);
// False, and nothing happens, if there is no object or another pool has it.
bool pool_free(MemoryPool* pool, void* object);

// The pool of an object that one of them has; null for null.
MemoryPool* pool_identify(void* object);
// The bytes that may be used; 0 for null.
std::size_t pool_msize(MemoryPool* pool, void* object);

}  // namespace filch_1
}  // namespace rml

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
class scalable_allocator<void> : public VoidAllocatorBase<scalable_allocator> {
 public:
  using VoidAllocatorBase<scalable_allocator>::VoidAllocatorBase;
};

template <typename T, typename U>
bool operator==(const scalable_allocator<T>&, const scalable_allocator<U>&) noexcept {
  return true;
}
template <typename T, typename U>
bool operator!=(const scalable_allocator<T>&, const scalable_allocator<U>&) noexcept {
  return false;
}

// A resource of the standard library on the same memory, for any alignment; always the same
// one. Any thread.
std::pmr::memory_resource* scalable_memory_resource() noexcept;

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::scalable_allocator;
using detail::d1::scalable_memory_resource;
}  // namespace v1
}  // namespace tbb
#endif /* __cplusplus */

#endif /* FILCH_TBB_COMPAT_SCALABLE_ALLOCATOR_H_ */
