// LoopParticipant: a thread's share in a shared loop, as RunShare (loop_share.h) sees it.
//
// Scheduler-internal.  The thread in the slot.
#ifndef FILCH_POOL_LOOP_PARTICIPANT_H_
#define FILCH_POOL_LOOP_PARTICIPANT_H_

#include <algorithm>
#include <cstdint>
#include <thread>
#include <utility>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/hand_over.h"
#include "filch/pool/loop_invitation.h"
#include "filch/pool/loop_kind.h"
#include "filch/pool/loop_parts.h"
#include "filch/pool/pace.h"
#include "filch/pool/shared_loop.h"
#include "filch/pool/slot.h"
#include "filch/pool/unit_batches.h"
#include "filch/pool/withholding.h"
#include "filch/topology/cpu_relax.h"
#include "filch/topology/tick_clock.h"

namespace filch {
namespace pool_internal {

class LoopParticipant {
 public:
  // That of the thread that made the loop: as SharedLoop::Participate.  Withholds the invitations
  // while the loop is young.
  LoopParticipant(SharedLoop& loop, Slot& slot, void* segment, SharedLoop::Mail* mail)
      : loop_(loop),
        slot_(slot),
        segment_(segment),
        mail_(mail),
        dealt_(false),
        withholding_(slot, loop.IsYoung() && !loop.HasNothingToShare()),
        invitations_(loop) {}
  // That of one that came.
  LoopParticipant(SharedLoop& loop, Slot& slot, SharedLoop::Arrival arrival)
      : loop_(loop),
        slot_(slot),
        segment_(nullptr),
        mail_(nullptr),
        dealt_(arrival == SharedLoop::Arrival::kDealt),
        withholding_(slot, false),
        invitations_(loop) {}

  bool IsCancelled() const { return loop_.context().IsCancelled(); }
  int Random(int n) { return slot_.Random(n); }
  void TakeInvitationsBack() { invitations_.TakeBack(slot_); }
  void AwaitGuests() { invitations_.AwaitGuests(slot_); }

  // Others may come, for what the thread has in its part, and for what it sends them.
  void Invite() noexcept {
    try {
      invitations_.KeepSomeOpen(slot_);
    } catch (...) {
      loop_.context().CaptureCurrentException();
    }
    mail_->Send();
    began_ = Ticks();
  }

  void Work(LoopParts::Part& part) noexcept {
    try {
      invitations_.KeepSomeOpen(slot_);
      RunUnits(part);
    } catch (...) {
      loop_.context().CaptureCurrentException();
    }
    segment_ = nullptr;
  }

  UnitInterval More() {
    if (mail_ == nullptr) return {};
    const std::uint64_t now = Ticks();
    const std::uint64_t elapsed = now - std::exchange(began_, now);
    if (!std::exchange(own_is_over_, true)) mail_->OwnIsOver(elapsed);
    UnitInterval units = mail_->TakeOwn();
    if (!units.empty()) return units;
    if (elapsed >= kHandOver) AwaitOthers();
    if (!mail_->IsDone()) units = mail_->TakeBack();
    if (units.empty()) AwaitOthers();
    return units;
  }

  // Those who are there have begun with what they were sent by then, and most likely have done it.
  void AwaitOthers() {
    if (!loop_.began_young() || std::exchange(waited_for_others_, true)) return;
    if (!AwaitBriefly([this] { return mail_->IsDone(); }) && !loop_.HasNothingToShare()) {
      while (loop_.IsYoung() && !mail_->IsDone()) CpuRelax();
    }
    withholding_.Release();
  }

  std::uint32_t LeastToSteal() const { return least_to_steal_; }
  // Who has left invitations out, or has taken one, is relied on: somebody may be stuck in a unit
  // until another one is run.  But not before those who are not stuck would be done.
  bool LetOthersFinish() {
    const std::uint64_t dear = loop_.body().kind().making_and_joining();
    if (__builtin_expect(dear == 0, 1)) return false;
    const std::uint64_t patience = std::min(WorthTaking(dear), kMostPatience);
    const std::uint64_t begin = Ticks();
    do {
      // What the thread has itself, if it is inside of a unit of this loop, waits for it.
      const std::uint32_t remaining = loop_.parts().MostRemaining(slot_.index);
      if (remaining >= least_to_steal_) return true;
      if (remaining == 0 || IsCancelled()) break;
      if (slot_.NeedsAttention()) Attend();
      std::this_thread::yield();
    } while (Ticks() - begin < patience);
    return false;
  }

