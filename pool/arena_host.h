// Arena::Host: an arena as the idle protocol sees it (idle_protocol.h, absence.h, vacancy.h).
//
// Scheduler-internal; a part of arena.cc.  Any thread.
#ifndef FILCH_POOL_ARENA_HOST_H_
#define FILCH_POOL_ARENA_HOST_H_

#include <cstdint>

#include "filch/pool/arena.h"
#include "filch/pool/caller.h"
#include "filch/pool/recruiter.h"
#include "filch/pool/slot.h"
#include "filch/pool/slot_scan.h"
#include "filch/pool/wait_table.h"

namespace filch {

// On behalf of the thread in `slot`; null for one that only notifies.
class Arena::Host {
 public:
  using Caller = pool_internal::Caller;

  Host(Arena& arena, Slot* slot)
      : Host(arena, slot, slot != nullptr ? Caller::kWorksOn : Caller::kHandsOver) {}
  Host(Arena& arena, Slot* slot, Caller caller) : arena_(arena), slot_(slot), caller_(caller) {}

  bool HasQueued() const { return arena_.HasQueued(); }
  bool CouldCome() const { return arena_.recruiter_.CouldCome(arena_) || !arena_.waiters_.Empty(); }
  bool CanCall() const { return arena_.recruiter_.CanCall(arena_); }
  void Recruit(std::uint32_t most = 1) { arena_.recruiter_.Recruit(arena_, most, caller_); }
  void RecruitLater() {
    if (!IsWanted()) Recruit();
  }
  bool HasSlotForWorker() { return arena_.HasSlotForWorker(); }
  bool IsWanted() const { return arena_.wanted_.IsSet(); }
  bool IsComing() const { return arena_.wanted_.IsComing(); }
  bool MayHaveWork() const { return arena_.MayWantWorkers(); }
  void AnswerNote() { arena_.wanted_.AnswerNote(); }
  void ShowNote() { arena_.recruiter_.ShowNote(arena_); }
  bool HasToShare() const { return HasTasks(*slot_); }
  void Expose() { slot_->deque.Expose(); }
  bool SeesShared() const {
    return !arena_.set_aside_.Empty() ||
           pool_internal::AnyIsShared(arena_.slots_.begin(), arena_.slots_.used().Hint());
  }
  bool ScanDeques() {
    // What a thief is about to set aside is in neither: it calls somebody then.
    return !arena_.set_aside_.Empty() ||
           pool_internal::ScanSlots(arena_.slots_.begin(), arena_.slots_.used().Count(), slot_);
  }
  void WakeSeekers() { pool_internal::GlobalWaitTable().WakeAll(arena_.slots_.vacancy_key()); }
  bool NeedsSomebody() const {
    return arena_.NeedsWorker() || arena_.slots_.vacancy().HasSeekers();
  }
  bool ExtraIsOpen() const { return arena_.slots_.ExtraIsOpen(); }
  void CallSomebody() {
    if (arena_.NeedsWorker()) Recruit();
    if (arena_.slots_.vacancy().HasSeekers()) WakeSeekers();
  }

 private:
  Arena& arena_;
  Slot* const slot_;
  const Caller caller_;
};

}  // namespace filch

#endif  // FILCH_POOL_ARENA_HOST_H_
