// The extra slot of an arena, behind its others: when somebody may be there.
//
// It is for what needs somebody while nobody in the other slots could come: because the
// only one is taken, because a thread in one of them waits and does not help, or because
// all threads there are away.  So an arena has no more threads awake than slots, but
// where README.md says so.  Which of these threads take the extra slot is told in arena_slots.h.
//
// Its number is beyond the others', and so beyond a table with a place for each of them.
// So where somebody counts on the number of several slots, it does not open because all
// threads are away: what needs somebody waits until one of them is back.
//
// The other slots are the first `count` of `slots`; `Slot` has the atomic words `occupied`
// and `away`, and `abstainers` is a BasicAbstainers (abstainers.h).
//
// Any thread.
// Memory ordering: who needs somebody looks after having said so, and then sees that the
// slot is open, or whoever opens it looks afterwards and calls somebody (W7, and W8 in
// absence.h).
#ifndef FILCH_POOL_EXTRA_SLOT_H_
#define FILCH_POOL_EXTRA_SLOT_H_

#include <atomic>

#include "filch/pool/absence.h"

namespace filch {
namespace pool_internal {

// Whether one of the slots from `first` up to `last` is free.
template <typename Slot>
bool HasFreeSlot(const Slot* slots, int first, int last) {
  for (int i = first; i < last; ++i) {
    if (!slots[i].occupied.load(std::memory_order_relaxed)) return true;  // W5: after AddSeeker
  }
  return false;
}

// Whether all threads are away, so that one may come in addition; `counted_on()`: somebody
// counts on there being no more numbers than slots, so nobody may, but where there is one
// slot, which has two numbers anyway.
template <typename Slot, typename CountedOn>
bool OneMoreMayCome(const Slot* slots, int count, const CountedOn& counted_on) {
  // In this order: who asked for numbers and went away after that is seen to have asked.
  return AllAreAway(slots, count) && (count == 1 || !counted_on());
}

// Whether the extra slot may be taken for tasks that need somebody.
template <typename Slot, typename Abstainers, typename CountedOn>
bool ExtraIsOpen(const Slot* slots, int count, const Abstainers& abstainers,
                 const CountedOn& counted_on) {
  return count == 1 || abstainers.Any() || OneMoreMayCome(slots, count, counted_on);
}

// Of a worker in slot `index`: whether that is the extra one and the worker has to leave it,
// because what opened it is over.  One of the threads in the others can be called again, or
// there is a free one that a worker may have; these are the ones from `first_for_workers` on.
template <typename Slot, typename Abstainers, typename CountedOn>
bool IsSuperfluous(int index, const Slot* slots, int count, int first_for_workers,
                   const Abstainers& abstainers, const CountedOn& counted_on) {
  if (index != count) return false;
  if (count == 1 || abstainers.Any()) return false;
  return HasFreeSlot(slots, first_for_workers, count) || !OneMoreMayCome(slots, count, counted_on);
}

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_EXTRA_SLOT_H_
