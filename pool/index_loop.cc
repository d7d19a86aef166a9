#include "filch/pool/index_loop.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>

#include "filch/partitioner/batch_size.h"
#include "filch/partitioner/stealing_range.h"
#include "filch/partitioner/unit_interval.h"
#include "filch/pool/arena.h"
#include "filch/pool/context_scope.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/join.h"
#include "filch/pool/slot.h"
#include "filch/pool/static_loop.h"
#include "filch/pool/task.h"

namespace filch {

using pool_internal::CurrentSlot;
using pool_internal::JoinTask;
using pool_internal::Slot;

namespace {

// A batch of units should last this long: short enough that a thief is served
// soon, long enough that claiming and timing it cost about one percent.
constexpr std::uint64_t kBatchNanoseconds = 2000;

std::uint64_t Now() {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

// The part of a loop that one slot of the arena holds.
struct Part {
  StealingRange range;
  // A thread takes part from this slot (not twice at the same time: it may
  // meet another invitation while it waits).  The slot's thread only.
  bool busy = false;
};

class IndexLoop {
 public:
  IndexLoop(LoopBody& body, Context& context, Arena& arena)
      : body_(body), context_(context), part_count_(arena.slot_count()) {
    if (part_count_ > kFewParts) many_parts_ = std::make_unique<Part[]>(part_count_);
    parts_ = many_parts_ != nullptr ? many_parts_.get() : few_parts_;
  }

  LoopBody& body() { return body_; }
  Context& context() { return context_; }
  Part& PartOf(const Slot& slot) { return parts_[slot.index]; }
  int participants() const {
    return participants_.load(std::memory_order_relaxed);  // L1: a hint for the batch size
  }

  // A thread takes part: others look at its range from now on.
  void Register(const Slot& slot) {
    participants_.fetch_add(1, std::memory_order_relaxed);  // L1: a hint
    int used = used_.load(std::memory_order_relaxed);
    while (used <= slot.index &&
           // L2: a range that is missed is empty or has an owner who works on it.
           !used_.compare_exchange_weak(used, slot.index + 1, std::memory_order_relaxed,
                                        std::memory_order_relaxed)) {
    }
  }

  // Half of what somebody else has left, or nothing.
  UnitInterval StealFor(Slot& slot) {
    const int used = used_.load(std::memory_order_relaxed);  // L2: as above
    bool lost;
    do {
      lost = false;
      const int start = static_cast<int>(slot.Random(static_cast<std::uint32_t>(used)));
      for (int i = 0; i < used; ++i) {
        const int victim = start + i < used ? start + i : start + i - used;
        if (victim == slot.index) continue;
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
  std::atomic<int> participants_{0};
  std::atomic<int> used_{0};
  Part few_parts_[kFewParts];
  std::unique_ptr<Part[]> many_parts_;
  Part* parts_;
};

// A participant's standing offer to whoever has nothing to do.
class Invitation final : public JoinTask {
 public:
  explicit Invitation(IndexLoop& loop)
      : JoinTask(&Invitation::Accept, &loop.context()), loop_(loop) {}
  ~Invitation() = default;

  // Leaves the invitation in the deque, unless it is there or its last taker is
  // still at work.
  void Offer(Slot& slot) {
    if (offered_ && !complete()) return;
    Renew();
    offered_ = true;
    index_ = slot.deque.bottom();
    slot.Spawn(*this);
  }

  // Takes it back, or waits for the one who took it.
  void Retract(Slot& slot) {
    if (!offered_ || complete() || slot.deque.TryPopAt(index_)) return;
    FinishJoin(slot, *this);
  }

 private:
  static Task* Accept(Task& task, Execution& execution) noexcept;

  IndexLoop& loop_;
  bool offered_ = false;
  std::int64_t index_ = 0;
};

// One thread's share in the loop, beginning with `units`.
void Participate(IndexLoop& loop, Slot& slot, UnitInterval units) noexcept {
  Part& part = loop.PartOf(slot);
  part.busy = true;
  loop.Register(slot);
  Invitation invitation(loop);
  try {
    // Even a thread with a single unit invites: the one who came before may be
    // stuck in its unit and have more, and its invitation is used up.
    invitation.Offer(slot);
    std::uint64_t started = Now();
    while (!units.empty()) {
      part.range.Reset(units);
      BatchSize batch(static_cast<std::uint32_t>(loop.participants()), kBatchNanoseconds);
      void* segment = nullptr;
      for (;;) {
        if (part.range.remaining() > 0) invitation.Offer(slot);
        if (slot.NeedsAttention()) slot.Attend();
        const UnitInterval now = part.range.Claim(batch.Next(part.range.remaining()));
        if (now.empty() || loop.context().IsCancelled()) break;
        loop.body().Run(now, &segment);
        const std::uint64_t finished = Now();
        batch.Finished(now.size(), finished - started);
        started = finished;
      }
      if (loop.context().IsCancelled()) break;
      units = loop.StealFor(slot);
    }
  } catch (...) {
    loop.context().Capture(std::current_exception());
  }
  part.range.Claim(kAllUnits);  // what a cancelled loop leaves is dropped
  part.busy = false;
  invitation.Retract(slot);
}

Task* Invitation::Accept(Task& task, Execution& execution) noexcept {
  auto& self = static_cast<Invitation&>(task);
  Slot& slot = execution.slot;
  if (!execution.cancelled && !self.loop_.PartOf(slot).busy) {
    const UnitInterval units = self.loop_.StealFor(slot);
    if (!units.empty()) Participate(self.loop_, slot, units);
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
    context.Capture(std::current_exception());
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
      IndexLoop loop(body, context, *slot.arena);
      Participate(loop, slot, {0, units});
    }
  }
  if (std::exception_ptr exception = context.TakeException()) {
    std::rethrow_exception(std::move(exception));
  }
}

}  // namespace filch
