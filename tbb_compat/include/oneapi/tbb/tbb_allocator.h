// tbb_allocator: an allocator of the standard library, on the memory of scalable_malloc.
//
//   std::vector<int, tbb::tbb_allocator<int>> numbers;
#ifndef FILCH_TBB_COMPAT_TBB_ALLOCATOR_H_
#define FILCH_TBB_COMPAT_TBB_ALLOCATOR_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <cstdlib>          // comes along
#include <memory_resource>  // comes along

#include "detail/_allocate_memory.h"
#include "detail/_allocator_base.h"
#include "detail/_config.h"
#include "detail/_zero_allocator.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

template <typename T>
class tbb_allocator : public AllocatorBase<tbb_allocator, T, 1> {
 public:
  tbb_allocator() = default;
  template <typename U>
  tbb_allocator(const tbb_allocator<U>&) noexcept {}

  enum malloc_type { scalable, standard };
  // Where its memory comes from: an allocator made for many threads, or malloc. The same
  // until the program ends. Any thread.
  static malloc_type allocator_type() {
    return r1::is_tbbmalloc_used() ? malloc_type::scalable : malloc_type::standard;
  }
};

template <>
class tbb_allocator<void> : public VoidAllocatorBase<tbb_allocator> {
 public:
  using VoidAllocatorBase<tbb_allocator>::VoidAllocatorBase;
};

template <typename T, typename U>
bool operator==(const tbb_allocator<T>&, const tbb_allocator<U>&) noexcept {
  return true;
}
template <typename T, typename U>
bool operator!=(const tbb_allocator<T>&, const tbb_allocator<U>&) noexcept {
  return false;
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::tbb_allocator;
template <typename T, template <typename> class Allocator = tbb_allocator>
using zero_allocator = detail::d1::zero_allocator<T, Allocator>;
}  // namespace v1
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_TBB_ALLOCATOR_H_
