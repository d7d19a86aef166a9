#include "../include/oneapi/tbb/scalable_allocator.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <new>

#include "../include/oneapi/tbb/detail/_aligned_block.h"
#include "../include/oneapi/tbb/detail/_allocate_memory.h"
#include "../include/oneapi/tbb/detail/_exception.h"
#include "filch/pool/default_pool.h"
#include "filch/tbb_compat/src/alignment.h"
#include "filch/tbb_compat/src/chosen_memory.h"
#include "filch/tbb_compat/src/memory_source.h"
#include "filch/tbb_compat/src/realloc_policy.h"
#include "filch/tbb_compat/src/soft_limit.h"
#include "filch/tbb_compat/src/spare_blocks.h"

namespace {

using filch::tbb_compat_internal::ChosenMemory;
using filch::tbb_compat_internal::IsAligned;
using filch::tbb_compat_internal::IsPowerOfTwo;
using filch::tbb_compat_internal::MemorySource;
using filch::tbb_compat_internal::MoveResized;
using filch::tbb_compat_internal::SoftLimit;
using filch::tbb_compat_internal::SpareBlocks;
using filch::tbb_compat_internal::StaysInPlace;

// Blocks of more bytes lie at multiples of two cache lines in mimalloc 2.0.9, which gives a
// larger one, and takes longer to free it, to who asks for that.
constexpr std::size_t kMostlyAligned = 1024;

// A worker that came first would load the library, while a thread that is just loading another one
// may wait for the worker.
const bool chosen_before_workers = [] {
  filch::BeforeDefaultPool([] { static_cast<void>(ChosenMemory()); });
  return true;
}();

void* OrNoMemory(void* memory) {
  if (memory == nullptr) errno = ENOMEM;
  return memory;
}

void* OrBadAlloc(void* memory) {
  if (memory == nullptr) {
    tbb::detail::r1::throw_exception(tbb::detail::r1::exception_id::bad_alloc);
  }
  return memory;
}

int SetSoftLimit(std::size_t bytes) {
  const MemorySource& source = ChosenMemory();
  SoftLimit::Set(bytes);
  // Nothing is kept of malloc's memory, and what malloc keeps is the program's own choice.
  if (bytes != 0 && !source.scalable) return TBBMALLOC_NO_EFFECT;
  if (SoftLimit::IsExceeded()) {
    SpareBlocks::GiveUp();
    source.GiveBack(/*everything=*/true);
  }
  return TBBMALLOC_OK;
}

class ScalableResource final : public std::pmr::memory_resource {
 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    const MemorySource& source = ChosenMemory();
    return OrBadAlloc(alignment <= alignof(std::max_align_t)
                          ? SpareBlocks::Allocate(source, std::max(bytes, alignment))
                          : SpareBlocks::AllocateAligned(source, bytes, alignment));
  }
  void do_deallocate(void* memory, std::size_t, std::size_t) override {
    SpareBlocks::FreeOrKeep(ChosenMemory(), memory);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }
};

}  // namespace

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace r1 {

void* allocate_memory(std::size_t size) {
  return OrBadAlloc(SpareBlocks::Allocate(ChosenMemory(), size));
}

void deallocate_memory(void* memory) noexcept { SpareBlocks::FreeOrKeep(ChosenMemory(), memory); }

void* allocate_aligned_memory(std::size_t size, std::size_t alignment) {
  const MemorySource& source = ChosenMemory();
  // Throws if there is no such size.
  const std::size_t block = d1::BlockSize(size, alignment);
  if (!source.scalable) return d1::AlignIn(OrBadAlloc(source.allocate(block)), alignment);
  const std::size_t bytes = block - alignment;
  if (bytes > kMostlyAligned) {
    void* const memory = OrBadAlloc(SpareBlocks::Allocate(source, bytes));
    if (IsAligned(memory, alignment)) return memory;
    SpareBlocks::FreeOrKeep(source, memory);
  }
  return OrBadAlloc(SpareBlocks::AllocateAligned(source, bytes, alignment));
}

void deallocate_aligned_memory(void* memory) noexcept {
  const MemorySource& source = ChosenMemory();
  if (memory == nullptr) return;
  SpareBlocks::FreeOrKeep(source, source.scalable ? memory : d1::BlockOf(memory));
}

bool is_tbbmalloc_used() noexcept { return ChosenMemory().scalable; }

}  // namespace r1
namespace d1 {

std::pmr::memory_resource* scalable_memory_resource() noexcept {
  // Never destroyed: who is destroyed after this file still uses it.
  alignas(ScalableResource) static unsigned char place[sizeof(ScalableResource)];
  static ScalableResource* const resource = ::new (static_cast<void*>(place)) ScalableResource;
  return resource;
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

extern "C" {

void* scalable_malloc(std::size_t size) {
  return OrNoMemory(SpareBlocks::Allocate(ChosenMemory(), size));
}

void scalable_free(void* memory) { SpareBlocks::FreeOrKeep(ChosenMemory(), memory); }

void* scalable_realloc(void* memory, std::size_t size) {
  if (memory == nullptr) return scalable_malloc(size);
  const MemorySource& source = ChosenMemory();
  if (size == 0) {
    SpareBlocks::FreeOrKeep(source, memory);
    return nullptr;
  }
  // malloc may make a block larger where it is.
  if (!source.scalable) return OrNoMemory(source.resize(memory, size));
  const std::size_t usable = source.usable_size(memory);
  if (StaysInPlace(usable, size)) return memory;
  return OrNoMemory(MoveResized(
      memory, usable, size, /*fits=*/true,
      [&](std::size_t bytes) { return SpareBlocks::Allocate(source, bytes); },
      [&](void* moved) { SpareBlocks::FreeOrKeep(source, moved); }));
}

void* scalable_calloc(std::size_t count, std::size_t size) {
  return OrNoMemory(SpareBlocks::AllocateZeros(ChosenMemory(), count, size));
}

int scalable_posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  if (!IsPowerOfTwo(alignment) || alignment < sizeof(void*)) return EINVAL;
  const int error = errno;
  void* const allocated = SpareBlocks::AllocateAligned(ChosenMemory(), size, alignment);
  if (allocated == nullptr) {
    errno = error;  // the source may have said there what is returned here
    return ENOMEM;
  }
  *memory = allocated;
  return 0;
}

std::size_t scalable_msize(void* memory) {
  if (memory != nullptr) return ChosenMemory().usable_size(memory);
  errno = EINVAL;
  return 0;
}

void* scalable_aligned_malloc(std::size_t size, std::size_t alignment) {
  if (!IsPowerOfTwo(alignment) || size == 0) {
    errno = EINVAL;
    return nullptr;
  }
  return OrNoMemory(SpareBlocks::AllocateAligned(ChosenMemory(), size, alignment));
}

void* scalable_aligned_realloc(void* memory, std::size_t size, std::size_t alignment) {
  if (!IsPowerOfTwo(alignment)) {
    errno = EINVAL;
    return nullptr;
  }
  const MemorySource& source = ChosenMemory();
  // Of no bytes a block, too, unlike scalable_aligned_malloc.
  if (memory == nullptr) {
    return OrNoMemory(SpareBlocks::AllocateAligned(source, size, alignment));
  }
  if (size == 0) {
    SpareBlocks::FreeOrKeep(source, memory);
    return nullptr;
  }
  // Not mi_realloc_aligned: that of 2.0.9 does not align large blocks.
  const std::size_t usable = source.usable_size(memory);
  if (IsAligned(memory, alignment) && StaysInPlace(usable, size)) return memory;
  return OrNoMemory(MoveResized(
      memory, usable, size, IsAligned(memory, alignment),
      [&](std::size_t bytes) { return SpareBlocks::AllocateAligned(source, bytes, alignment); },
      [&](void* moved) { SpareBlocks::FreeOrKeep(source, moved); }));
}

void scalable_aligned_free(void* memory) { SpareBlocks::FreeOrKeep(ChosenMemory(), memory); }

int scalable_allocation_mode(int parameter, std::intptr_t value) {
  switch (parameter) {
    case TBBMALLOC_USE_HUGE_PAGES:
      if (value != 0 && value != 1) return TBBMALLOC_INVALID_PARAM;
      return ChosenMemory().UseHugePages(value == 1) || value == 0 ? TBBMALLOC_OK
                                                                   : TBBMALLOC_NO_EFFECT;
    case TBBMALLOC_SET_SOFT_HEAP_LIMIT:  // 0: none
      return SetSoftLimit(static_cast<std::size_t>(value));
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
  SpareBlocks::GiveUp();
  const bool given = ChosenMemory().GiveBack(command == TBBMALLOC_CLEAN_ALL_BUFFERS);
  return given ? TBBMALLOC_OK : TBBMALLOC_NO_EFFECT;
}

}  // extern "C"
