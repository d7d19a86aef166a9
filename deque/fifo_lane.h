// FifoLane: one lane of a ShardedFifo, a growing ring under a lock.
//
// Part of ShardedFifo.  Whoever holds lock(): PushBack, PopFront, empty.  Any
// thread: front_stamp, which is a hint then.
// Memory ordering: the lock's, and none of the hint.
#ifndef FILCH_DEQUE_FIFO_LANE_H_
#define FILCH_DEQUE_FIFO_LANE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "filch/deque/spin_lock.h"
#include "filch/topology/cache_line.h"

namespace filch {
namespace deque_internal {

template <typename T, typename Atomics>
class alignas(kCacheLineSize) FifoLane {
  static_assert(std::is_nothrow_default_constructible_v<T>, "A slot without an item holds T().");
  static_assert(std::is_nothrow_move_assignable_v<T>, "An item must not get lost on its way.");

 public:
  // The first PushBack allocates.
  FifoLane() = default;
  FifoLane(const FifoLane&) = delete;
  FifoLane& operator=(const FifoLane&) = delete;

  SpinLock<Atomics>& lock() { return lock_; }

  bool empty() const { return begin_ == end_; }

  // Throws std::bad_alloc, and then nothing has changed, `item` neither.
  void PushBack(T&& item, std::uint64_t stamp) {
    if (end_ - begin_ == capacity_) Grow();
    Entry& entry = At(end_);
    entry.item = std::move(item);
    entry.stamp = stamp;
    if (empty()) front_stamp_.store(stamp, std::memory_order_relaxed);
    end_ = end_ + 1;
  }

  // Not of an empty lane.
  void PopFront(T* item, std::uint64_t* stamp) {
    Entry& entry = At(begin_);
    *item = std::move(entry.item);
    *stamp = entry.stamp;
    entry.item = T();
    begin_ = begin_ + 1;
    if (!empty()) front_stamp_.store(At(begin_).stamp, std::memory_order_relaxed);
  }

  // The stamp of the item at the front; of the last one if there is none.
  std::uint64_t front_stamp() const { return front_stamp_.load(std::memory_order_relaxed); }

 private:
  template <typename U>
  using Plain = typename Atomics::template Plain<U>;

  struct Entry {
    Plain<T> item{T()};
    Plain<std::uint64_t> stamp{0};
  };

  Entry& At(std::uint64_t index) {
    return entries_[static_cast<std::size_t>(index & (capacity_ - 1))];
  }

  void Grow() {
    const std::uint64_t capacity = capacity_ == 0 ? kInitialCapacity : 2 * capacity_;
    std::unique_ptr<Entry[]> entries(new Entry[static_cast<std::size_t>(capacity)]);
    for (std::uint64_t i = begin_; i != end_; ++i) {
      Entry& to = entries[static_cast<std::size_t>(i & (capacity - 1))];
      to.item = std::move(At(i).item);
      to.stamp = At(i).stamp;
    }
    entries_ = std::move(entries);
    capacity_ = capacity;
  }

  // A lane of a pool that enqueues now and then stays below a page.
  static constexpr std::uint64_t kInitialCapacity = 16;

  SpinLock<Atomics> lock_;
  typename Atomics::template Atomic<std::uint64_t> front_stamp_{0};
  std::uint64_t capacity_ = 0;  // of entries_: 0 or a power of two
  Plain<std::uint64_t> begin_{0};
  Plain<std::uint64_t> end_{0};
  std::unique_ptr<Entry[]> entries_;
};

}  // namespace deque_internal
}  // namespace filch

#endif  // FILCH_DEQUE_FIFO_LANE_H_
