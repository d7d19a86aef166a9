// newest_hooks: for an arena, the number of the newest hook that wants to hear of it.
//
// Arenas share a few numbers, so the hook may be that of another arena: who finds a number
// that is new to it asks the lists of hooks (arena_hook.cc).  They are no members of the
// arenas, because a hook may be there for longer than its arena.
//
// Scheduler-internal.  Any thread.
// Memory ordering: relaxed, a hint (H1 of README.md).
#ifndef FILCH_POOL_NEWEST_HOOK_H_
#define FILCH_POOL_NEWEST_HOOK_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "filch/topology/fibonacci_hash.h"

namespace filch {

class Arena;

namespace pool_internal {

// 0: there is none.
using HookNumber = std::atomic<std::uint64_t>;

inline constexpr std::size_t kHookIndices = 256;
extern HookNumber newest_hooks[kHookIndices];

// Which of them is that of the arena.
inline std::size_t HookIndexOf(const Arena* arena) { return FibonacciIndex<kHookIndices>(arena); }

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_NEWEST_HOOK_H_
