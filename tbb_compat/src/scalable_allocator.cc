#include "../include/oneapi/tbb/scalable_allocator.h"

#include <malloc.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {

bool IsPowerOfTwo(std::size_t n) { return n != 0 && (n & (n - 1)) == 0; }

}  // namespace

extern "C" {

void* scalable_malloc(std::size_t size) { return std::malloc(size); }

void scalable_free(void* memory) { std::free(memory); }

void* scalable_realloc(void* memory, std::size_t size) {
  if (memory != nullptr && size == 0) {
    std::free(memory);
    return nullptr;
  }
  return std::realloc(memory, size);
}

void* scalable_calloc(std::size_t count, std::size_t size) { return std::calloc(count, size); }

int scalable_posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  return posix_memalign(memory, alignment, size);
}

std::size_t scalable_msize(void* memory) {
  if (memory != nullptr) return malloc_usable_size(memory);
  errno = EINVAL;
  return 0;
}

void* scalable_aligned_malloc(std::size_t size, std::size_t alignment) {
  if (!IsPowerOfTwo(alignment) || size == 0) {
    errno = EINVAL;
    return nullptr;
  }
  void* memory = nullptr;
  const int error = posix_memalign(&memory, std::max(alignment, sizeof(void*)), size);
  if (error == 0) return memory;
  errno = error;
  return nullptr;
}

void* scalable_aligned_realloc(void* memory, std::size_t size, std::size_t alignment) {
  if (!IsPowerOfTwo(alignment)) {
    errno = EINVAL;
    return nullptr;
  }
  if (memory == nullptr) return scalable_aligned_malloc(size, alignment);
  if (size == 0) {
    std::free(memory);
    return nullptr;
  }
  void* const moved = scalable_aligned_malloc(size, alignment);
  if (moved == nullptr) return nullptr;
  std::memcpy(moved, memory, std::min(size, malloc_usable_size(memory)));
  std::free(memory);
  return moved;
}

void scalable_aligned_free(void* memory) { std::free(memory); }

int scalable_allocation_mode(int parameter, std::intptr_t value) {
  switch (parameter) {
    case TBBMALLOC_USE_HUGE_PAGES:
      if (value != 0 && value != 1) return TBBMALLOC_INVALID_PARAM;
      return value == 0 ? TBBMALLOC_OK : TBBMALLOC_NO_EFFECT;
    case TBBMALLOC_SET_SOFT_HEAP_LIMIT:  // 0: none
      return value == 0 ? TBBMALLOC_OK : TBBMALLOC_NO_EFFECT;
    case TBBMALLOC_SET_HUGE_SIZE_THRESHOLD:
      return TBBMALLOC_NO_EFFECT;
    default:
      return TBBMALLOC_INVALID_PARAM;
  }
}

int scalable_allocation_command(int command, void* parameter) {
  const bool known =
      command == TBBMALLOC_CLEAN_ALL_BUFFERS || command == TBBMALLOC_CLEAN_THREAD_BUFFERS;
  if (!known || parameter != nullptr) return TBBMALLOC_INVALID_PARAM;
  return malloc_trim(0) != 0 ? TBBMALLOC_OK : TBBMALLOC_NO_EFFECT;
}

}  // extern "C"
