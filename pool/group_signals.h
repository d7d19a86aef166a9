// GroupSignals: what is to be known about the task groups of one home slot.
//
// Apart from the slot, and never destroyed: a task of one pool that completes a
// group of another looks here when that pool may be gone.  A few slots may share
// an entry, which costs a wake-up too many now and then.
//
// Scheduler-internal.  Any thread, unless it says otherwise.
// Memory ordering: G3, G4, G6 and G9 of README.md; group_count.h and home_spawns.h have the other
// halves.
#ifndef FILCH_POOL_GROUP_SIGNALS_H_
#define FILCH_POOL_GROUP_SIGNALS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "filch/pool/pool_atomics.h"
#include "filch/topology/cache_line.h"
#include "filch/topology/fibonacci_hash.h"

namespace filch {
namespace pool_internal {

template <typename Atomics = PoolAtomics>
class alignas(kCacheLineSize) BasicGroupSignals {
 public:
  // The calling thread will park for such a group, and looks at the group after
  // that.  `at_home`: it is the thread in the home slot.
  void AnnounceWaiter(bool at_home) {
    waiters_.fetch_add(1, std::memory_order_seq_cst);  // G3, G4: then look again
    // The thread in the home slot completes and spawns tasks without a fence of its own; the
    // waiter from elsewhere pays for both.
    if (!at_home) Atomics::HeavyFence();  // G4, G9: against DoneAtHome and HomeSpawns
  }
  void WithdrawWaiter() {
    waiters_.fetch_sub(1, std::memory_order_relaxed);  // G3, G4: one wake-up less
  }

  // Whether anybody is parked, for the thread in the home slot, which has completed or spawned a
  // task with a plain store.
  bool HasWaitersAtHome() const {
    Atomics::SureLightFence();  // G4, G9: a waiter from elsewhere pays the heavy side
    return waiters_.load(std::memory_order_relaxed) != 0;  // G4, G9: after the change
  }
  // A hint.
  bool MayHaveWaiters() const {
    return waiters_.load(std::memory_order_relaxed) != 0;  // G3: who misses them looks again
  }
  // The same as HasWaitersAtHome for whoever has changed something by a sequentially consistent
  // operation.
  bool HasWaiters() const {
    return waiters_.load(std::memory_order_seq_cst) != 0;  // G3, G6: after the change
  }

  // A task was spawned in another arena than the home's, or enqueued in any, and HomeSpawns does
  // not count it.  True: somebody may be parked for the group.
  bool NoteSpawnedElsewhere() {
    spawned_elsewhere_.fetch_add(1, std::memory_order_seq_cst);  // G6: the task and its arena
    return HasWaiters();
  }
  // How many there were so far.
  std::uint32_t spawned_elsewhere() const {
    return spawned_elsewhere_.load(
        std::memory_order_seq_cst);  // G6: before the tour, or after Enlist
  }

 private:
  // How many threads are parked for such a group.
  typename Atomics::template Atomic<std::uint32_t> waiters_{0};
  // Who completes a task looks at waiters_, and not at what those write who spawn elsewhere.
  [[maybe_unused]] std::uint32_t gap_[kCacheLineSize / sizeof(std::uint32_t) - 1];
  typename Atomics::template Atomic<std::uint32_t> spawned_elsewhere_{0};
};

using GroupSignals = BasicGroupSignals<>;

inline GroupSignals& GroupSignalsOf(const void* slot) {
  constexpr std::size_t kSignals = 64;
  static GroupSignals signals[kSignals];
  return signals[FibonacciIndex<kSignals>(slot)];
}

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_GROUP_SIGNALS_H_
