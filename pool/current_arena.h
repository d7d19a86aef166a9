// CurrentArena: the arena and the slot where the calling thread works.
//
// A thread asks for itself.  Any thread.
#ifndef FILCH_POOL_CURRENT_ARENA_H_
#define FILCH_POOL_CURRENT_ARENA_H_

#include "filch/pool/arena.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/slot.h"

namespace filch {

// The arena that the calling thread is in; a thread that is in none gets into
// one of the default pool's for the rest of its life.
inline Arena& CurrentArena() { return *pool_internal::CurrentSlot().arena; }

// The number of the calling thread's slot in that arena, which no other thread there has
// and which stays the same while the thread runs a task.  It is less than concurrency(),
// with two exceptions: an arena of one slot has the numbers 0 and 1, and a worker that
// comes in place of a thread that waits without helping (Helping::kOwnTasks) has the number
// concurrency().  To keep it so, the first call in a program changes who may come to the
// arenas of the pool: see Recruiter::CountOnSlots.
inline int CurrentSlotIndex() {
  const pool_internal::Slot& slot = pool_internal::CurrentSlot();
  slot.arena->CountOnAllSlots();
  return slot.index;
}

// Whether another thread asks this one for work: a hint that a divisible piece
// of work should be divided now.
inline bool WorkIsWanted() { return pool_internal::CurrentSlot().WorkIsWanted(); }

}  // namespace filch

#endif  // FILCH_POOL_CURRENT_ARENA_H_
