// UsedSlots, AnyIsShared and ScanSlots: the last look of a searcher before it sleeps.
//
// Thieves and scans look only at slots that were ever occupied or sent mail to.
// What the scan finds decides over sleeping; so, like idle_protocol.h, it is free
// of tasks and threads, for a model checker.
//
// Any thread.
// Memory ordering: a slot counts as used before anything is put into it, and a
// scan that follows NeedWake::Ask sees it (W1).
#ifndef FILCH_POOL_SLOT_SCAN_H_
#define FILCH_POOL_SLOT_SCAN_H_

#include <algorithm>
#include <atomic>

#include "filch/topology/std_atomics.h"

namespace filch {
namespace pool_internal {

template <typename Atomics = StdAtomics>
class BasicUsedSlots {
 public:
  // Slot `index` is used from now on.
  void Include(int index) {
    int used = count_.load(std::memory_order_relaxed);
    while (used <= index &&
           !count_.compare_exchange_weak(used, index + 1, std::memory_order_seq_cst,  // W1: first
                                         std::memory_order_relaxed)) {
    }
  }
  // One past the highest one, for a scan that decides over sleeping.
  int Count() const {
    return count_.load(std::memory_order_seq_cst);  // W1: after need_wake
  }
  // The same as a hint.
  int Hint() const { return count_.load(std::memory_order_relaxed); }  // W1: a hint

 private:
  typename Atomics::template Atomic<int> count_{0};
};

// Whether a thief could take something at once from the first `used` slots; a hint.
template <typename Slot>
bool AnyIsShared(const Slot* slots, int used) {
  return std::any_of(slots, slots + used, [](const Slot& victim) {
    if (victim.deque.HasShared()) return true;
    // Mail waits for a thread that is there.
    return !victim.mailbox.Empty() &&
           !victim.occupied.load(std::memory_order_relaxed);  // O1: a hint
  });
}

// Whether a thief could find something in the first `used` slots; makes private
// work stealable if that is all there is.  The thread in `self`; null: one in no slot.
template <typename Slot>
bool ScanSlots(Slot* slots, int used, Slot* self) {
  using Contents = typename decltype(self->deque)::Contents;
  for (int i = 0; i < used; ++i) {
    Slot& victim = slots[i];
    if (!victim.mailbox.Empty()) return true;
    switch (victim.deque.Inspect()) {
      case Contents::kEmpty:
        break;
      case Contents::kShared:
        return true;
      case Contents::kPrivateOnly:
        // The owner did not answer while we searched: its current task is long,
        // or it waits for what it has pushed.
        if (&victim == self) return true;
        if (victim.deque.ForceExposure()) {
          if (self != nullptr) self->stats.forced.Increment();
          return true;
        }
        // The owner has shared it or taken it meanwhile, and did not need to tell
        // anybody who was seen to search; the deque's lock has shown us what it did.
        if (victim.deque.Inspect() != Contents::kEmpty) return true;
        break;
    }
  }
  return false;
}

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_SLOT_SCAN_H_
