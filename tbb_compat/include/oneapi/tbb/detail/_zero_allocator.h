// zero_allocator: another allocator whose memory is zero when it comes.
//
// TBB 2020 has it for vectors that grow while others look at what has not been made yet;
// oneTBB has not. It is the other one in everything else.
//
//   std::vector<int, tbb::zero_allocator<int, tbb::cache_aligned_allocator>> counts(n);
#ifndef FILCH_TBB_COMPAT_DETAIL_ZERO_ALLOCATOR_H_
#define FILCH_TBB_COMPAT_DETAIL_ZERO_ALLOCATOR_H_

#include <cstddef>
#include <cstring>

#include "_config.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

template <typename T, template <typename> class Allocator>
class zero_allocator : public Allocator<T> {
 public:
  template <typename U>
  struct rebind {
    using other = zero_allocator<U, Allocator>;
  };

  zero_allocator() = default;
  template <typename U>
  zero_allocator(const zero_allocator<U, Allocator>& other) noexcept
      : Allocator<T>(static_cast<const Allocator<U>&>(other)) {}

  // Throws what the other one throws. Any thread.
  [[nodiscard]] T* allocate(std::size_t count, const void* = nullptr) {
    T* const memory = Allocator<T>::allocate(count);
    std::memset(static_cast<void*>(memory), 0, count * sizeof(T));
    return memory;
  }
};

template <template <typename> class Allocator>
class zero_allocator<void, Allocator> : public Allocator<void> {
 public:
  template <typename U>
  struct rebind {
    using other = zero_allocator<U, Allocator>;
  };
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_ZERO_ALLOCATOR_H_
