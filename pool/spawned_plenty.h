// HasSpawnedPlenty: whether what else the calling thread spawns only takes memory.
//
// Who spawns a task for each part of something long is ahead of those who run them.  Once
// as many tasks are on the deque as others will ask for in a while, it had better run the
// next part itself, and ask again:
//
//   while (Part part = Next()) {
//     if (filch::HasSpawnedPlenty()) {
//       Work(part);
//     } else {
//       group.Run([part] { Work(part); });
//     }
//   }
//
// That holds up the parts behind it, of which others may run out; if Work may take long, or
// wait for them, let others go on behind it (Join).
//
// Others get what they have asked for, as when something is spawned, even if it was plenty
// and is no more.  Any thread; one that is in no arena joins the default pool, as when it
// spawns, and that may throw std::bad_alloc.
#ifndef FILCH_POOL_SPAWNED_PLENTY_H_
#define FILCH_POOL_SPAWNED_PLENTY_H_

#include <cstdint>

#include "filch/pool/current_slot.h"
#include "filch/pool/slot.h"

namespace filch {

inline bool HasSpawnedPlenty() {
  constexpr std::int64_t kPlenty = 64;
  pool_internal::Slot& slot = pool_internal::CurrentSlot();
  // Others get half of what is left each time they ask, and ask when they have nothing.  Only
  // a thread that shares without being asked has to look at what they have not taken.
  const std::int64_t spawned =
      slot.eager_sharing.active() ? slot.deque.ApproximateSizes().all : slot.deque.private_size();
  if (spawned < kPlenty) return false;
  if (slot.NeedsAttention()) slot.Attend();
  return true;
}

}  // namespace filch

#endif  // FILCH_POOL_SPAWNED_PLENTY_H_
