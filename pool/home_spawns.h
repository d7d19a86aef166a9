// HomeSpawns: how often the thread in a slot has spawned tasks of its groups in other arenas.
//
// Of the groups that were made in the slot, by the thread there, which has entered the other arena
// from it or has enqueued them.  Everything else that is spawned so, GroupSignals counts, by an
// atomic addition each: that waits for all that the thread has written before, among it the task,
// whose cache lines are with a thief.  To give a group 16 tasks of 0.1 us in another arena took
// 0.80 us, and takes 0.70 (two virtual AMD EPYC processors, 2026-11-30).
//
// Scheduler-internal; a part of the slot.
// Memory ordering: G9 of README.md; GroupSignals has the other half.
#ifndef FILCH_POOL_HOME_SPAWNS_H_
#define FILCH_POOL_HOME_SPAWNS_H_

#include <atomic>
#include <cstdint>

#include "filch/pool/group_signals.h"
#include "filch/pool/pool_atomics.h"

namespace filch {
namespace pool_internal {

template <typename Atomics = PoolAtomics>
class BasicHomeSpawns {
 public:
  // A task of such a group is there.  True: somebody may be parked for the group, which may be
  // gone by now; `signals` is the group's.  The thread in the slot.
  bool Note(const BasicGroupSignals<Atomics>& signals) {
    count_.store(count_.load(std::memory_order_relaxed) + 1,  // G9: one writer
                 std::memory_order_release);                  // G9: the task and its arena
    return signals.HasWaitersAtHome();
  }

  // How many there were so far.  A waiter for such a group.
  std::uint32_t count() const {
    return count_.load(std::memory_order_acquire);  // G9: before the tour, or after AnnounceWaiter
  }

 private:
  typename Atomics::template Atomic<std::uint32_t> count_{0};
};

using HomeSpawns = BasicHomeSpawns<>;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_HOME_SPAWNS_H_
