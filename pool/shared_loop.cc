#include "filch/pool/shared_loop.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "filch/partitioner/batch_size.h"
#include "filch/pool/join.h"
#include "filch/pool/task.h"
#include "filch/topology/std_atomics.h"
#include "filch/topology/tick_clock.h"

namespace filch {
namespace pool_internal {
namespace {

// A batch of units should last this long: short enough that a thief is served
// soon, long enough that claiming and timing it cost about one percent.
constexpr std::uint64_t kBatchTicks = 2000;
// Below this a batch is hardly longer than claiming and timing it, and a thief
// could not have come in time: the next one is larger however little is left.
constexpr std::uint64_t kShortTicks = 250;
// So few units are claimed one by one, which costs less than timing them.
constexpr std::uint32_t kFewUnits = 16;

// A task that brings whoever steals it into the loop.
class Invitation final : public JoinTask {
 public:
  explicit Invitation(SharedLoop& loop)
      : JoinTask(&Invitation::Accept, &loop.context()), loop_(loop) {}
  ~Invitation() = default;

  // Not in the deque, and nobody is in the loop because of it.
  bool free() const { return !offered_ || complete(); }

  // Leaves it in the deque.  Only while it is free.
  void Offer(Slot& slot) {
    Renew();
    offered_ = true;
    index_ = slot.deque.bottom();
    loop_.CountOpen(1);
    try {
      slot.Spawn(*this);
    } catch (...) {  // std::bad_alloc: nobody will ever take it
      loop_.CountOpen(-1);
      offered_ = false;
      throw;
    }
  }

  // Takes it back, or waits for the one who took it.
  void Retract(Slot& slot) {
    if (free()) return;
    if (slot.deque.TryPopAt(index_) || FinishJoin(slot, *this)) loop_.CountOpen(-1);
  }

 private:
  static Task* Accept(Task& task, Execution& execution) noexcept;

  SharedLoop& loop_;
  bool offered_ = false;
  std::int64_t index_ = 0;
};

// A participant's invitations: nearly always the one at hand is enough.
class Invitations {
 public:
  explicit Invitations(SharedLoop& loop) : loop_(loop), first_(loop) {}

  // Leaves an invitation in the deque if there is none in the whole loop.
  //
  // Whoever has published units calls it after a fence.  So as long as there are
  // units that nobody has claimed, there is an open invitation, or a thread that
  // is about to leave one: the thread that took the last one either finds units,
  // publishes them and comes here, or all units were claimed or on their way to
  // somebody who will come here.  Whoever takes an invitation back looks for units
  // once more (TakePart).  It takes no help of the others, who may all be
  // stuck in their units.
  void KeepOneOpen(Slot& slot) {
    if (loop_.open() > 0) return;
    if (first_.free()) return first_.Offer(slot);
    for (const auto& invitation : more_) {
      if (invitation->free()) return invitation->Offer(slot);
    }
    more_.push_back(std::make_unique<Invitation>(loop_));
    more_.back()->Offer(slot);
  }

  // The newest first, as they lie in the deque.
  void Retract(Slot& slot) {
    for (auto invitation = more_.rbegin(); invitation != more_.rend(); ++invitation) {
      (*invitation)->Retract(slot);
    }
    first_.Retract(slot);
  }

 private:
  SharedLoop& loop_;
  Invitation first_;
  std::vector<std::unique_ptr<Invitation>> more_;
};

// Runs `units`, held in `part`, and then what can be stolen, until that is
// nothing; leaves no invitation behind.  `segment` belongs to the units before
// `units`.
void RunShare(SharedLoop& loop, Slot& slot, LoopPart& part, UnitInterval units,
              void* segment) noexcept {
  Invitations invitations(loop);
  part.busy = true;
  try {
    while (!units.empty()) {
      const bool few = units.size() <= kFewUnits;
      part.range.Reset(units);
      StdAtomics::SeqCstFence();  // L3: the units are visible, or the taker's count is
      invitations.KeepOneOpen(slot);
      BatchSize batch(static_cast<std::uint32_t>(loop.participants()), kBatchTicks);
      std::uint32_t least = 1;
      std::uint64_t started = few ? 0 : Ticks();
      for (;;) {
        if (part.range.remaining() > 1) invitations.KeepOneOpen(slot);
        if (slot.NeedsAttention()) slot.Attend();
        const UnitInterval now =
            part.range.Claim(few ? 1 : std::max(batch.Next(part.range.remaining()), least));
        if (now.empty() || loop.context().IsCancelled()) break;
        loop.body().Run(now, &segment);
        if (few) continue;
        const std::uint64_t finished = Ticks();
        batch.Finished(now.size(), finished - started);
        least = finished - started < kShortTicks ? 2 * now.size() : 1;
        started = finished;
      }
      if (loop.context().IsCancelled()) break;
      units = loop.StealFor(slot);
      segment = nullptr;
    }
  } catch (...) {
    loop.context().CaptureCurrentException();
  }
  part.range.Claim(kAllUnits);  // what a cancelled loop leaves is dropped
  part.busy = false;
  invitations.Retract(slot);
}

// One thread's share in the loop, beginning with `units`, held in `part`.
void TakePart(SharedLoop& loop, Slot& slot, LoopPart& part, UnitInterval units,
              void* segment) noexcept {
  for (;;) {
    RunShare(loop, slot, part, units, std::exchange(segment, nullptr));
    // Alone in the loop: nobody has units.
    if (loop.participants() == 1 || loop.context().IsCancelled()) return;
    // A thread that was about to publish units may have relied on an invitation
    // that was taken back.
    StdAtomics::SeqCstFence();  // L3: it sees that there is none, or we its units
    units = loop.StealFor(slot);
    if (units.empty()) return;
  }
}

Task* Invitation::Accept(Task& task, Execution& execution) noexcept {
  auto& self = static_cast<Invitation&>(task);
  SharedLoop& loop = self.loop_;
  Slot& slot = execution.slot;
  self.NoteThief(slot);
  loop.CountOpen(-1);
  StdAtomics::SeqCstFence();  // L3: the count is visible, or the units are
  if (!execution.cancelled) {
    const UnitInterval units = loop.StealFor(slot);
    // If there are none, everything is claimed; see KeepOneOpen.
    if (!units.empty()) loop.Accept(slot, units);
  }
  self.Complete(false);
  return nullptr;
}

}  // namespace

void SharedLoop::Participate(Slot& slot, UnitInterval units, void* segment) noexcept {
  TakePart(*this, slot, PartOf(slot), units, segment);
}

void SharedLoop::Accept(Slot& slot, UnitInterval units) noexcept {
  CountParticipant();
  LoopPart& part = PartOf(slot);
  if (part.busy) {
    // The thread waits inside a unit of this very loop: nobody sees what it
    // holds now, but it gets done.
    LoopPart hidden;
    TakePart(*this, slot, hidden, units, nullptr);
  } else {
    Publish(slot);
    TakePart(*this, slot, part, units, nullptr);
  }
}

}  // namespace pool_internal
}  // namespace filch
