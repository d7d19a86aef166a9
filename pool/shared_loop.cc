#include "filch/pool/shared_loop.h"

#include <cstdint>

#include "filch/pool/loop_participant.h"
#include "filch/pool/loop_share.h"
#include "filch/topology/tick_clock.h"

namespace filch {
namespace pool_internal {
namespace {

// A loop is young for so long: others have come for what they were sent, and not found more.
constexpr std::uint64_t kYoung = 5000;

void TakePart(SharedLoop& loop, Slot& slot, LoopParts::Part& part, UnitInterval units,
              SharedLoop::Arrival arrival) noexcept {
  LoopParticipant participant(loop, slot, arrival);
  RunShare(loop.parts(), part, units, participant);
}

}  // namespace

void SharedLoop::BeginYoung() { young_until_ = Ticks() + kYoung; }

void SharedLoop::Participate(Slot& slot, UnitInterval units, void* segment, Mail* mail) noexcept {
  LoopParticipant participant(*this, slot, segment, mail);
  if (mail != nullptr) participant.Invite();
  RunShare(parts_, parts_.at(slot.index), units, participant);
  // Of a cancelled loop nobody need run it.
  while (mail != nullptr && context_.IsCancelled() && !mail->TakeBack().empty()) {
  }
}

void SharedLoop::Accept(Slot& slot, UnitInterval units) noexcept {
  participants_.fetch_add(1, std::memory_order_relaxed);  // L1: a hint
  Join(slot, units, Arrival::kInvited);
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
  Join(slot, units, Arrival::kDealt);
}

void SharedLoop::RunOne(UnitInterval unit) noexcept {
  try {
    void* segment = nullptr;
    body_.Run(unit, &segment);
  } catch (...) {
    context_.CaptureCurrentException();
  }
}

void SharedLoop::Join(Slot& slot, UnitInterval units, Arrival arrival) noexcept {
  LoopParts::Part& part = parts_.at(slot.index);
  if (part.busy) {
    // The thread waits inside a unit of this very loop: nobody sees what it
    // holds now, but it gets done.
    LoopParts::Part hidden;
    TakePart(*this, slot, hidden, units, arrival);
  } else {
    parts_.Publish(slot.index);
    TakePart(*this, slot, part, units, arrival);
  }
}

}  // namespace pool_internal
}  // namespace filch
