// ArenaSlots: the slots of an arena, and which of them a thread that comes may have.
//
// The first ones are reserved for threads from outside; the others are for them and for workers
// (worker_slots.h).  Behind them is the extra one, for whoever is needed while nobody in the others
// could come (extra_slot.h).  Threads that find none wait for the next that becomes free
// (vacancy.h), and those in one that wait there and do not help are counted (abstainers.h).
//
// `Slot` has the atomic words `occupied` and `away`, `looker` (looker.h), and CheckProcess(), which
// ends a process whose slots nobody may have.  Where the tasks decide, `needs_worker()` says
// whether a worker is needed even where none has a slot of its own (Arena::NeedsWorker).
//
// Any thread.
// Memory ordering: who occupies a slot sees what its last occupant did there (O1).
#ifndef FILCH_POOL_ARENA_SLOTS_H_
#define FILCH_POOL_ARENA_SLOTS_H_

#include <atomic>

#include "filch/pool/absence.h"
#include "filch/pool/abstainers.h"
#include "filch/pool/extra_slot.h"
#include "filch/pool/slot_numbers.h"
#include "filch/pool/slot_scan.h"
#include "filch/pool/vacancy.h"
#include "filch/pool/worker_slots.h"
#include "filch/topology/cache_line.h"
#include "filch/topology/std_atomics.h"

namespace filch {
namespace pool_internal {

template <typename Slot, typename Atomics = StdAtomics>
class BasicArenaSlots {
 public:
  // `slots` has `count` slots and the extra one; of them `reserved`, at most `count`, are for
  // threads from outside.  `numbers_of_all` is about the arenas of the pool.
  BasicArenaSlots(Slot* slots, int count, int reserved, const SlotNumbers& numbers_of_all)
      : slots_(slots),
        count_(count),
        for_workers_(count, reserved),
        numbers_of_all_(numbers_of_all) {}
  BasicArenaSlots(const BasicArenaSlots&) = delete;
  BasicArenaSlots& operator=(const BasicArenaSlots&) = delete;

  // The extra one not counted, and counted.
  int count() const { return count_; }
  int count_with_extra() const { return count_ + 1; }
  Slot& operator[](int index) const { return slots_[index]; }
  Slot* begin() const { return slots_; }
  Slot* end() const { return slots_ + count_with_extra(); }

  // Those that were ever occupied or got mail: thieves look no further.
  BasicUsedSlots<Atomics>& used() { return used_; }
  const BasicUsedSlots<Atomics>& used() const { return used_; }

  // Whether there is a thread in it; in one of them, besides this one.  Hints.
  bool IsOccupied(int index) const {
    return slots_[index].occupied.load(std::memory_order_relaxed);  // O1: a hint
  }
  bool AnyIsOccupied(const Slot* but = nullptr) const {
    for (int i = 0; i < count_with_extra(); ++i) {
      if (IsOccupied(i) && &slots_[i] != but) return true;
    }
    return false;
  }

  // This slot, or null if it is taken.
  Slot* TryOccupy(int index) {
    Slot::CheckProcess();
    Slot& slot = slots_[index];
    if (IsOccupied(index) ||
        slot.occupied.exchange(true, std::memory_order_acquire)) {  // O1: the last occupant's state
      return nullptr;
    }
    slot.looker.Come();
    used_.Include(index);
    return &slot;
  }

  // A free slot for a thread from outside, or null: the arena is full.  Where a worker may
  // have the only slot, it is the extra one.
  Slot* OccupyFromOutside() {
    for (int i = 0; i < count_; ++i) {
      if (Slot* const slot = TryOccupy(i)) return slot;
    }
    // The only slot may be a worker's, and that be the only one of the pool: nobody would
    // be left for what the thread enqueues and waits for.
    return count_ == 1 && for_workers_.Any() ? TryOccupyExtra() : nullptr;
  }
  // As OccupyFromOutside for a thread whose function nobody inside has begun with: the extra
  // slot only while all threads inside are away, and in an arena of several slots only if
  // nobody counts on their number.
  Slot* OccupyToDelegate() {
    if (Slot* const slot = OccupyFromOutside()) return slot;
    return OneMoreMayCome(slots_, count_, CountedOn{*this}) ? TryOccupyExtra() : nullptr;
  }
  // Whether programs run there what must not run at the same time: no worker may have the only
  // slot, and somebody counts on there being one.  Then the extra one is for what is enqueued and
  // delegated, and what that spawns, or in place of a thread that does not run what there is: it
  // waits and does not help, or is away.
  bool IsSerial() const { return count_ == 1 && !for_workers_.Any() && numbers_.AreCountedOn(); }