  bool LooksNoFurther() const {
    if (mail_ != nullptr) return mail_->IsDone();
    return dealt_ && loop_.IsYoung() && !invitations_.any_offered();
  }
  bool OwesNoLook() const {
    // Who came came by the mail, and is gone, or by an invitation.
    if (mail_ != nullptr) return mail_->IsDone() && !invitations_.any_taken();
    return dealt_ && !invitations_.any_offered();
  }

 private:
  static constexpr std::uint32_t kMostUnits = std::uint32_t{1} << 30;
  // Where somebody is stuck he waits for so long: for bodies of some megabytes it is enough.
  static constexpr std::uint64_t kMostPatience = 5000000;

  // Half of the units that somebody has are taken: what it takes to have something of their own
  // made for them, and joined in the end, should be less than that.
  static std::uint64_t WorthTaking(std::uint64_t dear) { return kHandOver + 2 * dear; }
  static std::uint32_t UnitsIn(std::uint64_t ticks, const Pace& pace) {
    return static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(pace.UnitsIn(ticks), 1, kMostUnits));
  }

  UnitBatches BatchesOf(std::uint32_t units) const {
    const auto threads = static_cast<std::uint32_t>(slot_.concurrency);
    if (loop_.uneven()) return {units, threads, UnitBatches::kNeverGrow};
    // What is stolen is like what was there before: no need to begin with one unit again.
    const std::uint32_t least = handed_over_ / 4;
    // In a loop that began young what a thread has is its own, most likely to the end.
    if (loop_.began_young()) return {units, 1, 2, least};
    return {units, static_cast<std::uint32_t>(loop_.participants()), threads, least};
  }

  void Attend() {
    if (!loop_.IsYoung()) withholding_.Release();
    slot_.Attend();
  }

  void RunUnits(LoopParts::Part& part) {
    SharedLoop& loop = loop_;  // in registers
    Slot& slot = slot_;
    UnitBatches batches = BatchesOf(part.range.remaining());
    std::uint64_t started = batches.few() ? 0 : Ticks();
    for (;;) {
      if (part.range.remaining() > 1) invitations_.KeepSomeOpen(slot);
      if (slot.NeedsAttention()) Attend();
      const UnitInterval now = part.range.Claim(batches.Next(part.range.remaining()));
      if (now.empty() || loop.context().IsCancelled()) return;
      const bool begins = segment_ == nullptr;
      loop.body().Run(now, &segment_);
      if (batches.few()) continue;
      const std::uint64_t finished = Ticks();
      const std::uint64_t elapsed = finished - std::exchange(started, finished);
      const LoopKind& kind = loop.body().kind();
      // To make what the run needs, if anything was made, has taken an unknown part of that.
      if (__builtin_expect(begins && kind.making() != 0, 0)) continue;
      if (__builtin_expect(elapsed > LoopKind::kSurprise, 0) && batches.seem_short()) {
        loop.body().kind().WasUneven();
      }
      batches.Finished(now.size(), elapsed);
      const Pace pace{now.size(), elapsed};
      handed_over_ = UnitsIn(kHandOver, pace);
      least_to_steal_ = UnitsIn(WorthTaking(kind.making_and_joining()), pace);
    }
  }

  SharedLoop& loop_;
  Slot& slot_;
  void* segment_;
  SharedLoop::Mail* const mail_;  // or null
  const bool dealt_;              // its first units were sent to it
  std::uint64_t began_ = 0;       // with what it runs of its own, or got back
  // To fetch what takes less takes longer.  Where units take next to nothing, threads that were
  // done took ever smaller parts from each other for as long as one had done it all; where they
  // need bodies of some megabytes, for several times as long.
  std::uint32_t least_to_steal_ = 1;
  std::uint32_t handed_over_ = 1;  // so many are run while others are handed over
  bool own_is_over_ = false;
  bool waited_for_others_ = false;
  Withholding withholding_;
  LoopInvitations invitations_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_LOOP_PARTICIPANT_H_
