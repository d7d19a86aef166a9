// ArenaList: the arenas of a pool, by descending priority, and which of them nobody owns.
//
// Arenas only join it: one that its owner has released is for the next one who wants such an
// arena.
//
// Scheduler-internal.  Under the pool's lock; the arenas themselves are for any thread.
#ifndef FILCH_POOL_ARENA_LIST_H_
#define FILCH_POOL_ARENA_LIST_H_

#include <cstddef>
#include <memory>

#include "filch/pool/arena.h"
#include "filch/pool/arena_options.h"
#include "filch/topology/plain_vector.h"

namespace filch {
namespace pool_internal {

class ArenaList {
 public:
  // Pointers, none of them null.
  auto begin() const { return arenas_.begin(); }
  auto end() const { return arenas_.end(); }
  std::size_t size() const { return arenas_.size(); }
  // How many of them have no owner.
  std::size_t free() const { return free_.size(); }

  // The one at this place, or null past the end.  Who counts places until null, and lets others
  // have the lock meanwhile, meets every arena that was there when it began.
  Arena* At(std::size_t place) const {
    return place < arenas_.size() ? arenas_[place].get() : nullptr;
  }

  // One with these options, and as new, that has no owner and gets one now; null if there is none.
  Arena* TakeFree(const ArenaOptions& options);
  // A new one, which has an owner.  Throws std::bad_alloc, and then it is not in the list.
  Arena& Add(std::unique_ptr<Arena> arena);
  // The arena has no owner any more.
  void Release(Arena& arena) { free_.push_back(&arena); }

 private:
  PlainVector<std::unique_ptr<Arena>> arenas_;
  PlainVector<Arena*> free_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_ARENA_LIST_H_
