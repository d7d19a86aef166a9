// StealingCoordinator: the StealingRanges of one loop, and its end.
//
// Use it through StealingRangePartitioner; directly only to build another front
// end on the same protocol.  A scheduler with its own idle protocol needs only
// the ranges.
//
// `participants` parties share the units 0 ... units - 1, evenly dealt at first.
// Party p's thread claims from range p; when that is empty it reports what it
// has executed and steals from the others; when there is nothing to steal it
// sleeps until there is, or until the loop is over.  A party that leaves early
// puts what it holds back into its range, where the others find it; a party
// that never starts has its share stolen the same way.
//
// Owner only (the thread that acts for party p, one at a time): everything that
// takes p.  Any thread: Stop, over.
//
// Guaranteed: each unit is handed to exactly one party, unless the loop is
// stopped or everybody leaves.  ReturnAndSteal returns empty exactly when every
// unit has been reported executed, or after Stop; it never spins, and it does
// not hang while every party that holds units either goes on or leaves.
//
// Memory ordering: what the creator did before handing the coordinator to its
// parties is visible with the units; what a party did before it reported units
// is visible to everyone whose ReturnAndSteal then returns empty.
#ifndef FILCH_PARTITIONER_STEALING_COORDINATOR_H_
#define FILCH_PARTITIONER_STEALING_COORDINATOR_H_

#include <atomic>
#include <cstdint>
#include <memory>

#include "filch/partitioner/event_count.h"
#include "filch/partitioner/stealing_range.h"
#include "filch/partitioner/unit_interval.h"
#include "filch/topology/cache_line.h"
#include "filch/topology/contract.h"
#include "filch/topology/futex.h"
#include "filch/topology/std_atomics.h"

namespace filch {
namespace partitioner_internal {

template <typename Atomics = StdAtomics, typename Sleep = Futex>
class BasicStealingCoordinator {
 public:
  // At least one participant.
  BasicStealingCoordinator(std::uint32_t units, std::uint32_t participants)
      : participants_(participants), parties_(MakeParties(participants)), unreported_(units) {
    for (std::uint32_t p = 0; p < participants; ++p) {
      parties_[p].range.Reset(EvenShare(units, p, participants));
      parties_[p].victim = p;
    }
  }
  BasicStealingCoordinator(const BasicStealingCoordinator&) = delete;
  BasicStealingCoordinator& operator=(const BasicStealingCoordinator&) = delete;

  std::uint32_t participants() const { return participants_; }

  // Up to `max_units` (at least 1) of p's own range; empty if there are none or
  // the loop is stopped.  Owner only.
  UnitInterval Claim(std::uint32_t p, std::uint32_t max_units) {
    if (stopped()) return {};
    return parties_[p].range.Claim(max_units);
  }

  // p's range, for looks: what it has left, and whether thieves wait.  It lives as
  // long as the coordinator.  Owner only.
  const BasicStealingRange<Atomics>& range(std::uint32_t p) const { return parties_[p].range; }

  // Offers the upper half of *claimed, which p holds, to the others if they
  // find nothing in p's range, and shrinks it.  Owner only.
  void GiveBack(std::uint32_t p, UnitInterval* claimed) {
    if (parties_[p].range.GiveBack(claimed)) events_.NotifyOne();
  }

  // Reports `executed` units and gets others, by stealing: p's range must be
  // empty.  Sleeps if need be.  Empty: the loop is over.  Owner only.
  UnitInterval ReturnAndSteal(std::uint32_t p, std::uint32_t executed) {
    Report(executed);
    while (!over()) {
      UnitInterval loot = StealFromOthers(p);
      if (loot.empty()) {
        const Ticket ticket = events_.PrepareWait();
        loot = StealFromOthers(p);
        if (loot.empty() && !over()) {
          events_.Wait(ticket);
          continue;
        }
        events_.CancelWait();
        if (loot.empty()) break;
      }
      return Keep(p, loot);
    }
    return {};
  }

