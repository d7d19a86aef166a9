#include "filch/pool/shared_loop.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "filch/partitioner/batch_size.h"
#include "filch/pool/join.h"
#include "filch/pool/loop_kind.h"
#include "filch/pool/loop_share.h"
#include "filch/pool/task.h"
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

  // Takes it back if nobody has taken it.
  void TakeBack(Slot& slot) {
    if (state_ != State::kOffered || complete()) return;
    if (slot.deque.TryPop(this) || TakeBackJoin(slot, *this)) {
      loop_.parts().CountTaken();
      state_ = State::kHere;
    } else {
      state_ = State::kOut;
    }
  }

  // Waits for the guest who took it.  After TakeBack.
  void AwaitGuest(Slot& slot) {
    if (!free()) AwaitJoin(slot, *this);
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
    if (loop_.parts().open_invitations() >= Wanted(slot)) return;
    Invitation& invitation = FreeOne();
    for (Invitation** at = &newest_; *at != nullptr; at = &(*at)->older) {
      if (*at != &invitation) continue;
      *at = invitation.older;
      break;
    }
    invitation.older = std::exchange(newest_, &invitation);
    invitation.Offer(slot);
  }

  // The newest first, as they lie in the deque.
  void TakeBack(Slot& slot) {
    while (newest_ != nullptr) {
      Invitation* const invitation = std::exchange(newest_, newest_->older);
      invitation->older = nullptr;
      invitation->TakeBack(slot);
    }
  }
  void AwaitGuests(Slot& slot) {
    for (const auto& invitation : more_) invitation->AwaitGuest(slot);
    first_.AwaitGuest(slot);
  }

 private:
  // Two for each participant, who may just have come because of a call and pass it on to two;
  // but no more than can still come, and one at least.
  int Wanted(const Slot& slot) const {
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
};

// The thread of RunShare.
class Participant {
 public:
  // `segment` belongs to the units before the first ones.
  Participant(SharedLoop& loop, Slot& slot, void* segment)
      : loop_(loop), slot_(slot), segment_(segment), invitations_(loop) {}

  bool IsCancelled() const { return loop_.context().IsCancelled(); }
  int Random(int n) { return static_cast<int>(slot_.Random(static_cast<std::uint32_t>(n))); }
  void TakeInvitationsBack() { invitations_.TakeBack(slot_); }
  void AwaitGuests() { invitations_.AwaitGuests(slot_); }

  void Work(LoopParts::Part& part) noexcept {
    try {
      invitations_.KeepSomeOpen(slot_);
      RunUnits(part);
    } catch (...) {
      loop_.context().CaptureCurrentException();
    }
    segment_ = nullptr;
  }

 private:
  void RunUnits(LoopParts::Part& part) {
    SharedLoop& loop = loop_;  // in registers
    Slot& slot = slot_;
    const std::uint32_t units = part.range.remaining();
    const bool few = units <= kFewUnits;
    const auto threads = static_cast<std::uint32_t>(slot.concurrency);
    const bool uneven = loop.uneven();
    BatchSize batch(uneven ? threads : static_cast<std::uint32_t>(loop.participants()),
                    kBatchTicks);
    // Where nothing is known of what is to come, short batches grow up to this.
    const std::uint32_t most = uneven ? 1 : units / (kPartsPerThread * threads) + 1;
    std::uint32_t least = 1;
    std::uint64_t started = few ? 0 : Ticks();
    for (;;) {
      if (part.range.remaining() > 1) invitations_.KeepSomeOpen(slot);
      if (slot.NeedsAttention()) slot.Attend();
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
    }
  }

  SharedLoop& loop_;
  Slot& slot_;
  void* segment_;
  Invitations invitations_;
};

void TakePart(SharedLoop& loop, Slot& slot, LoopParts::Part& part, UnitInterval units,
              void* segment) noexcept {
  Participant participant(loop, slot, segment);
  RunShare(loop.parts(), part, units, participant);
}

Task* Invitation::Accept(Task& task, Execution& execution) noexcept {
  auto& self = static_cast<Invitation&>(task);
  SharedLoop& loop = self.loop_;
  Slot& slot = execution.slot;
  self.RunAsThief(slot, [&] {
    loop.parts().CountTaken();
    if (execution.cancelled) return;
    const UnitInterval units = loop.parts().StealAfterTaking(
        [&](int n) { return static_cast<int>(slot.Random(static_cast<std::uint32_t>(n))); });
    if (!units.empty()) loop.Accept(slot, units);
  });
  return nullptr;
}

}  // namespace

void SharedLoop::Participate(Slot& slot, UnitInterval units, void* segment) noexcept {
  TakePart(*this, slot, parts_.at(slot.index), units, segment);
}

void SharedLoop::Accept(Slot& slot, UnitInterval units) noexcept {
  participants_.fetch_add(1, std::memory_order_relaxed);  // L1: a hint
  LoopParts::Part& part = parts_.at(slot.index);
  if (part.busy) {
    // The thread waits inside a unit of this very loop: nobody sees what it
    // holds now, but it gets done.
    LoopParts::Part hidden;
    TakePart(*this, slot, hidden, units, nullptr);
  } else {
    parts_.Publish(slot.index);
    TakePart(*this, slot, part, units, nullptr);
  }
  participants_.fetch_sub(1, std::memory_order_relaxed);  // L1: a hint
}

void SharedLoop::RunOne(UnitInterval unit) noexcept {
  if (context_.IsCancelled()) return;
  try {
    void* segment = nullptr;
    body_.Run(unit, &segment);
  } catch (...) {
    context_.CaptureCurrentException();
  }
}

}  // namespace pool_internal
}  // namespace filch
