// Vacancy: who wants to hear that a slot of an arena becomes free.
//
// A worker that was wanted and found every slot taken marks the arena as full; a
// thread from outside that needs a slot counts itself as a seeker.  Both look at
// the slots once more after that.  Whoever vacates a slot looks at both when the
// slot is free.
//
// Any thread.
// Memory ordering: a full fence between the store and the load of either side
// (Dekker), so the one finds the slot or the other finds the mark.
#ifndef FILCH_POOL_VACANCY_H_
#define FILCH_POOL_VACANCY_H_

#include <atomic>
#include <cstdint>

#include "filch/topology/std_atomics.h"

namespace filch {
namespace pool_internal {

template <typename Atomics = StdAtomics>
class BasicVacancy {
 public:
  // A worker found no free slot, and looks once more.
  void MarkFull() {
    full_.store(true, std::memory_order_relaxed);  // W4: the next vacated slot shows it
    Atomics::SeqCstFence();                        // W4: before another look at the slots
  }

  // A thread from outside looks for a slot after that, until it withdraws.
  void AddSeeker() {
    seekers_.fetch_add(1, std::memory_order_seq_cst);  // W5: before the look for a slot
    Atomics::SeqCstFence();  // W5: the next Vacate sees the seeker, or we its slot
  }
  void RemoveSeeker() {
    seekers_.fetch_sub(1, std::memory_order_relaxed);  // W5: nobody waits for it
  }

  bool HasSeekers() const {
    return seekers_.load(std::memory_order_seq_cst) >
           0;  // W5: after the slot is free, W8: after `away`
  }

  // The thread leaves the slot: what is left in its deque becomes stealable, and
  // whoever waits for a slot hears of it.  `idle` is the arena's protocol, and
  // `arena` what it works for; it also has HasSlotForWorker(), which marks the arena as full if it
  // says no, ShowNote(), so that workers below look at a note if there is one, and WakeSeekers().
  template <typename Slot, typename Idle, typename Arena>
  void Vacate(Slot& slot, Idle& idle, Arena&& arena) {
    slot.deque.ExposeAll();
    // Work that was shared before counts, too.
    const bool left_work = slot.deque.Inspect() != decltype(slot.deque)::Contents::kEmpty;
    if (left_work) idle.LeaveBehind();
    slot.occupied.store(false, std::memory_order_release);  // O1: to the next occupant
    Atomics::SeqCstFence();                                 // W4: with MarkFull, W5: with AddSeeker
    if (left_work) idle.NotifySpawned(arena);
    if (full_.load(std::memory_order_relaxed) &&             // W4: after the slot is free
        full_.exchange(false, std::memory_order_seq_cst) &&  // W4: one of us calls
        arena.HasSlotForWorker()) {  // or it is marked again: this slot is not for workers
      // A call is only for work: who comes for nothing is seen by the arena's hooks.
      idle.ForwardWake(arena);
      // The note may be one that a worker below looked at and could not follow.
      arena.ShowNote();
    }
    if (HasSeekers()) arena.WakeSeekers();
  }

 private:
  typename Atomics::template Atomic<bool> full_{false};
  typename Atomics::template Atomic<std::int32_t> seekers_{0};
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_VACANCY_H_
