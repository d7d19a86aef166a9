// Looker: whether the thread in a slot only looks for a task, and has none.
//
// A worker that has looked in vain says so, and takes nothing before it has taken that back.  So
// who sees at one time that all who are in an arena have nothing, and that nothing is to be found
// there, knows that there is no task: NobodyHasTasks.
//
// Scheduler-internal.
// Memory ordering: what the threads inside have done before they had nothing is visible to who
// finds that nobody has tasks (O2 of README.md).  What takes the last task away from where it
// lies is a release.
#ifndef FILCH_POOL_LOOKER_H_
#define FILCH_POOL_LOOKER_H_

#include <atomic>
#include <cstdint>

#include "filch/topology/std_atomics.h"

namespace filch {
namespace pool_internal {

template <typename Atomics = StdAtomics>
class BasicLooker {
 public:
  // --- the thread in the slot
  // It has come, and may take something next.
  void Come() {
    word_.store(Own() + 2, std::memory_order_release);  // O2: the slot is occupied
  }
  // Between these two it has nothing, and takes nothing.
  void BeginPause() {
    word_.store(Own() + 1, std::memory_order_release);  // O2: after the look in vain
  }
  void EndPause() {
    word_.store(Own() + 1, std::memory_order_relaxed);  // O2: before it takes something
  }

  // --- any thread
  // Another number whenever one of these was called.
  std::uint32_t Read() const {
    return word_.load(std::memory_order_acquire);  // O2: and then whether it is occupied
  }
  // Whether the thread, if there is one, is between BeginPause and EndPause.
  static bool HasNothing(std::uint32_t word) { return word % 2 != 0; }

 private:
  std::uint32_t Own() const {
    return word_.load(std::memory_order_relaxed);  // O2: its own
  }

  typename Atomics::template Atomic<std::uint32_t> word_{0};
};

using Looker = BasicLooker<>;

// Whether those in the arena's slots only look for a task.  Adds all slots' words to `sum`.
template <typename Arena>
bool OnlyLookersAreInside(const Arena& arena, std::uint64_t* sum) {
  const int used = arena.UsedSlots();
  for (int i = 0; i < used; ++i) {
    const auto& slot = arena.SlotAt(i);
    std::uint32_t word = slot.looker.Read();
    for (int looks = 0;; ++looks) {
      const bool is_taken = slot.occupied.load(std::memory_order_acquire);  // O1: what it left
      if (!is_taken || BasicLooker<>::HasNothing(word)) break;
      if (looks == Arena::kMostLooks) return false;
      Arena::Relax();
      word = slot.looker.Read();
    }
    *sum += word;
  }
  return true;
}

// Whether there is no task in the arena, and nobody there has one; false, too, if that is not
// sure.  Any thread, while nobody from outside puts anything there.  `Arena` is what it is about:
//
//   bool LooksBusy()   whether it has a task that can be taken
//   int UsedSlots()    all slots that are taken, or were, are below that
//   Slot& SlotAt(int)  has `looker` and `occupied`
//   Relax()            lets some time go by between two looks at a slot
//   kMostLooks         how often a slot, and then the whole arena, is looked at again
//
// A task may go from a thread that has not been looked at to one that has.  So there are two looks
// at all slots, and nobody has come meanwhile or looked again: between the two nobody had a task.
template <typename Atomics, typename Arena>
bool NobodyHasTasks(const Arena& arena) {
  std::uint64_t before = 0;
  if (arena.LooksBusy() || !OnlyLookersAreInside(arena, &before)) return false;
  for (int looks = 0; looks <= Arena::kMostLooks; ++looks) {
    if (arena.LooksBusy()) return false;
    // Who has taken the last task has said so before, and who has nothing has done all that it had.
    Atomics::SeqCstFence();  // O2: between the looks
    std::uint64_t after = 0;
    if (!OnlyLookersAreInside(arena, &after)) return false;
    if (after == before) return true;
    // Somebody may only have looked again.
    before = after;
  }
  return false;
}

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_LOOKER_H_
