// cache_aligned_allocator: what it allocates shares no cache line with anything
// else.
//
//   std::vector<int, tbb::cache_aligned_allocator<int>> counters(threads);
#ifndef FILCH_TBB_COMPAT_CACHE_ALIGNED_ALLOCATOR_H_
#define FILCH_TBB_COMPAT_CACHE_ALIGNED_ALLOCATOR_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <cstddef>
#include <memory_resource>
#include <new>

#include "detail/_aligned_block.h"
#include "detail/_allocate_memory.h"
#include "detail/_allocator_base.h"
#include "detail/_config.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {
// Two lines: the processor fetches neighbours.
inline constexpr std::size_t kCacheAlignment = 128;

template <typename T>
class cache_aligned_allocator : public AllocatorBase<cache_aligned_allocator, T, kCacheAlignment> {
 public:
  cache_aligned_allocator() = default;
  template <typename U>
  cache_aligned_allocator(const cache_aligned_allocator<U>&) noexcept {}
};

template <>
class cache_aligned_allocator<void> : public VoidAllocatorBase<cache_aligned_allocator> {
 public:
  using VoidAllocatorBase<cache_aligned_allocator>::VoidAllocatorBase;
};

template <typename T, typename U>
bool operator==(const cache_aligned_allocator<T>&, const cache_aligned_allocator<U>&) noexcept {
  return true;
}
template <typename T, typename U>
bool operator!=(const cache_aligned_allocator<T>&, const cache_aligned_allocator<U>&) noexcept {
  return false;
}

}  // namespace d1
namespace r1 {
// To what cache_aligned_allocator aligns, in bytes.
inline std::size_t cache_line_size() { return d1::kCacheAlignment; }
// The memory of cache_aligned_allocator without a type, for programs that ask the library
// for it: `size` bytes. Throws std::bad_alloc. Any thread.
inline void* cache_aligned_allocate(std::size_t size) {
  return allocate_aligned_memory(size, d1::kCacheAlignment);
}
// Gives such memory back; null is nothing. Any thread.
inline void cache_aligned_deallocate(void* memory) { deallocate_aligned_memory(memory); }
}  // namespace r1
namespace d1 {

// The same as a resource of the standard library, on another one. Any thread, if
// the other resource is so.
class cache_aligned_resource : public std::pmr::memory_resource {
 public:
  cache_aligned_resource() : cache_aligned_resource(std::pmr::get_default_resource()) {}
  explicit cache_aligned_resource(std::pmr::memory_resource* upstream) : upstream_(upstream) {}

  std::pmr::memory_resource* upstream_resource() const { return upstream_; }

 private:
  static std::size_t Aligned(std::size_t alignment) {
    return alignment > kCacheAlignment ? alignment : kCacheAlignment;
  }

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    alignment = Aligned(alignment);
    return AlignIn(upstream_->allocate(BlockSize(bytes, alignment)), alignment);
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    if (memory == nullptr) return;
    upstream_->deallocate(BlockOf(memory), BlockSize(bytes, Aligned(alignment)));
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    if (this == &other) return true;
#ifdef __cpp_rtti
    const auto* const same = dynamic_cast<const cache_aligned_resource*>(&other);
    return same != nullptr && upstream_->is_equal(*same->upstream_);
#else
    return false;
#endif
  }

  std::pmr::memory_resource* upstream_;
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::cache_aligned_allocator;
using detail::d1::cache_aligned_resource;
}  // namespace v1
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_CACHE_ALIGNED_ALLOCATOR_H_
