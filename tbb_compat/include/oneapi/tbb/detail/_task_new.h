// What new() of a task takes, from tbb::task's allocate functions.
//
// Those of a task that exists are references, which programs pass on as such: each is the task's
// prefix.
//
// Any thread, but a continuation is for the one that has the task whose place it takes. Throws
// std::bad_alloc, or what the constructor of the object throws, and then there is no task.
#ifndef FILCH_TBB_COMPAT_DETAIL_TASK_NEW_H_
#define FILCH_TBB_COMPAT_DETAIL_TASK_NEW_H_

#include <cstddef>
#include <new>

#include "_config.h"
#include "_task_group_context.h"
#include "_task_prefix.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/slot.h"

namespace tbb {
namespace internal {

using detail::d1::AllocateTask;
using detail::d1::FreeTask;
using detail::d1::TaskPrefix;

class allocate_root_proxy {
 public:
  static void* allocate(std::size_t bytes, std::align_val_t alignment = kOrdinaryAlignment) {
    filch::pool_internal::Slot& slot = filch::pool_internal::CurrentSlot();
    return AllocateTask(bytes, alignment, slot, &detail::d1::ContextOfRoots(slot), nullptr);
  }
};

class allocate_root_with_context_proxy {
 public:
  explicit allocate_root_with_context_proxy(task_group_context& context) : context_(context) {}
  void* allocate(std::size_t bytes, std::align_val_t alignment = kOrdinaryAlignment) const {
    return AllocateTask(bytes, alignment, filch::pool_internal::CurrentSlot(), &context_, nullptr);
  }

 private:
  task_group_context& context_;
};

// The constructor of the object has thrown.
inline void TakeBack(void* object) {
  FreeTask(TaskPrefix::Of(*static_cast<tbb::task*>(object)), filch::pool_internal::CurrentSlot());
}

// The continuation takes the place of the task before its parent.
inline void* allocate_continuation_proxy::allocate(std::size_t bytes,
                                                   std::align_val_t alignment) const {
  // The proxy was made of a prefix that is not constant.
  auto& predecessor = const_cast<TaskPrefix&>(static_cast<const TaskPrefix&>(*this));
  void* const object = AllocateTask(bytes, alignment, filch::pool_internal::CurrentSlot(),
                                    predecessor.context(), predecessor.successor());
  predecessor.set_successor(nullptr);
  return object;
}

// The predecessor has what it gave away again.
inline void allocate_continuation_proxy::TakeBack(void* object) const {
  auto& predecessor = const_cast<TaskPrefix&>(static_cast<const TaskPrefix&>(*this));
  predecessor.set_successor(TaskPrefix::Of(*static_cast<tbb::task*>(object)).successor());
  internal::TakeBack(object);
}

inline void* allocate_child_proxy::allocate(std::size_t bytes, std::align_val_t alignment) const {
  auto& parent = const_cast<TaskPrefix&>(static_cast<const TaskPrefix&>(*this));
  return AllocateTask(bytes, alignment, filch::pool_internal::CurrentSlot(), parent.context(),
                      &parent);
}

class allocate_additional_child_of_proxy {
 public:
  explicit allocate_additional_child_of_proxy(TaskPrefix& parent) : parent_(parent) {}
  void* allocate(std::size_t bytes, std::align_val_t alignment = kOrdinaryAlignment) const {
    void* const object = static_cast<allocate_child_proxy&>(parent_).allocate(bytes, alignment);
    parent_.AddPredecessors(1);
    return object;
  }
  void Withdraw() const { parent_.RemovePredecessor(); }

 private:
  TaskPrefix& parent_;
};

}  // namespace internal
}  // namespace tbb

inline void* operator new(std::size_t bytes, const tbb::internal::allocate_root_proxy& proxy) {
  return proxy.allocate(bytes);
}
inline void operator delete(void* object, const tbb::internal::allocate_root_proxy&) {
  tbb::internal::TakeBack(object);
}
inline void* operator new(std::size_t bytes,
                          const tbb::internal::allocate_root_with_context_proxy& proxy) {
  return proxy.allocate(bytes);
}
inline void operator delete(void* object, const tbb::internal::allocate_root_with_context_proxy&) {
  tbb::internal::TakeBack(object);
}
inline void* operator new(std::size_t bytes,
                          const tbb::internal::allocate_continuation_proxy& proxy) {
  return proxy.allocate(bytes);
}
inline void operator delete(void* object, const tbb::internal::allocate_continuation_proxy& proxy) {
  proxy.TakeBack(object);
}
inline void* operator new(std::size_t bytes, const tbb::internal::allocate_child_proxy& proxy) {
  return proxy.allocate(bytes);
}
inline void operator delete(void* object, const tbb::internal::allocate_child_proxy&) {
  tbb::internal::TakeBack(object);
}
inline void* operator new(std::size_t bytes,
                          const tbb::internal::allocate_additional_child_of_proxy& proxy) {
  return proxy.allocate(bytes);
}
inline void operator delete(void* object,
                            const tbb::internal::allocate_additional_child_of_proxy& proxy) {
  tbb::internal::TakeBack(object);
  proxy.Withdraw();
}

// The same for types that are aligned to more.
inline void* operator new(std::size_t bytes, std::align_val_t alignment,
                          const tbb::internal::allocate_root_proxy& proxy) {
  return proxy.allocate(bytes, alignment);
}
inline void operator delete(void* object, std::align_val_t,
                            const tbb::internal::allocate_root_proxy& proxy) {
  operator delete(object, proxy);
}
inline void* operator new(std::size_t bytes, std::align_val_t alignment,
                          const tbb::internal::allocate_root_with_context_proxy& proxy) {
  return proxy.allocate(bytes, alignment);
}
inline void operator delete(void* object, std::align_val_t,
                            const tbb::internal::allocate_root_with_context_proxy& proxy) {
  operator delete(object, proxy);
}
inline void* operator new(std::size_t bytes, std::align_val_t alignment,
                          const tbb::internal::allocate_continuation_proxy& proxy) {
  return proxy.allocate(bytes, alignment);
}
inline void operator delete(void* object, std::align_val_t,
                            const tbb::internal::allocate_continuation_proxy& proxy) {
  operator delete(object, proxy);
}
inline void* operator new(std::size_t bytes, std::align_val_t alignment,
                          const tbb::internal::allocate_child_proxy& proxy) {
  return proxy.allocate(bytes, alignment);
}
inline void operator delete(void* object, std::align_val_t,
                            const tbb::internal::allocate_child_proxy& proxy) {
  operator delete(object, proxy);
}
inline void* operator new(std::size_t bytes, std::align_val_t alignment,
                          const tbb::internal::allocate_additional_child_of_proxy& proxy) {
  return proxy.allocate(bytes, alignment);
}
inline void operator delete(void* object, std::align_val_t,
                            const tbb::internal::allocate_additional_child_of_proxy& proxy) {
  operator delete(object, proxy);
}

#endif  // FILCH_TBB_COMPAT_DETAIL_TASK_NEW_H_
