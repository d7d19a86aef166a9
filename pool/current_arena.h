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
// or 1 in an arena of one slot, and of no other thread that is there.  Who waits without
// helping (Helping::kOwnTasks) keeps a place more: the worker that comes instead has the
// number concurrency().  It stays the same while the thread runs a task.
// The first question of a program is for all arenas of the pool: see Recruiter.
inline int CurrentSlotIndex() {
  const pool_internal::Slot& slot = pool_internal::CurrentSlot();
  slot.arena->CountOnAllSlots();
  return slot.index;
}

// Whether another thread asks this one for work: a hint that a divisible piece
// of work should be divided now.
inline bool WorkIsWanted() { return pool_internal::CurrentSlot().NeedsAttention(); }

}  // namespace filch

#endif  // FILCH_POOL_CURRENT_ARENA_H_