  // A free slot for a thread that waits for something in the arena, in place of a worker: one
  // that a worker may have, or the extra one if that is open.  What it runs there may wait for
  // a thread that wants to come in, and has a reserved slot for that; or, if the arena is serial,
  // somebody comes to the extra one for what that thread delegates.
  Slot* OccupyToHelp() {
    for (int i = FirstToHelp(); i < count_; ++i) {
      if (Slot* const slot = TryOccupy(i)) return slot;
    }
    return ExtraIsOpenToHelp() ? TryOccupyExtra() : nullptr;
  }
  // Whether it would find one now.
  bool HasSlotToHelp() const {
    const int count = ExtraIsOpenToHelp() ? count_with_extra() : count_;
    return HasFreeSlot(slots_, FirstToHelp(), count);
  }
  // A free slot for a worker, or null; `preferred` if it is one of those, -1: none is.
  template <typename NeedsWorker>
  Slot* OccupyAsWorker(int preferred, const NeedsWorker& needs_worker) {
    Slot* slot = nullptr;
    for_workers_.Offer(Openings<NeedsWorker>{*this, needs_worker}, preferred,
                       [&](int i) { return (slot = TryOccupy(i)) != nullptr; });
    return slot;
  }
  // A slot for QueueGuard, the extra one if there is no other; null if there is none,
  // or somebody counts on that.
  template <typename NeedsWorker>
  Slot* OccupyAsGuard(const NeedsWorker& needs_worker) {
    if (Slot* const slot = OccupyAsWorker(-1, needs_worker)) return slot;
    return count_ > 1 && AreCountedOn() ? nullptr : TryOccupyExtra();
  }

  // Whether there are slots that a worker may have even if none is needed.
  bool HasWorkerSlots() const { return for_workers_.Any(); }
  // How many workers would get one of those; a hint.
  int FreeWorkerSlots() const {
    return for_workers_.CountFree([this](int i) { return IsFree(i); });
  }
  // Whether OccupyAsWorker would give a slot.  If not, whoever vacates one calls for a worker.
  template <typename NeedsWorker>
  bool HasSlotForWorker(const NeedsWorker& needs_worker) {
    Openings<NeedsWorker> openings{*this, needs_worker};
    return for_workers_.AnyIsFree(openings, [this](int i) { return IsFree(i); });
  }

  // Whether the extra slot may be taken for tasks that need somebody: always in an
  // arena of one slot, and in others only in place of a thread that waits and does not
  // help, or while all threads inside are away and nobody counts on the number of slots.
  bool ExtraIsOpen() const {
    return pool_internal::ExtraIsOpen(slots_, count_, abstainers_, CountedOn{*this});
  }
  // Whether a worker has the extra slot in `slot`, and what opened that is over: a worker
  // could have another one, or one of the threads in these can be called.
  bool IsSuperfluous(const Slot& slot) const {
    return pool_internal::IsSuperfluous(slot.index, slots_, count_, for_workers_.First(),
                                        abstainers_, CountedOn{*this});
  }

  // Whether somebody counts on the number of slots, here or in all arenas of the pool.
  SlotNumbers& numbers() { return numbers_; }

  BasicAbstainers<Atomics>& abstainers() { return abstainers_; }
  const BasicAbstainers<Atomics>& abstainers() const { return abstainers_; }
  // Threads that wait for a free slot count as seekers and park under this key.
  BasicVacancy<Atomics>& vacancy() { return vacancy_; }
  const void* vacancy_key() const { return &vacancy_; }

 private:
  // What extra_slot.h asks.
  struct CountedOn {
    const BasicArenaSlots& slots;
    bool operator()() const { return slots.AreCountedOn(); }
  };
  // What worker_slots.h asks.
  template <typename IsNeeded>
  struct Openings {
    BasicArenaSlots& slots;
    const IsNeeded& is_needed;
    bool NeedsWorker() const { return is_needed(); }
    bool HasAbstainers() const { return slots.abstainers_.Any(); }
    bool ExtraIsOpen() const { return slots.ExtraIsOpen(); }
    void MarkFull() { slots.vacancy_.MarkFull(); }
  };

  int FirstToHelp() const { return IsSerial() ? 0 : for_workers_.First(); }
  bool ExtraIsOpenToHelp() const {
    return IsSerial() ? abstainers_.Any() || IsAway(slots_[0]) : ExtraIsOpen();
  }
  bool IsFree(int index) const { return HasFreeSlot(slots_, index, index + 1); }
  Slot* TryOccupyExtra() { return TryOccupy(count_); }

  bool AreCountedOn() const { return numbers_.AreCountedOn() || numbers_of_all_.AreCountedOn(); }

  Slot* const slots_;
  const int count_;
  const WorkerSlots for_workers_;
  const SlotNumbers& numbers_of_all_;
  SlotNumbers numbers_;
  BasicUsedSlots<Atomics> used_;
  // Thieves read the former again and again, and hardly anybody writes them.
  alignas(kCacheLineSize) BasicVacancy<Atomics> vacancy_;
  BasicAbstainers<Atomics> abstainers_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_ARENA_SLOTS_H_
