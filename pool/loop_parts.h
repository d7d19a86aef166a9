// LoopParts: the units of a loop that several threads share, and the count of its open
// invitations.
//
// Each thread in the loop holds units in a part, from which the others steal.  As long as
// there are units that nobody has claimed, an invitation is open that brings another thread
// in, or a thread is about to leave one.  Whoever fills a part looks after that whether an
// invitation is open, and leaves one if not.  Whoever takes one away, as a guest or because
// it was its own, looks for units after that; it finds those that relied on it, or who has
// filled the part sees that it is gone.  So no thread has to get through its units before
// another one can come for the rest.
//
// It knows neither threads nor tasks; SharedLoop has one, and loop_share.h the order of
// events.  Any thread, unless it says otherwise.
// Memory ordering: what a thread did before Fill is visible to whoever steals the units.  A
// full fence between the store and the load of either side (Dekker, L3).
#ifndef FILCH_POOL_LOOP_PARTS_H_
#define FILCH_POOL_LOOP_PARTS_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "filch/partitioner/stealing_range.h"
#include "filch/partitioner/unit_interval.h"
#include "filch/topology/std_atomics.h"

namespace filch {
namespace pool_internal {

template <typename Atomics = StdAtomics>
class BasicLoopParts {
 public:
  // What one slot of the arena holds of the loop.
  struct Part {
    BasicStealingRange<Atomics> range;
    // A thread takes part from this slot (not twice at the same time: it may
    // meet another invitation while it waits).  The slot's thread only.
    bool busy = false;
  };

  // `count` parts, and the thread with part `first` is the first one in the loop.  Throws
  // std::bad_alloc.
  BasicLoopParts(int count, int first) : used_(first + 1) {
    if (count > kFewParts) many_parts_ = std::make_unique<Part[]>(static_cast<std::size_t>(count));
    parts_ = many_parts_ != nullptr ? many_parts_.get() : few_parts_;
  }

  Part& at(int index) { return parts_[index]; }
  // Others look at this part from now on.  Before it is filled.
  void Publish(int index) {
    int used = used_.load(std::memory_order_relaxed);  // L2: a guess for the exchange
    while (used <= index &&
           !used_.compare_exchange_weak(used, index + 1, std::memory_order_relaxed,
                                        std::memory_order_relaxed)) {  // L2: before Fill's fence
    }
  }

  // The units are there for everybody.  The part's thread, which then leaves an invitation
  // if none is open.
  void Fill(Part& part, UnitInterval units) {
    part.range.Reset(units);
    Atomics::SeqCstFence();  // L3: the units are visible, or the taker's count is
  }
  int open_invitations() const {
    return open_.load(std::memory_order_relaxed);  // L3: after Fill's fence, else a hint
  }

  // An invitation is about to be left where others find it.
  void CountInvitation() {
    open_.fetch_add(1, std::memory_order_relaxed);  // L3: published with the task
  }
  // It was taken, or taken back.  The thread then calls StealAfterTaking.
  void CountTaken() {
    open_.fetch_sub(1, std::memory_order_relaxed);  // L3: before the taker's fence
  }

  // How many units the one has left who has most, but for this part.  A hint.
  std::uint32_t MostRemaining(int except) const {
    const int used = used_.load(std::memory_order_relaxed);  // L2: how much there is is a hint
    std::uint32_t most = 0;
    for (int i = 0; i < used; ++i) {
      if (i != except) most = std::max(most, parts_[i].range.remaining());
    }
    return most;
  }

  // Half of what somebody has left, if that is `least` units or more; or nothing, that is a hint.
  // `random(n)` is a number below n > 1, of the part to begin with.
  template <typename Random>
  UnitInterval Steal(const Random& random, std::uint32_t least = 1) {
    const int used = used_.load(std::memory_order_relaxed);  // L2: after the taker's fence
    bool lost;
    do {
      lost = false;
      const int start = used > 1 ? random(used) : 0;
      for (int i = 0; i < used; ++i) {
        const int victim = start + i < used ? start + i : start + i - used;
        auto& range = parts_[victim].range;
        if (least > 1 && range.remaining() < least) continue;
        const StealAttempt attempt = range.Steal();
        if (!attempt.empty()) return attempt;
        lost |= attempt.lost();
      }
    } while (lost);
    return {};
  }
  // The same after CountTaken: if it finds nothing, every unit is claimed, or in the hands of
  // a thread that will see the count.
  template <typename Random>
  UnitInterval StealAfterTaking(const Random& random) {
    Atomics::SeqCstFence();  // L3: the count is visible, or the units are
    return Steal(random);
  }

 private:
  static constexpr int kFewParts = 8;

  typename Atomics::template Atomic<int> used_;
  typename Atomics::template Atomic<int> open_{0};
  Part few_parts_[kFewParts];
  std::unique_ptr<Part[]> many_parts_;
  Part* parts_;
};

using LoopParts = BasicLoopParts<>;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_LOOP_PARTS_H_
