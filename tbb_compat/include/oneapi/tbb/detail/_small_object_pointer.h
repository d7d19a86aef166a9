// SmallPointer: owns an object in the memory that tasks come from.
//
// For what one thread makes and another deletes, again and again: the heap's caches do not
// take back what came from another thread's, so both would wait for its locks.
#ifndef FILCH_TBB_COMPAT_DETAIL_SMALL_OBJECT_POINTER_H_
#define FILCH_TBB_COMPAT_DETAIL_SMALL_OBJECT_POINTER_H_

#include <memory>
#include <utility>

#include "_config.h"
#include "_small_object_pool.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

struct DeleteSmall {
  template <typename T>
  void operator()(T* object) const {
    small_object_allocator().delete_object(object);
  }
};

template <typename T>
using SmallPointer = std::unique_ptr<T, DeleteSmall>;

// Throws std::bad_alloc, and what the constructor throws.
template <typename T, typename... Arguments>
SmallPointer<T> MakeSmall(Arguments&&... arguments) {
  return SmallPointer<T>(
      small_object_allocator().new_object<T>(std::forward<Arguments>(arguments)...));
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_SMALL_OBJECT_POINTER_H_
