// AllocatorBase: what the allocators of TBB have in common.
//
// They are stateless and equal. The members that the standard library has
// dropped since C++17 (rebind, construct, ...) are kept: programs spell them.
#ifndef FILCH_TBB_COMPAT_DETAIL_ALLOCATOR_BASE_H_
#define FILCH_TBB_COMPAT_DETAIL_ALLOCATOR_BASE_H_

#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "_allocate_memory.h"
#include "_config.h"
#include "_exception.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

class NoObject;

// The members that the standard library has dropped. T need not be complete before the
// first call.
template <typename T>
class OldAllocatorMembers {
 public:
  using value_type = T;
  using pointer = T*;
  using const_pointer = const T*;
  using reference = T&;
  using const_reference = const T&;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;

  size_type max_size() const noexcept {
    return std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T);
  }
  template <typename U, typename... Args>
  void construct(U* memory, Args&&... args) {
    ::new (static_cast<void*>(memory)) U(std::forward<Args>(args)...);
  }
  void destroy(pointer object) { object->~T(); }
  pointer address(reference object) const { return std::addressof(object); }
  // The same function as above if T is a constant.
  const_pointer address(
      std::conditional_t<std::is_const_v<T>, NoObject, const_reference> object) const {
    return std::addressof(object);
  }
};

// The same of an allocator that holds no memory: it is only rebound.
template <>
class OldAllocatorMembers<void> {
 public:
  using value_type = void;
  using pointer = void*;
  using const_pointer = const void*;
};

// T need not be complete before the first call.
template <template <typename> class Allocator, typename T, std::size_t kAlignment>
class AllocatorBase : public OldAllocatorMembers<T> {
 public:
  using propagate_on_container_move_assignment = std::true_type;
  using is_always_equal = std::true_type;

  template <typename U>
  struct rebind {
    using other = Allocator<U>;
  };

  // Throws std::bad_alloc. The hint, as in TBB 2020, is for nothing. Any thread.
  [[nodiscard]] T* allocate(std::size_t count, const void* = nullptr) {
    if (count > this->max_size()) r1::throw_exception(r1::exception_id::bad_alloc);
    const std::size_t size = count * sizeof(T);
    if constexpr (Alignment() > alignof(std::max_align_t)) {
      return static_cast<T*>(r1::allocate_aligned_memory(size, Alignment()));
    } else {
      return static_cast<T*>(r1::allocate_memory(size));
    }
  }
  void deallocate(T* memory, std::size_t) {
    if constexpr (Alignment() > alignof(std::max_align_t)) {
      r1::deallocate_aligned_memory(memory);
    } else {
      r1::deallocate_memory(memory);
    }
  }

 private:
  // A function, for an allocator of a type that is only declared yet has none.
  static constexpr std::size_t Alignment() {
    return kAlignment > alignof(T) ? kAlignment : alignof(T);
  }
};

// Whether an allocator is one of these: it gives memory of any type's alignment, also of more than
// std::max_align_t's. One of a class that is derived from one need not, so the second argument is
// the address of a pointer, which is not converted.
template <template <typename> class Allocator, typename T, std::size_t kAlignment>
std::true_type GivesAnyAlignment(const AllocatorBase<Allocator, T, kAlignment>*,
                                 const Allocator<T>* const*);
std::false_type GivesAnyAlignment(const void*, const void*);

template <template <typename> class Allocator>
class VoidAllocatorBase : public OldAllocatorMembers<void> {
 public:
  VoidAllocatorBase() = default;
  template <typename U>
  VoidAllocatorBase(const Allocator<U>&) noexcept {}

  template <typename U>
  struct rebind {
    using other = Allocator<U>;
  };
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_ALLOCATOR_BASE_H_
