#include "../include/oneapi/tbb/task_scheduler_observer.h"

#include <atomic>

#include "../include/oneapi/tbb/task_arena.h"
#include "filch/pool/arena.h"
#include "filch/pool/current_arena.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

void task_scheduler_observer::observe(bool state) {
  if (observing_.exchange(state, std::memory_order_relaxed) == state) return;  // W1: as above
  if (!state) {
    hook_.Remove();
    return;
  }
  try {
    const filch::Arena* where = nullptr;
    if (!watches_all_) {
      where = arena_ != nullptr ? &ArenaAccess::Of(*arena_) : &filch::CurrentArena();
    }
    hook_.Add(where);
  } catch (...) {
    observing_.store(false, std::memory_order_relaxed);  // W1: as above
    throw;
  }
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb
