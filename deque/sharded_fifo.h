// ShardedFifo: a queue for many producers and many consumers that is first-in
// first-out approximately.
//
// Items lie in up to 64 lanes, each a small queue with a lock of its own.  A
// producer puts into the lane it names; a consumer looks at the fronts of two
// lanes and takes the older item.  With L lanes an item is overtaken by about L
// others.  One word tells which lanes have items, so that an empty queue costs
// one load, and is known to be empty exactly.
//
// With one lane it is exactly first-in first-out.  For items that a worker made
// itself use a deque.
//
// Any thread: everything.  Destroy it when nobody uses it any more.
// Guaranteed: each item comes out exactly once; the items of one lane in order;
// kEmpty and empty() == true mean that at some instant of the call every item
// whose Push had returned was gone; TryPop never waits and tries each lane once
// at most.  If memory runs out nothing is changed.
// Memory ordering: what happened before Push(x) is visible to whoever gets x.
//
// After Rihani, Sanders, Dementiev, "MultiQueues" (2015), with stamps for keys.
//
//   ShardedFifo<Task*> queue(8);
//   queue.Push(&task, /*stamp=*/now, /*lane=*/random());
//   StealResult<Task*> found = queue.TryPop(/*lane=*/random());
#ifndef FILCH_DEQUE_SHARDED_FIFO_H_
#define FILCH_DEQUE_SHARDED_FIFO_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/numeric/bits.h"
#include "filch/deque/deque_atomics.h"
#include "filch/deque/fifo_lane.h"
#include "filch/deque/spin_lock.h"
#include "filch/deque/steal_result.h"
#include "filch/topology/cache_line.h"

namespace filch {

template <typename T, typename Atomics = DequeAtomics>
class ShardedFifo {
 public:
  static constexpr int kMaxLanes = 64;  // the bits of the population word

  // `lanes` is rounded up to a power of two, between 1 and kMaxLanes.  As many
  // lanes as threads keep them from waiting for each other.
  explicit ShardedFifo(int lanes)
      : lane_count_(RoundUp(lanes)), lanes_(std::make_unique<Lane[]>(lane_count_)) {}
  ShardedFifo(const ShardedFifo&) = delete;
  ShardedFifo& operator=(const ShardedFifo&) = delete;

  int lanes() const { return static_cast<int>(lane_count_); }

  // Any thread.  `stamp` says how old the item is: a time or a ticket that never
  // falls for one producer.  `lane`, any number, names the lane to try first:
  // the same one for items that had better keep their order, a random one otherwise.
  // If it is busy the item goes to the next that is not, where it may overtake others.
  // Throws std::bad_alloc, and then nothing has changed: `item`, too, is what it
  // was.
  void Push(T&& item, std::uint64_t stamp, std::uint64_t lane);
  void Push(const T& item, std::uint64_t stamp, std::uint64_t lane) { Push(T(item), stamp, lane); }

  // Any thread.  Takes the older of the items at the front of two lanes; its
  // stamp comes as `meta`.  `lane`, best a random number, says which: the search
  // for one starts at its lower 32 bits, for the other at its upper 32 bits.  kLost: there are
  // items, but in the lanes tried others were faster; do not sleep, try again.
  StealResult<T> TryPop(std::uint64_t lane);

  // Any thread.  Whether, at some instant of the call, every item whose Push had
  // returned was gone.  Enough for the check before sleeping: of a thread that
  // announces its sleep, passes a sequentially consistent fence and finds the
  // queue empty, and one that pushes, passes such a fence and looks for sleepers,
  // at least one sees the other.
  bool empty() const { return population_.load(std::memory_order_relaxed) == 0; }

  // Any thread.  A hint: no item waits that is older than this, or so it was a
  // moment ago; ~0 if nothing waits.
  std::uint64_t OldestStamp() const;

 private:
  using Lane = deque_internal::FifoLane<T, Atomics>;
  using LockHolder = SpinLockHolder<Atomics>;

  static std::size_t RoundUp(int lanes) {
    const int at_least_one = lanes < 1 ? 1 : lanes;
    const int clamped = at_least_one > kMaxLanes ? kMaxLanes : at_least_one;
    return absl::bit_ceil(static_cast<std::size_t>(clamped));
  }
  static std::uint64_t Bit(std::size_t lane) { return std::uint64_t{1} << lane; }

