// Absence: a thread sleeps and cannot be called to the shared queue of an arena where it
// holds a slot: it waits inside another task there, or in another arena.
//
// While all threads of an arena are away, nobody is left who could look at what is queued
// there, or at what a thread outside waits for: then the arena's extra slot opens
// (extra_slot.h).  So the last one to go away looks whether somebody is needed.
//
// `Slot` has the atomic words `occupied` and `away`; `Arena` is what the thread works for:
//
//   bool NeedsSomebody()   whether there are tasks, or threads that want a slot
//   bool ExtraIsOpen()     whether somebody could come there: if all are away, at least
//   void CallSomebody()    a worker for the former, the latter all
//
// Any thread.
// Memory ordering: W8 of README.md, sequentially consistent: who needs somebody sees that
// all are away, or the last one of them sees that somebody is needed.
#ifndef FILCH_POOL_ABSENCE_H_
#define FILCH_POOL_ABSENCE_H_

#include <atomic>

namespace filch {
namespace pool_internal {

// Whether the thread in the slot is away; false if there is none.  Who needs somebody has said so
// before.
template <typename Slot>
bool IsAway(const Slot& slot) {
  return slot.away.load(std::memory_order_seq_cst);  // W8: after the need
}

// Whether every thread in one of the first `count` slots is away.  Who needs somebody has
// said so before.
template <typename Slot>
bool AllAreAway(const Slot* slots, int count) {
  for (int i = 0; i < count; ++i) {
    if (slots[i].occupied.load(std::memory_order_relaxed) &&  // W4: after the mark
        !IsAway(slots[i])) {
      return false;
    }
  }
  return true;
}

// The thread in `slot` is away from now on.  It is about to sleep.
template <typename Slot, typename Arena>
void GoAway(Slot& slot, Arena&& arena) {
  slot.away.store(true, std::memory_order_seq_cst);  // W8: before the look for a need
  if (arena.NeedsSomebody() && arena.ExtraIsOpen()) arena.CallSomebody();
}

template <typename Slot>
void ComeBack(Slot& slot) {
  slot.away.store(false, std::memory_order_relaxed);  // W8: nobody waits for that
}

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_ABSENCE_H_
