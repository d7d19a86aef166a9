#include "filch/pool/index_loop.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "filch/partitioner/batch_size.h"
#include "filch/partitioner/stealing_range.h"
#include "filch/partitioner/unit_interval.h"
#include "filch/pool/arena.h"
#include "filch/pool/context_scope.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/join.h"
#include "filch/pool/loop_trial.h"
#include "filch/pool/slot.h"
#include "filch/pool/static_loop.h"
#include "filch/pool/task.h"
#include "filch/topology/std_atomics.h"
#include "filch/topology/tick_clock.h"

namespace filch {

using pool_internal::CurrentSlot;
using pool_internal::JoinTask;
using pool_internal::LoopTrial;
using pool_internal::SleepersCredit;
using pool_internal::Slot;

namespace {

// A batch of units should last this long: short enough that a thief is served
// soon, long enough that claiming and timing it cost about one percent.
constexpr std::uint64_t kBatchTicks = 2000;
// Below this a batch is hardly longer than claiming and timing it, and a thief
// could not have come in time: the next one is larger however little is left.
constexpr std::uint64_t kShortTicks = 250;
// So few units are claimed one by one, which costs less than timing them.
constexpr std::uint32_t kFewUnits = 16;

// The part of a loop that one slot of the arena holds.
struct Part {
  StealingRange range;
  // A thread takes part from this slot (not twice at the same time: it may
  // meet another invitation while it waits).  The slot's thread only.
  bool busy = false;
};

class IndexLoop {
 public:
  // The thread in `slot` takes part.
  IndexLoop(LoopBody& body, Context& context, Slot& slot)
      : body_(body),
        context_(context),
        part_count_(slot.arena->slot_count()),
        used_(slot.index + 1) {
    if (part_count_ > kFewParts) many_parts_ = std::make_unique<Part[]>(part_count_);
    parts_ = many_parts_ != nullptr ? many_parts_.get() : few_parts_;
  }

  LoopBody& body() { return body_; }
  Context& context() { return context_; }
  Part& PartOf(const Slot& slot) { return parts_[slot.index]; }
  int participants() const {
    return participants_.load(std::memory_order_relaxed);  // L1: a hint for the batch size
  }

  // Invitations that nobody has taken yet.
  int open() const { return open_.load(std::memory_order_relaxed); }  // L3: after the fence
  void CountOpen(int change) {
    open_.fetch_add(change, std::memory_order_relaxed);  // L3: before the taker's fence
  }

  void CountParticipant() {
    participants_.fetch_add(1, std::memory_order_relaxed);  // L1: a hint
  }
  // Others look at the slot's part from now on.
  void Publish(const Slot& slot) {
    int used = used_.load(std::memory_order_relaxed);
    while (used <= slot.index &&
           !used_.compare_exchange_weak(used, slot.index + 1, std::memory_order_seq_cst,  // L2
                                        std::memory_order_relaxed)) {
    }
  }

  // Half of what somebody else has left, or nothing.
  UnitInterval StealFor(Slot& slot) {
    const int used = used_.load(std::memory_order_seq_cst);  // L2: whose units may be published
    bool lost;
    do {
      lost = false;
      const int start = static_cast<int>(slot.Random(static_cast<std::uint32_t>(used)));
      for (int i = 0; i < used; ++i) {
        const int victim = start + i < used ? start + i : start + i - used;
        const StealAttempt attempt = parts_[victim].range.Steal();
        if (!attempt.empty()) return attempt;
        lost |= attempt.lost();
      }
    } while (lost);
    return {};
  }

 private:
  static constexpr int kFewParts = 8;

  LoopBody& body_;
  Context& context_;
  const int part_count_;
  std::atomic<int> participants_{1};
  std::atomic<int> used_;
  std::atomic<int> open_{0};
  Part few_parts_[kFewParts];
  std::unique_ptr<Part[]> many_parts_;
  Part* parts_;
};

// A task that brings whoever steals it into the loop.
class Invitation final : public JoinTask {
 public:
  explicit Invitation(IndexLoop& loop)
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

  IndexLoop& loop_;
  bool offered_ = false;
  std::int64_t index_ = 0;
};

// A participant's invitations: nearly always the one at hand is enough.
class Invitations {
 public:
  explicit Invitations(IndexLoop& loop) : loop_(loop), first_(loop) {}

