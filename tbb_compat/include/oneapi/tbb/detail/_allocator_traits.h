// What containers ask of their allocators, for programs that take it from oneTBB's detail
// namespace: std::allocator_traits, and the three ways in which allocators follow what they
// have allocated, or stay.
#ifndef FILCH_TBB_COMPAT_DETAIL_ALLOCATOR_TRAITS_H_
#define FILCH_TBB_COMPAT_DETAIL_ALLOCATOR_TRAITS_H_

#include <memory>
#include <utility>

#include "_config.h"
#include "_template_helpers.h"  // comes along

namespace tbb {
namespace detail {
inline namespace filch_1 {
inline namespace d0 {

template <typename Allocator>
class allocator_traits : public std::allocator_traits<Allocator> {
 public:
  template <typename T>
  using rebind_traits =
      allocator_traits<typename std::allocator_traits<Allocator>::template rebind_alloc<T>>;
};

// Each does what the allocator's propagate_on_container_... says, or nothing.
template <typename Allocator>
void copy_assign_allocators([[maybe_unused]] Allocator& to,
                            [[maybe_unused]] const Allocator& from) {
  using Propagates = typename allocator_traits<Allocator>::propagate_on_container_copy_assignment;
  if constexpr (Propagates::value) to = from;
}
template <typename Allocator>
void move_assign_allocators([[maybe_unused]] Allocator& to, [[maybe_unused]] Allocator& from) {
  using Propagates = typename allocator_traits<Allocator>::propagate_on_container_move_assignment;
  if constexpr (Propagates::value) to = std::move(from);
}
template <typename Allocator>
void swap_allocators([[maybe_unused]] Allocator& a, [[maybe_unused]] Allocator& b) {
  using Propagates = typename allocator_traits<Allocator>::propagate_on_container_swap;
  if constexpr (Propagates::value) {
    using std::swap;
    swap(a, b);
  }
}

}  // namespace d0
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_ALLOCATOR_TRAITS_H_
