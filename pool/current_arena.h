// CurrentArena: what the calling thread can ask about where it works.
#ifndef FILCH_POOL_CURRENT_ARENA_H_
#define FILCH_POOL_CURRENT_ARENA_H_

#include "filch/pool/arena.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/slot.h"

namespace filch {

// The arena that the calling thread is in; a thread that is in none gets into
// one of the default pool's for the rest of its life.
inline Arena& CurrentArena() { return *pool_internal::CurrentSlot().arena; }

// The number of the calling thread's slot in that arena: less than its concurrency(),
// or 1 in an arena of one slot, and of no other thread that is awake there (pool/README.md,
// "Fairness of the shared queue", has the exceptions).  It stays the same while the
// thread runs a task.
inline int CurrentSlotIndex() {
  const pool_internal::Slot& slot = pool_internal::CurrentSlot();
  slot.arena->CountOnSlots();
  return slot.index;
}

// Whether another thread asks this one for work: a hint that a divisible piece
// of work should be divided now.
inline bool WorkIsWanted() { return pool_internal::CurrentSlot().NeedsAttention(); }

}  // namespace filch

#endif  // FILCH_POOL_CURRENT_ARENA_H_
