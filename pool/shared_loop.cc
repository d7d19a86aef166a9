#include "filch/pool/shared_loop.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "filch/partitioner/batch_size.h"
#include "filch/pool/hand_over.h"
#include "filch/pool/join.h"
#include "filch/pool/loop_kind.h"
#include "filch/pool/loop_share.h"
#include "filch/pool/task.h"
#include "filch/pool/withholding.h"
#include "filch/topology/cpu_relax.h"
#include "filch/topology/tick_clock.h"

namespace filch {
namespace pool_internal {
namespace {

// A batch of units should last this long, some microseconds: short enough that a thief is
// served soon, long enough that claiming and timing it cost less than one percent.  With a
// quarter of it, bodies of 1 us took 2 to 3 percent longer (two virtual Intel Xeon
// processors, 2026-11-22).
constexpr std::uint64_t kBatchTicks = 8000;
// Below this the next batch is larger, however little is left: a thief could hardly have
// come in time, and loops of 20 us consisted of a hundred batches, which took a tenth of
// their time.
constexpr std::uint64_t kShortTicks = 2000;
// But no larger than a part of what a thread has: who has seen only short units may meet long
// ones, of which the others can only have what has not been claimed.
constexpr std::uint32_t kPartsPerThread = 2;
// A loop is young for so long: others have come for what they were sent, and not found more.
constexpr std::uint64_t kYoung = 5000;
constexpr std::uint32_t kMostUnits = std::uint32_t{1} << 30;
// So few units are claimed one by one, which costs less than timing them.
constexpr std::uint32_t kFewUnits = 16;

// A task that brings whoever steals it into the loop.
class Invitation final : public JoinTask {
 public:
  explicit Invitation(SharedLoop& loop)
      : JoinTask(&Invitation::Accept, &loop.context()), loop_(loop) {}
  ~Invitation() = default;

  // That its thread has offered before it.
  Invitation* older = nullptr;

  // Not in the deque, and nobody is in the loop because of it.
  bool free() const { return state_ == State::kHere || complete(); }
  // While it is free: whether somebody has come by it.
  bool was_taken() const { return state_ != State::kHere; }

  // Leaves it in the deque.  Only while it is free.
  void Offer(Slot& slot) {
    Renew();
    state_ = State::kOffered;
    loop_.parts().CountInvitation();
    try {
      slot.Spawn(*this);
    } catch (...) {  // std::bad_alloc: nobody will ever take it
      loop_.parts().CountTaken();
      state_ = State::kHere;
      throw;
    }
  }

  // Takes it back if nobody has taken it; whether it is back.
  bool TakeBack(Slot& slot) {
    if (state_ != State::kOffered || complete()) return false;
    if (slot.deque.TryPop(this) || TakeBackJoin(slot, *this)) {
      loop_.parts().CountTaken();
      state_ = State::kHere;
      return true;
    }
    state_ = State::kOut;
    return false;
  }

  // Waits for the guest who took it.  After TakeBack.
  void AwaitGuest(Slot& slot) {
    if (!free()) AwaitPeer(slot, *this);
  }

 private:
  enum class State { kHere, kOffered, kOut };

  static Task* Accept(Task& task, Execution& execution) noexcept;

  SharedLoop& loop_;
  State state_ = State::kHere;
};

// A participant's invitations: with few threads nearly always the one at hand is enough.
class Invitations {
 public:
  explicit Invitations(SharedLoop& loop) : loop_(loop), first_(loop) {}

  // Leaves an invitation in the deque if there are too few in the whole loop.
  void KeepSomeOpen(Slot& slot) {
    if (loop_.HasNothingToShare()) return;
    if (loop_.parts().open_invitations() >= Wanted(slot)) return;
    Invitation& invitation = FreeOne();
    for (Invitation** at = &newest_; *at != nullptr; at = &(*at)->older) {
      if (*at != &invitation) continue;
      *at = invitation.older;
      break;
    }
    invitation.older = std::exchange(newest_, &invitation);
    any_taken_ |= invitation.was_taken();
    any_offered_ = true;
    invitation.Offer(slot);
  }

