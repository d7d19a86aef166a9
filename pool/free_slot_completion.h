// FreeSlotCompletion: something that a thread waits for, or a slot of an arena
// where it could help that becomes free.
//
// For a thread whose wait may depend on tasks in an arena that it found full.  The
// threads inside may be busy with their own affairs until they leave, and then
// nobody but the one who was kept out may be left to run those tasks.
//
// Memory ordering: the wait becomes a seeker and then looks at the slots (W5).
#ifndef FILCH_POOL_FREE_SLOT_COMPLETION_H_
#define FILCH_POOL_FREE_SLOT_COMPLETION_H_

#include "filch/pool/arena.h"
#include "filch/pool/either_completion.h"

namespace filch {
namespace pool_internal {

struct SlotIsFree {
  static bool Has(const Arena& arena) { return arena.slots().HasSlotToHelp(); }
  static const void* Key(const Arena& arena) { return arena.slots().vacancy_key(); }
  static void Announce(Arena& arena) { arena.slots().vacancy().AddSeeker(); }
  static void Withdraw(Arena& arena) { arena.slots().vacancy().RemoveSeeker(); }
};

using FreeSlotCompletion = EitherCompletion<SlotIsFree>;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_FREE_SLOT_COMPLETION_H_
