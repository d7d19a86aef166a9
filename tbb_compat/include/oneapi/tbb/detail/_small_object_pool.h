// small_object_allocator: memory of tasks and of what belongs to them.
//
// Blocks come from the cache of the calling thread's slot and go to the cache of
// the slot where they are given back.  An object is given back by the allocator,
// or a copy of it, under the type with which it was made.
//
//   small_object_allocator allocator{};
//   Node* node = allocator.new_object<Node>(data, 1, 2);  // data: execution_data
//   allocator.delete_object(node, data);
//
// execution_data is taken for the interface's sake and not looked at.
#ifndef FILCH_TBB_COMPAT_DETAIL_SMALL_OBJECT_POOL_H_
#define FILCH_TBB_COMPAT_DETAIL_SMALL_OBJECT_POOL_H_

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

#include "_config.h"
#include "_task.h"
#include "filch/pool/task_memory.h"
#include "filch/topology/catch_all.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {

namespace r1 {
// The size class of objects that fit into none.
inline constexpr int kFromHeap = filch::pool_internal::kTaskSizeClasses;

// A block of that size class, aligned to kSmallestTask. Throws std::bad_alloc. Any
// thread.
void* AllocateSmall(int size_class, std::size_t bytes);
// Takes a block back. Any thread.
void FreeSmall(int size_class, void* block);
}  // namespace r1

namespace d1 {

// Where the memory comes from, which is not the program's business.
class small_object_pool;

class small_object_allocator {
 public:
  template <typename Type, typename... Args>
  Type* new_object(execution_data&, Args&&... args) {
    return New<Type>(std::forward<Args>(args)...);
  }
  template <typename Type, typename... Args>
  Type* new_object(Args&&... args) {
    return New<Type>(std::forward<Args>(args)...);
  }

  template <typename Type>
  void delete_object(Type* object, const execution_data&) {
    delete_object(object);
  }
  // The allocator may be a member of the object.
  template <typename Type>
  void delete_object(Type* object) {
    object->~Type();
    Free(object);
  }

  // Gives the memory of an object back that is destroyed already.
  template <typename Type>
  void deallocate(Type* object, const execution_data&) {
    deallocate(object);
  }
  template <typename Type>
  void deallocate(Type* object) {
    Free(object);
  }

 private:
  template <typename Type>
  static constexpr int kSizeClass = sizeof(Type) <= filch::pool_internal::kLargestTask
                                        ? filch::pool_internal::TaskSizeClass(sizeof(Type))
                                        : r1::kFromHeap;
  template <typename Type>
  static constexpr bool kFits = alignof(Type) <= filch::pool_internal::kSmallestTask;

  template <typename Type, typename... Args>
  static Type* New(Args&&... args) {
    void* const block = Allocate<Type>();
    Type* object;
    if constexpr (std::is_nothrow_constructible_v<Type, Args&&...>) {
      object = ::new (block) Type(std::forward<Args>(args)...);
    } else {
      FILCH_TRY { object = ::new (block) Type(std::forward<Args>(args)...); }
      FILCH_CATCH_ALL {
        Free(static_cast<Type*>(block));
        FILCH_RETHROW;
      }
    }
    if constexpr (std::is_convertible_v<Type*, task*> && kFits<Type>) {
      task* const base = object;
      base->node_.set_block(reinterpret_cast<char*>(base) - static_cast<char*>(block),
                            kSizeClass<Type>);
    }
    return object;
  }

  template <typename Type>
  static void* Allocate() {
    if constexpr (kFits<Type>) {
      return r1::AllocateSmall(kSizeClass<Type>, sizeof(Type));
    } else {
      return ::operator new (sizeof(Type), std::align_val_t{alignof(Type)});
    }
  }
  template <typename Type>
  static void Free(Type* object) {
    if constexpr (kFits<Type>) {
      r1::FreeSmall(kSizeClass<Type>, object);
    } else {
      ::operator delete (object, std::align_val_t{alignof(Type)});
    }
  }
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_SMALL_OBJECT_POOL_H_