  // The newest first, as they lie in the deque.
  void TakeBack(Slot& slot) {
    while (newest_ != nullptr) {
      Invitation* const invitation = std::exchange(newest_, newest_->older);
      invitation->older = nullptr;
      any_taken_ |= !invitation->TakeBack(slot);
    }
  }
  bool any_offered() const { return any_offered_; }
  // As far as the participant knows; when all are taken back, it does.
  bool any_taken() const { return any_taken_; }
  void AwaitGuests(Slot& slot) {
    for (const auto& invitation : more_) invitation->AwaitGuest(slot);
    first_.AwaitGuest(slot);
  }

 private:
  // Two for each participant, who may just have come because of a call and pass it on to two;
  // but no more than can still come, and one at least.
  int Wanted(const Slot& slot) const {
    if (loop_.began_young()) return 1;  // most of those who could come are there
    const int inside = loop_.participants();
    return std::max(1, std::min(2 * inside, slot.concurrency - inside));
  }

  Invitation& FreeOne() {
    if (first_.free()) return first_;
    for (const auto& invitation : more_) {
      if (invitation->free()) return *invitation;
    }
    more_.push_back(std::make_unique<Invitation>(loop_));
    return *more_.back();
  }

  SharedLoop& loop_;
  Invitation first_;
  std::vector<std::unique_ptr<Invitation>> more_;
  // Of those that were offered since the last TakeBack.
  Invitation* newest_ = nullptr;
  bool any_offered_ = false;
  bool any_taken_ = false;
};

// The thread of RunShare.
class Participant {
 public:
  // `segment` belongs to the units before the first ones; `dealt`: those were sent here;
  // `withholds`: the invitations, while the loop is young.
  Participant(SharedLoop& loop, Slot& slot, void* segment, SharedLoop::Mail* mail, bool dealt,
              bool withholds)
      : loop_(loop),
        slot_(slot),
        segment_(segment),
        mail_(mail),
        dealt_(dealt),
        withholding_(slot, withholds),
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
  void RunUnits(LoopParts::Part& part) {
    SharedLoop& loop = loop_;  // in registers
    Slot& slot = slot_;
    const std::uint32_t units = part.range.remaining();
    const bool few = units <= kFewUnits;
    const auto threads = static_cast<std::uint32_t>(slot.concurrency);
    const bool uneven = loop.uneven();
    // In a loop that began young what a thread has is its own, most likely to the end.
    const bool own = loop.began_young();
    const auto sharers = own ? 1 : static_cast<std::uint32_t>(loop.participants());
    BatchSize batch(uneven ? threads : sharers, kBatchTicks);
    // Where nothing is known of what is to come, short batches grow up to this.
    const std::uint32_t most = uneven ? 1 : units / (kPartsPerThread * (own ? 2 : threads)) + 1;
    // What is stolen is like what was there before: no need to begin with one unit again.
    std::uint32_t least = std::clamp(least_to_steal_ / 4, 1u, most);
    std::uint64_t started = few ? 0 : Ticks();
    for (;;) {
      if (part.range.remaining() > 1) invitations_.KeepSomeOpen(slot);
      if (slot.NeedsAttention()) {
        if (!loop.IsYoung()) withholding_.Release();
        slot.Attend();
      }
      const UnitInterval now =
          part.range.Claim(few ? 1 : std::max(batch.Next(part.range.remaining()), least));
      if (now.empty() || loop.context().IsCancelled()) return;
      loop.body().Run(now, &segment_);
      if (few) continue;
      const std::uint64_t finished = Ticks();
      const std::uint64_t elapsed = finished - started;
      started = finished;
      batch.Finished(now.size(), elapsed);
      if (__builtin_expect(elapsed > LoopKind::kSurprise, 0) && least > 1) {
        loop.body().kind().WasUneven();
      }
      least = elapsed < kShortTicks ? std::min(2 * now.size(), most) : 1;
      const std::uint64_t worth = now.size() * kHandOver / std::max<std::uint64_t>(elapsed, 1);
      least_to_steal_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(worth, 1, kMostUnits));
    }
  }

