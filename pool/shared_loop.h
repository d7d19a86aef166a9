// SharedLoop: a loop over units while several threads are in it.
//
// Each thread in the loop holds a StealingRange of units, and leaves an
// invitation, a task, in its deque.  Who steals the invitation takes half of
// what somebody has left, leaves an invitation of its own, and steals from the
// others when its part is done; a thread that finds nothing to steal leaves.
//
// Scheduler-internal; RunIndexLoop calls it.  It lives on the stack of the thread
// that runs the loop, which is in it from the beginning and destroys it when its
// own Participate has returned and everybody whom it has brought in by Accept is
// done.  Who came by an invitation has left by then.
#ifndef FILCH_POOL_SHARED_LOOP_H_
#define FILCH_POOL_SHARED_LOOP_H_

#include <atomic>
#include <cstdint>
#include <memory>

#include "filch/partitioner/stealing_range.h"
#include "filch/partitioner/unit_interval.h"
#include "filch/pool/arena.h"
#include "filch/pool/context.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/slot.h"

namespace filch {
namespace pool_internal {

// The part of a loop that one slot of the arena holds.
struct LoopPart {
  StealingRange range;
  // A thread takes part from this slot (not twice at the same time: it may
  // meet another invitation while it waits).  The slot's thread only.
  bool busy = false;
};

class SharedLoop {
 public:
  // The thread in `slot` is going to call Participate.
  SharedLoop(LoopBody& body, Context& context, Slot& slot)
      : body_(body),
        context_(context),
        part_count_(slot.arena->slot_count()),
        used_(slot.index + 1) {
    if (part_count_ > kFewParts) many_parts_ = std::make_unique<LoopPart[]>(part_count_);
    parts_ = many_parts_ != nullptr ? many_parts_.get() : few_parts_;
  }

  LoopBody& body() { return body_; }
  Context& context() { return context_; }
  LoopPart& PartOf(const Slot& slot) { return parts_[slot.index]; }
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

  // The share of the thread in `slot` that made the loop, beginning with `units`;
  // `segment` belongs to the units before those.
  void Participate(Slot& slot, UnitInterval units, void* segment) noexcept;
  // The thread in `slot` joins with units of its own.
  void Accept(Slot& slot, UnitInterval units) noexcept;

 private:
  static constexpr int kFewParts = 8;

  LoopBody& body_;
  Context& context_;
  const int part_count_;
  std::atomic<int> participants_{1};
  std::atomic<int> used_;
  std::atomic<int> open_{0};
  LoopPart few_parts_[kFewParts];
  std::unique_ptr<LoopPart[]> many_parts_;
  LoopPart* parts_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_SHARED_LOOP_H_
