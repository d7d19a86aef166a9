// aligned_space: room for objects that are made later, by hand.
//
// TBB 2020 had it because C++98 could not say alignas; new code does, or uses
// std::optional or a vector.
//
//   tbb::aligned_space<Widget, 8> room;  // runs no constructor and no destructor
//   Widget* const first = new (room.begin()) Widget;
#ifndef FILCH_TBB_COMPAT_ALIGNED_SPACE_H_
#define FILCH_TBB_COMPAT_ALIGNED_SPACE_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <cstddef>

#include "detail/_config.h"

namespace tbb {

// Room for N objects.
template <typename T, std::size_t N = 1>
class aligned_space {
 public:
  T* begin() { return reinterpret_cast<T*>(bytes_); }
  T* end() { return begin() + N; }
  // As TBB 2020 had them; compilers take a constant object for one with a value.
  T* begin() const { return const_cast<aligned_space*>(this)->begin(); }
  T* end() const { return begin() + N; }

 private:
  alignas(T) unsigned char bytes_[N * sizeof(T)];
};

}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_ALIGNED_SPACE_H_
