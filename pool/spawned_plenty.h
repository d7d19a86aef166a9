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
  // With those that others have not taken, where they need not be looked at each time.
  constexpr std::int64_t kPlentyInAll = 4 * kPlenty;
  pool_internal::Slot& slot = pool_internal::CurrentSlot();
  const auto& deque = slot.deque;
  // Others get half of what is left each time they ask, and ask when they have nothing.  To look
  // at what they have not taken takes a cache line from them: only a thread that shares without
  // being asked has to do that, and the others now and then, for a call of sleepers shares, too.
  const bool plenty =
      slot.eager_sharing.active()
          ? deque.ApproximateSizes().all >= kPlenty
          : deque.private_size() >= kPlenty ||
                (deque.bottom() % kPlenty == 0 && deque.ApproximateSizes().all >= kPlentyInAll);
  if (!plenty) return false;
  if (slot.NeedsAttention()) slot.Attend();
  return true;
}

}  // namespace filch

#endif  // FILCH_POOL_SPAWNED_PLENTY_H_