  SharedLoop& loop_;
  Slot& slot_;
  void* segment_;
  SharedLoop::Mail* const mail_;  // or null
  const bool dealt_;
  std::uint64_t began_ = 0;  // with what it runs of its own, or got back
  // To fetch what takes less takes longer.  Where units take next to nothing, threads that were
  // done took ever smaller parts from each other for as long as one had done it all.
  std::uint32_t least_to_steal_ = 1;
  bool own_is_over_ = false;
  bool waited_for_others_ = false;
  Withholding withholding_;
  Invitations invitations_;
};

void TakePart(SharedLoop& loop, Slot& slot, LoopParts::Part& part, UnitInterval units,
              bool dealt) noexcept {
  Participant participant(loop, slot, nullptr, nullptr, dealt, false);
  RunShare(loop.parts(), part, units, participant);
}

Task* Invitation::Accept(Task& task, Execution& execution) noexcept {
  auto& self = static_cast<Invitation&>(task);
  SharedLoop& loop = self.loop_;
  Slot& slot = execution.slot;
  self.RunForOwner(slot, [&] {
    loop.parts().CountTaken();
    if (execution.cancelled) return;
    const UnitInterval units = loop.parts().StealAfterTaking([&](int n) { return slot.Random(n); });
    if (!units.empty()) loop.Accept(slot, units);
  });
  return nullptr;
}

}  // namespace

void SharedLoop::BeginYoung(bool for_good) {
  young_until_ = for_good ? kForGood : Ticks() + kYoung;
}

void SharedLoop::Participate(Slot& slot, UnitInterval units, void* segment, Mail* mail) noexcept {
  const bool withholds = IsYoung() && !HasNothingToShare();
  Participant participant(*this, slot, segment, mail, false, withholds);
  if (mail != nullptr) participant.Invite();
  RunShare(parts_, parts_.at(slot.index), units, participant);
  // Of a cancelled loop nobody need run it.
  while (mail != nullptr && context_.IsCancelled() && !mail->TakeBack().empty()) {
  }
}

void SharedLoop::Accept(Slot& slot, UnitInterval units) noexcept {
  participants_.fetch_add(1, std::memory_order_relaxed);  // L1: a hint
  Join(slot, units, false);
  participants_.fetch_sub(1, std::memory_order_relaxed);  // L1: a hint
}

void SharedLoop::AcceptDealt(Slot& slot, UnitInterval units) noexcept {
  // Nothing that others could take: for this the thread's part need not come into its cache.
  if (units.size() == 1 && began_young()) {
    RunOne(units);
    if (IsYoung()) return;
    units = parts_.Steal([&](int n) { return slot.Random(n); });
    if (units.empty()) return;
  }
  Join(slot, units, true);
}

void SharedLoop::RunOne(UnitInterval unit) noexcept {
  try {
    void* segment = nullptr;
    body_.Run(unit, &segment);
  } catch (...) {
    context_.CaptureCurrentException();
  }
}

void SharedLoop::Join(Slot& slot, UnitInterval units, bool dealt) noexcept {
  LoopParts::Part& part = parts_.at(slot.index);
  if (part.busy) {
    // The thread waits inside a unit of this very loop: nobody sees what it
    // holds now, but it gets done.
    LoopParts::Part hidden;
    TakePart(*this, slot, hidden, units, dealt);
  } else {
    parts_.Publish(slot.index);
    TakePart(*this, slot, part, units, dealt);
  }
}

}  // namespace pool_internal
}  // namespace filch
