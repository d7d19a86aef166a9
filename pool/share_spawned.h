// ShareSpawned: lets others take what the calling thread has spawned, unasked.
//
// A thread keeps what it spawns to itself until somebody asks for it, and it hears of that
// when it spawns, waits or takes its next task.  So who has spawned something that others had
// better begin soon, and goes on with something long, calls this in between.  It costs about
// as much as a task.  Any thread.
//
//   group.Run([&] { ReadNextBlock(); });
//   filch::ShareSpawned();
//   Compress(block);
#ifndef FILCH_POOL_SHARE_SPAWNED_H_
#define FILCH_POOL_SHARE_SPAWNED_H_

#include "filch/pool/current_slot.h"
#include "filch/pool/slot.h"

namespace filch {

// The older half, rounded up, of what only the thread itself could take, or more.
inline void ShareSpawned() {
  pool_internal::Slot& slot = pool_internal::CurrentSlot();
  if (slot.concurrency > 1) slot.ShareSome();
}

// What ShareSpawned shares, if somebody has asked and it is not withheld (Withholding); otherwise
// this costs next to nothing.
inline void ShareSpawnedIfAsked() { pool_internal::CurrentSlot().ExposeIfAsked(); }

// Shares everything that only the thread itself could take, before it does nothing for a while.
inline void ShareAllSpawned() {
  pool_internal::Slot& slot = pool_internal::CurrentSlot();
  if (slot.concurrency == 1) return;
  slot.ShareSome();
  slot.deque.ExposeAll();
}

}  // namespace filch

#endif  // FILCH_POOL_SHARE_SPAWNED_H_
