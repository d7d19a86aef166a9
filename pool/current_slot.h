// CurrentSlot: the calling thread's slot, wherever it is.
#ifndef FILCH_POOL_CURRENT_SLOT_H_
#define FILCH_POOL_CURRENT_SLOT_H_

#include "filch/pool/slot.h"

namespace filch {

struct ArenaOptions;

namespace pool_internal {

// A slot in an arena of the default pool, with these options, of which no other thread is
// the owner.  Those who help with what the last owner left may have any slot of it, or
// all; then it is another arena.  Who is done vacates the slot and releases its arena.
// Throws std::bad_alloc.  Any thread.
Slot& OccupyFreeArena(const ArenaOptions& options);

// Gives the calling thread a slot in an arena of the default pool, for the rest
// of the thread's life.  Throws std::bad_alloc.
Slot& AttachCallingThread();

// The same slot, for a thread that is in none, to make a group in it.  The thread is not in it
// before CurrentSlot() says so: until then current_slot stays null.  If it has changed its
// floating-point settings by then, it gets another one.  Throws std::bad_alloc.
Slot& SlotToMakeGroup();

// Gives that slot back before the end of the thread, which gets another one when it needs
// one; what is to do in its arena and nobody does yet runs first.  Nothing happens on a
// thread that has none, is in a task, in an isolated region or in another arena, nor in a
// forked child of the process that gave it out.
void DetachCallingThread();

// The slot of the calling thread; a thread that has none is attached first.
inline Slot& CurrentSlot() {
  // Read again and not returned, so that a compiler knows what the next call reads.
  if (__builtin_expect(current_slot == nullptr, 0)) AttachCallingThread();
  return *current_slot;
}

// Where the calling thread makes a group: its slot, or the one that it will be in.
inline Slot& CurrentSlotForGroup() {
  Slot* const slot = current_slot;
  return __builtin_expect(slot == nullptr, 0) ? SlotToMakeGroup() : *slot;
}

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_CURRENT_SLOT_H_
