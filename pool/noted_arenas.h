// BasicNotedArenas: in which arenas, beside its own, a group has spawned tasks.
//
// Most groups use none and few more than one, so the place for one is part of the
// group; for the next there is a further list of the same kind.  Whoever makes a group
// pays for two words.  An arena that was noted is never forgotten: a thread that waits
// for the group may be the only one that can run what is there.
//
// Any thread, except for the destructor.
// Memory ordering: an arena and a further list are complete for whoever finds them (G5,
// G7); that a waiter sees the places is ordered by what tells it to look (G6, G9).
#ifndef FILCH_POOL_NOTED_ARENAS_H_
#define FILCH_POOL_NOTED_ARENAS_H_

#include <atomic>
#include <memory>

#include "filch/pool/pool_atomics.h"

namespace filch {
namespace pool_internal {

template <typename Arena, typename Atomics = PoolAtomics>
class BasicNotedArenas {
 public:
  BasicNotedArenas() = default;
  ~BasicNotedArenas() {
    BasicNotedArenas* const more =
        more_.load(std::memory_order_relaxed);  // G7: nobody else is left
    if (__builtin_expect(more != nullptr, 0)) delete more;
  }
  BasicNotedArenas(const BasicNotedArenas&) = delete;
  BasicNotedArenas& operator=(const BasicNotedArenas&) = delete;

  // Throws std::bad_alloc, and then the arena is not noted.
  void Note(Arena* arena) {
    Arena* known = nullptr;
    if (!arena_.compare_exchange_strong(known, arena, std::memory_order_release,  // G5: the arena
                                        std::memory_order_relaxed) &&
        known != arena) {
      More().Note(arena);
    }
  }

  // The i-th arena, null past the last one.
  Arena* At(int i) const {
    if (i == 0) return arena_.load(std::memory_order_acquire);                   // G5: the arena
    const BasicNotedArenas* const more = more_.load(std::memory_order_acquire);  // G7: its place
    return more == nullptr ? nullptr : more->At(i - 1);
  }

 private:
  // The further list, made when it is needed.
  BasicNotedArenas& More() {
    BasicNotedArenas* more = more_.load(std::memory_order_acquire);  // G7: its place, as above
    if (more != nullptr) return *more;
    auto made = std::make_unique<BasicNotedArenas>();
    if (!more_.compare_exchange_strong(more, made.get(),
                                       std::memory_order_acq_rel,     // G7: publishes
                                       std::memory_order_acquire)) {  // G7: somebody was faster
      return *more;
    }
    return *made.release();
  }

  typename Atomics::template Atomic<Arena*> arena_{nullptr};
  typename Atomics::template Atomic<BasicNotedArenas*> more_{nullptr};
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_NOTED_ARENAS_H_
