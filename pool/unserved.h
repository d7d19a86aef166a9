// Unserved: the priorities of arenas that wanted a worker in vain.
//
// Workers finish what there is in an arena before they look at others.  Those in arenas of
// lower priority look here at every task, and leave when somebody is wanted above them
// (workforce.h).  A note says only that it is worth a look: the arenas say who wants
// somebody (wanted.h).
//
// Any thread.
// Memory ordering: P7 of README.md.  Whoever takes the notes sees who was wanted before
// they were made, also by those who found them made.
#ifndef FILCH_POOL_UNSERVED_H_
#define FILCH_POOL_UNSERVED_H_

#include <atomic>
#include <cstdint>

#include "filch/topology/std_atomics.h"

namespace filch {
namespace pool_internal {

// Priorities count from 0 to 30.
template <typename Atomics = StdAtomics>
class BasicUnserved {
 public:
  // Nobody was free for an arena of this priority, which has said so before.
  void Note(int priority) {
    const std::uint32_t bit = std::uint32_t{1} << priority;
    // Only once: workers read the word at every task.
    if ((word_.load(std::memory_order_seq_cst) & bit) != 0) return;  // P7: after `wanted`
    word_.fetch_or(bit, std::memory_order_release);                  // P7: `wanted` comes first
  }

  // Whether it is worth while for a worker in an arena of this priority to take the notes.
  bool AnyAbove(int priority) const {
    return word_.load(std::memory_order_relaxed) >> (priority + 1) != 0;  // P7: now or later
  }

  // Takes the notes of higher priorities than this.  The others are for workers further
  // below.
  void TakeAbove(int priority) {
    const std::uint32_t others = (std::uint32_t{2} << priority) - 1;
    word_.fetch_and(others, std::memory_order_seq_cst);  // P7: before the look at `wanted`
  }

 private:
  typename Atomics::template Atomic<std::uint32_t> word_{0};
};

using Unserved = BasicUnserved<>;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_UNSERVED_H_