  // Reports `executed` units and puts `untouched`, the rest of the units that p
  // holds, back for the others.  p may come back with Claim.  Owner only.
  void Leave(std::uint32_t p, UnitInterval untouched, std::uint32_t executed) {
    UnitInterval rest = parties_[p].range.Claim(kAllUnits);
    if (rest.empty()) {
      rest = untouched;
    } else if (!untouched.empty()) {
      // Claimed from the low end of the same interval, so they are neighbours.
      rest.begin = untouched.begin;
    }
    if (!rest.empty()) {
      parties_[p].range.Reset(rest);
      events_.NotifyOne();
    }
    Report(executed);
  }

  // Ends the loop: units that nobody has claimed are dropped.  Any thread.
  void Stop() {
    stopped_.store(1, std::memory_order_release);  // E10: publishes the stop to the parties.
    events_.NotifyAll();
  }

  // True if every unit has been reported executed or the loop is stopped.  Any
  // thread.
  bool over() const {
    return unreported_.load(std::memory_order_acquire) == 0 || stopped();  // E9: sees Report.
  }

 private:
  using Ticket = typename BasicEventCount<Atomics, Sleep>::Ticket;

  struct Party {
    BasicStealingRange<Atomics> range;
    // Where the next round over the others begins.  The owner's alone.
    alignas(kCacheLineSize) std::uint32_t victim = 0;
  };

  static std::unique_ptr<Party[]> MakeParties(std::uint32_t participants) {
    if (participants == 0) Fail("filch: a loop was divided among 0 partitions.");
    return std::make_unique<Party[]>(participants);
  }

  bool stopped() const {
    return stopped_.load(std::memory_order_acquire) != 0;  // E10: sees Stop.
  }

  void Report(std::uint32_t executed) {
    if (executed == 0) return;
    if (unreported_.fetch_sub(executed, std::memory_order_release) ==
        executed) {  // E9: publishes what the units did to over().
      events_.NotifyAll();
    }
  }

  // Makes `loot` p's own, all but its first unit open to thieves.  The first is
  // returned and not published, or two parties could steal one unit from each
  // other forever.
  UnitInterval Keep(std::uint32_t p, UnitInterval loot) {
    const UnitInterval first = TakeLower(&loot, 1);
    if (!loot.empty()) parties_[p].range.Reset(loot);
    // Even if nothing was published: the victim's memory of waiting thieves went
    // with the loot, and whoever still sleeps must look, and so ask, again.
    events_.NotifyOne();
    return first;
  }

  // One look at everybody else's range; empty only if each was seen empty.
  UnitInterval StealFromOthers(std::uint32_t p) {
    for (;;) {
      bool lost = false;
      // Each round begins elsewhere, lest all thieves meet at the same victim.
      parties_[p].victim = Successor(parties_[p].victim);
      std::uint32_t victim = parties_[p].victim;
      for (std::uint32_t i = 0; i < participants_; ++i, victim = Successor(victim)) {
        if (victim == p) continue;
        const StealAttempt loot = parties_[victim].range.Steal();
        if (!loot.empty()) return loot;
        lost = lost || loot.lost();
      }
      if (!lost) return {};
    }
  }

  std::uint32_t Successor(std::uint32_t p) const { return p + 1 == participants_ ? 0 : p + 1; }

  const std::uint32_t participants_;
  const std::unique_ptr<Party[]> parties_;
  // Units not yet reported executed.
  alignas(kCacheLineSize) typename Atomics::template Atomic<std::uint32_t> unreported_;
  // Not 0 after Stop.  Written once, so it may lie with what everyone reads.
  alignas(kCacheLineSize) typename Atomics::template Atomic<std::uint32_t> stopped_{0};
  BasicEventCount<Atomics, Sleep> events_;
};

using StealingCoordinator = BasicStealingCoordinator<>;

}  // namespace partitioner_internal
}  // namespace filch

#endif  // FILCH_PARTITIONER_STEALING_COORDINATOR_H_
