// WorkerSlots: which slots of an arena a worker may have, and which of them it tries first.
//
// The first ones are reserved for threads from outside; the others are for them and for
// workers, and for threads that help with what they wait for, as a worker would.  Where a worker is
// needed it may have more: the extra slot behind all others, while that is open (extra_slot.h), and
// where all are reserved, one of these.
//
// `Arena` says what is so at the moment:
//
//   bool NeedsWorker()     whether there are tasks for which a worker may have any slot
//   bool HasAbstainers()   whether a thread keeps its slot and does not help
//   bool ExtraIsOpen()     whether somebody may be in the extra slot
//   void MarkFull()        the next free slot is wanted (vacancy.h)
//
// Any thread.
// Memory ordering: none of its own; whoever finds no slot marks the arena as full and looks
// once more (W4 of README.md).
#ifndef FILCH_POOL_WORKER_SLOTS_H_
#define FILCH_POOL_WORKER_SLOTS_H_

namespace filch {
namespace pool_internal {

class WorkerSlots {
 public:
  // `count` slots and the extra one; `reserved` is at most `count`.
  WorkerSlots(int count, int reserved) : count_(count), reserved_(reserved) {}

  // Whether there are slots for workers even if none is needed.
  bool Any() const { return count_ > reserved_; }

  // The first of those, or where there are none, of those for one that is needed: not the
  // first of all, which may be the only one and which threads from outside take first.
  int First() const { return Any() ? reserved_ : 1; }

  // Offers the slots that a worker may have to take(index), until it takes one.  False: it
  // took none.  `preferred` comes first if it is for workers; -1: none does.
  template <typename Arena, typename Take>
  bool Offer(const Arena& arena, int preferred, const Take& take) const {
    if (preferred >= reserved_ && preferred < count_ && take(preferred)) return true;
    for (int i = reserved_; i < count_; ++i) {
      if (take(i)) return true;
    }
    if (!arena.NeedsWorker()) return false;
    // In place of a thread that keeps its slot.
    if (arena.HasAbstainers() && take(count_)) return true;
    if (!Any()) {
      // From the last one, which threads from outside take last.
      for (int i = count_ - 1; i >= First(); --i) {
        if (take(i)) return true;
      }
    }
    return arena.ExtraIsOpen() && take(count_);
  }

  // How many workers would get one of those that they may have even if none is needed; where
  // there are none of these, 1: one that is needed may come.
  template <typename IsFree>
  int CountFree(const IsFree& is_free) const {
    if (!Any()) return 1;
    int free = 0;
    for (int i = reserved_; i < count_; ++i) free += is_free(i) ? 1 : 0;
    return free;
  }

  // Whether one that would be offered is free; is_free(index) tells that of each.  If not,
  // the arena is marked as full, so whoever vacates one looks whether a worker is wanted.
  template <typename Arena, typename IsFree>
  bool AnyIsFree(Arena& arena, const IsFree& is_free) const {
    if (Offer(arena, -1, is_free)) return true;
    arena.MarkFull();
    return Offer(arena, -1, is_free);
  }

 private:
  const int count_;
  const int reserved_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_WORKER_SLOTS_H_