  // The first lane with items, from `lane` upwards and round; `population` has one.
  static std::size_t NextPopulated(std::uint64_t population, std::size_t lane) {
    const std::uint64_t rotated = absl::rotr(population, static_cast<int>(lane));
    return (lane + static_cast<std::size_t>(absl::countr_zero(rotated))) % kMaxLanes;
  }

  std::size_t OlderOfTwo(std::uint64_t candidates, std::uint64_t lane) const;

  const std::size_t lane_count_;
  const std::unique_ptr<Lane[]> lanes_;
  // Bit i: lane i has items.  Changed under the lock of lane i, which orders the
  // items themselves; so relaxed order is enough here.
  alignas(kCacheLineSize) typename Atomics::template Atomic<std::uint64_t> population_{0};
};

template <typename T, typename Atomics>
void ShardedFifo<T, Atomics>::Push(T&& item, std::uint64_t stamp, std::uint64_t lane) {
  const std::size_t preferred = lane & (lane_count_ - 1);
  std::size_t chosen = preferred;
  bool locked = false;
  for (std::size_t i = 0; i < lane_count_ && !locked; ++i) {
    chosen = (preferred + i) & (lane_count_ - 1);
    locked = lanes_[chosen].lock().TryLock();
  }
  if (!locked) lanes_[chosen].lock().Lock();
  const LockHolder holder(&lanes_[chosen].lock(), AdoptLock());
  lanes_[chosen].PushBack(std::move(item), stamp);
  // Only whoever holds this lane's lock changes this bit.
  if ((population_.load(std::memory_order_relaxed) & Bit(chosen)) == 0) {
    population_.fetch_or(Bit(chosen), std::memory_order_relaxed);
  }
}

template <typename T, typename Atomics>
StealResult<T> ShardedFifo<T, Atomics>::TryPop(std::uint64_t lane) {
  StealResult<T> result;
  std::uint64_t tried = 0;
  for (;;) {
    const std::uint64_t population = population_.load(std::memory_order_relaxed);
    if (population == 0) return result;
    const std::uint64_t untried = population & ~tried;
    if (untried == 0) break;
    const std::size_t chosen = OlderOfTwo(untried, lane);
    tried |= Bit(chosen);
    if (lanes_[chosen].lock().TryLock()) {
      const LockHolder holder(&lanes_[chosen].lock(), AdoptLock());
      if (lanes_[chosen].empty()) continue;
      lanes_[chosen].PopFront(&result.item, &result.meta);
      if (lanes_[chosen].empty()) population_.fetch_and(~Bit(chosen), std::memory_order_relaxed);
      result.status = StealStatus::kStolen;
      return result;
    }
  }
  result.status = StealStatus::kLost;
  return result;
}

// Of two lanes among the `candidates`, found from two parts of the number
// `lane`, the one whose front is older.
template <typename T, typename Atomics>
std::size_t ShardedFifo<T, Atomics>::OlderOfTwo(std::uint64_t candidates,
                                                std::uint64_t lane) const {
  const std::size_t first = NextPopulated(candidates, lane & (lane_count_ - 1));
  const std::uint64_t others = candidates & ~Bit(first);
  if (others == 0) return first;
  const std::size_t second = NextPopulated(others, (lane >> 32) & (lane_count_ - 1));
  return lanes_[first].front_stamp() <= lanes_[second].front_stamp() ? first : second;
}

template <typename T, typename Atomics>
std::uint64_t ShardedFifo<T, Atomics>::OldestStamp() const {
  std::uint64_t oldest = ~std::uint64_t{0};
  std::uint64_t population = population_.load(std::memory_order_relaxed);
  for (; population != 0; population &= population - 1) {
    const auto lane = static_cast<std::size_t>(absl::countr_zero(population));
    oldest = std::min(oldest, lanes_[lane].front_stamp());
  }
  return oldest;
}

}  // namespace filch

#endif  // FILCH_DEQUE_SHARDED_FIFO_H_
