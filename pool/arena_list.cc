#include "filch/pool/arena_list.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "filch/pool/arena.h"
#include "filch/pool/arena_hook.h"
#include "filch/pool/arena_options.h"

namespace filch {
namespace pool_internal {

Arena* ArenaList::TakeFree(const ArenaOptions& options) {
  for (auto free = free_.begin(); free != free_.end(); ++free) {
    Arena& arena = **free;
    if (!(arena.options() == options) || arena.attachments().Any()) continue;
    // Who left a hook with the arena's last owner shall not hear of the next one.
    if (!ArenaHasHook(arena) && arena.ForgetOwner()) {
      free_.erase(free);
      return &arena;
    }
  }
  return nullptr;
}

Arena& ArenaList::Add(std::unique_ptr<Arena> arena) {
  free_.reserve(arenas_.size() + 1);  // so that Release cannot fail
  const auto place = std::find_if(arenas_.begin(), arenas_.end(), [&arena](const auto& other) {
    return other->priority() < arena->priority();
  });
  return **arenas_.insert(place, std::move(arena));
}

}  // namespace pool_internal
}  // namespace filch