  // Leaves an invitation in the deque if there is none in the whole loop.
  //
  // Whoever has published units calls it after a fence.  So as long as there are
  // units that nobody has claimed, there is an open invitation, or a thread that
  // is about to leave one: the thread that took the last one either finds units,
  // publishes them and comes here, or all units were claimed or on their way to
  // somebody who will come here.  Whoever takes an invitation back looks for units
  // once more (Participate).  It takes no help of the others, who may all be
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
  IndexLoop& loop_;
  Invitation first_;
  std::vector<std::unique_ptr<Invitation>> more_;
};

// Runs `units`, held in `part`, and then what can be stolen, until that is
// nothing; leaves no invitation behind.  `segment` belongs to the units before
// `units`.
void RunShare(IndexLoop& loop, Slot& slot, Part& part, UnitInterval units, void* segment) noexcept {
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
void Participate(IndexLoop& loop, Slot& slot, Part& part, UnitInterval units,
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

// The thread in `slot` joins the loop with the units that it stole.
void AcceptUnits(IndexLoop& loop, Slot& slot, UnitInterval units) noexcept {
  loop.CountParticipant();
  Part& part = loop.PartOf(slot);
  if (part.busy) {
    // The thread waits inside a unit of this very loop: nobody sees what it
    // holds now, but it gets done.
    Part hidden;
    Participate(loop, slot, hidden, units, nullptr);
  } else {
    loop.Publish(slot);
    Participate(loop, slot, part, units, nullptr);
  }
}

Task* Invitation::Accept(Task& task, Execution& execution) noexcept {
  auto& self = static_cast<Invitation&>(task);
  IndexLoop& loop = self.loop_;
  Slot& slot = execution.slot;
  loop.CountOpen(-1);
  StdAtomics::SeqCstFence();  // L3: the count is visible, or the units are
  if (!execution.cancelled) {
    const UnitInterval units = loop.StealFor(slot);
    // If there are none, everything is claimed; see KeepOneOpen.
    if (!units.empty()) AcceptUnits(loop, slot, units);
  }
  self.Complete(false);
  return nullptr;
}

// Nobody else can come: no ranges, no invitations.
void RunAlone(LoopBody& body, std::uint32_t units, Context& context) {
  void* segment = nullptr;
  // In parts, so that cancelling takes effect.
  const std::uint32_t most = units / 16 + 1;
  UnitInterval rest{0, units};
  try {
    while (!rest.empty() && !context.IsCancelled()) body.Run(TakeLower(&rest, most), &segment);
  } catch (...) {
    context.CaptureCurrentException();
  }
}

// What the calling thread ran alone because everybody slept.
__thread SleepersCredit sleepers_credit;

// Runs units by itself until the rest, which it returns, is worth the help of
// others.  Nothing if the loop is over or cancelled.
UnitInterval TryAlone(LoopBody& body, UnitInterval rest, Context& context, Slot& slot,
                      void** segment) {
  const std::uint64_t begin = Ticks();
  // A hint; who has gone to sleep since then is called for the rest.
  const bool everybody_sleeps = slot.need_wake->word() != 0;
  LoopTrial trial(sleepers_credit.Worth(begin, everybody_sleeps));
  std::uint64_t started = begin;
  try {
    while (!rest.empty() && !context.IsCancelled()) {
      const UnitInterval now = TakeLower(&rest, trial.Next(rest.size()));
      body.Run(now, segment);
      const std::uint64_t finished = Ticks();
      if (trial.Finished(now.size(), finished - started, rest.size())) {
        sleepers_credit.Reset();
        return rest;
      }
      started = finished;
      // Thieves ask for what the thread has left in its deque before the loop.  The
      // sleepers are left alone (Attend would call one): that is the point.
      if (slot.deque.exposure_requested()) {
        slot.deque.Expose();
        slot.stats.exposures.Increment();
      }
    }
  } catch (...) {
    context.CaptureCurrentException();
  }
  sleepers_credit.RanAlone(begin, started);
  return {};
}

// The loop with whoever is free.
void RunTogether(LoopBody& body, UnitInterval units, Context& context, Slot& slot, void* segment) {
  IndexLoop loop(body, context, slot);
  Participate(loop, slot, loop.PartOf(slot), units, segment);
}

void Rethrow(Context& context) {
  if (std::exception_ptr exception = context.TakeException()) {
    std::rethrow_exception(std::move(exception));
  }
}

}  // namespace

void RunIndexLoop(LoopBody& body, std::uint32_t units, LoopSchedule schedule, Context& context) {
  if (units == 0) return;
  Slot& slot = CurrentSlot();
  {
    const ContextScope scope(context, slot);
    if (units == 1 || slot.arena->concurrency() == 1) {
      RunAlone(body, units, context);
    } else if (schedule == LoopSchedule::kStatic) {
      pool_internal::RunStaticLoop(body, units, context, slot);
    } else {
      UnitInterval rest{0, units};
      void* segment = nullptr;
      if (LoopTrial::Suits(units, slot.arena->concurrency())) {
        rest = TryAlone(body, rest, context, slot, &segment);
      }
      if (!rest.empty()) RunTogether(body, rest, context, slot, segment);
    }
  }
  Rethrow(context);
}

void RunIndexLoop(LoopBody& body, std::uint32_t units, UnitPlaces& places, Context& context) {
  if (units == 0) return;
  Slot& slot = CurrentSlot();
  places.Begin(units);
  {
    const ContextScope scope(context, slot);
    if (units == 1 || slot.arena->concurrency() == 1) {
      RunAlone(body, units, context);
    } else {
      pool_internal::RunPlacedLoop(body, units, places, context, slot);
    }
  }
  Rethrow(context);
}

}  // namespace filch
