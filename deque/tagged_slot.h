// TaggedSlot: where a SplitDeque keeps an item and the metadata word beside it.
//
// Part of SplitDeque.  Owner only: Write.  Under the deque's lock: CopyFrom.  Any thread:
// Read, item, meta, once something has been written.
// Memory ordering: all accesses are relaxed: what a thief reads counts only
// if its exchange on the shared word then succeeds.
#ifndef FILCH_DEQUE_TAGGED_SLOT_H_
#define FILCH_DEQUE_TAGGED_SLOT_H_

#include <atomic>
#include <cstdint>

namespace filch {
namespace deque_internal {

template <typename T, typename Atomics>
class TaggedSlot {
 public:
  void Write(T item, std::uint64_t meta) {
    item_.store(item, std::memory_order_relaxed);
    meta_.store(meta, std::memory_order_relaxed);
  }
  void Read(T* item, std::uint64_t* meta) const {
    *item = item_.load(std::memory_order_relaxed);
    *meta = meta_.load(std::memory_order_relaxed);
  }
  T item() const { return item_.load(std::memory_order_relaxed); }
  std::uint64_t meta() const { return meta_.load(std::memory_order_relaxed); }
  void CopyFrom(const TaggedSlot& other) {
    Write(other.item_.load(std::memory_order_relaxed), other.meta_.load(std::memory_order_relaxed));
  }

 private:
  typename Atomics::template Atomic<T> item_;
  typename Atomics::template Atomic<std::uint64_t> meta_;
};

}  // namespace deque_internal
}  // namespace filch

#endif  // FILCH_DEQUE_TAGGED_SLOT_H_
