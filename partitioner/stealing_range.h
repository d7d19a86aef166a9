// StealingRange: an interval of units that its owner eats from the low end
// while thieves cut the upper half of the rest away.
//
// Use it as the shared state of a loop whose units are known beforehand; for
// work that creates work, use a deque; to run a loop on plain threads, use
// StealingRangePartitioner, which is built from these.
//
// Owner only: Reset, Claim, GiveBack, thieves_waiting.  Any thread: Steal,
// remaining.  The owner is whoever the caller says it is, one thread at a time,
// handed over through an edge of the caller's (a join, a lock).
//
// Guaranteed: of the units that Reset publishes, each comes out of exactly one
// Claim or Steal, and no other unit ever does.  Claim and Steal are lock-free;
// Steal never retries, and the owner's retry means that a thief made progress.
// A unit that the owner has not claimed can be stolen however long the owner is
// stuck in its batch, the very last one too.
//
// Memory ordering: what the owner did before Reset (or before the GiveBack that
// published the units) is visible to the thread whose Steal returns them.
// Nothing is ordered in the other direction: a thief's doings reach the owner
// only through whatever ends the loop.
//
// Reuse: units have a meaning (a loop body, a data set) that is not stored
// here.  A thief that still knows the range from the previous meaning would run
// the new units with it, so give the units a new meaning only after every
// thread that may call Steal for the old one is done; a structured loop does so
// by its join.  Within one meaning Reset is free to repeat: the whole state is
// one word, each transition is computed from that word alone, and so it does
// not matter whether a value was there before.
//
// After the work-stealing range of "Load-balancing partitioner with work
// stealing", with the bounds in one word and without its separately read low
// bound; see README.md for what that cures.
//
// Example:
//   StealingRange range;
//   range.Reset({0, 100});
//   for (UnitInterval batch = range.Claim(8); !batch.empty(); batch = range.Claim(8)) {
//     while (!batch.empty()) {
//       Work(TakeLower(&batch, 1).begin);
//       if (range.thieves_waiting()) range.GiveBack(&batch);
//     }
//   }
// and, in another thread, `StealAttempt loot = range.Steal();`.
#ifndef FILCH_PARTITIONER_STEALING_RANGE_H_
#define FILCH_PARTITIONER_STEALING_RANGE_H_

#include <atomic>
#include <cstdint>

#include "filch/partitioner/unit_interval.h"
#include "filch/topology/cache_line.h"
#include "filch/topology/contract.h"
#include "filch/topology/std_atomics.h"

namespace filch {

// What Steal brought: units, or the reason why there are none.
struct [[nodiscard]] StealAttempt : UnitInterval {
  enum class Outcome {
    kStolen,  // The interval is not empty.
    kEmpty,   // At one instant of the call the range held nothing.
    kLost,    // Someone else moved first; there may be more, so try again.
  };
  Outcome outcome = Outcome::kEmpty;

  bool lost() const { return outcome == Outcome::kLost; }
};

template <typename Atomics = StdAtomics>
class alignas(kCacheLineSize) BasicStealingRange {
 public:
  // An empty range.
  BasicStealingRange() = default;
  BasicStealingRange(const BasicStealingRange&) = delete;
  BasicStealingRange& operator=(const BasicStealingRange&) = delete;

  // Makes `units` available to Claim and Steal.  The range must be empty: a
  // loop that stops early takes what is left with Claim(kAllUnits) first.
  // Owner only.
  void Reset(UnitInterval units) {
    if (!Unpack(word_.load(std::memory_order_relaxed)).empty()) {  // E3: only the owner refills.
      Fail("filch::StealingRange: Reset would drop units that nobody has taken.");
    }
    thief_waits_.store(0, std::memory_order_relaxed);     // E5: hint.
    word_.store(Pack(units), std::memory_order_release);  // E1: publishes the units to Steal.
  }

  // Takes up to `max_units` (at least 1) from the low end; empty if the range
  // is.  What is taken is the owner's alone.  Owner only.
  UnitInterval Claim(std::uint32_t max_units) {
    if (max_units == 0) Fail("filch::StealingRange: Claim was asked for 0 units.");
    std::uint64_t word = word_.load(std::memory_order_relaxed);  // E3: guess for the exchange.
    for (;;) {
      UnitInterval rest = Unpack(word);
      if (rest.empty()) return UnitInterval{};
      const UnitInterval claimed = TakeLower(&rest, max_units);
      // Relaxed is enough: the owner published these units itself and reads
      // nothing that a thief wrote; as a read-modify-write it keeps the release
      // sequence of E1 and E2 going.
      if (word_.compare_exchange_weak(word, Pack(rest), std::memory_order_relaxed,
                                      std::memory_order_relaxed)) {  // E3: against Steal.
        return claimed;
      }
    }
  }

  // True if a thief found nothing here since the last Reset or GiveBack.  One
  // relaxed load, cheap enough to ask after every unit.  Owner only.
  bool thieves_waiting() const {
    return thief_waits_.load(std::memory_order_relaxed) != 0;  // E5: hint.
  }

  // If the range is empty and *claimed has at least two units, publishes the
  // upper half of *claimed again, keeps the lower (the larger, if they differ)
  // in it, and returns true; the caller then wakes thieves that sleep.  The
  // units must come from this range's latest Claim.  Owner only.
  bool GiveBack(UnitInterval* claimed) {
    if (claimed->size() < 2) return false;
    thief_waits_.store(0, std::memory_order_relaxed);                      // E5: cleared before E2.
    if (!Unpack(word_.load(std::memory_order_relaxed)).empty() &&          // E3: may be outdated.
        !Unpack(word_.fetch_add(0, std::memory_order_release)).empty()) {  // E5: clear precedes.
      // The request was outdated: there is something to steal.  That had to be
      // asked with a read-modify-write, which comes before or after each theft:
      // a plain load may miss the theft that emptied the range, and the request
      // of a thief that came after it would be cleared and forgotten.
      return false;
    }
    const UnitInterval given = TakeUpper(claimed, claimed->size() / 2);
    word_.store(Pack(given), std::memory_order_release);  // E2: publishes the units to Steal.
    return true;
  }

  // Takes the upper half of what is left (the larger half, so also the last
  // unit) with one compare-exchange.  Finding nothing sets thieves_waiting.
  // Any thread.
  StealAttempt Steal() {
    std::uint64_t word = word_.load(std::memory_order_acquire);  // E5: sees the flag's last clear.
    UnitInterval rest = Unpack(word);
    if (rest.empty()) {
      // Looked at first, so that a crowd of thieves does not keep the owner's
      // line moving.
      if (thief_waits_.load(std::memory_order_relaxed) == 0) {  // E5: hint.
        thief_waits_.store(1, std::memory_order_relaxed);       // E5: hint.
      }
      return {{}, StealAttempt::Outcome::kEmpty};
    }
    const UnitInterval stolen = TakeUpper(&rest, rest.size() - rest.size() / 2);
    if (!word_.compare_exchange_strong(word, Pack(rest), std::memory_order_acquire,
                                       std::memory_order_relaxed)) {  // E4: sees E1, E2.
      return {{}, StealAttempt::Outcome::kLost};
    }
    return {stolen, StealAttempt::Outcome::kStolen};
  }

  // How many units nobody has taken.  A hint: it may be outdated on return.
  // Any thread.
  std::uint32_t remaining() const {
    return Unpack(word_.load(std::memory_order_relaxed)).size();  // E5: hint.
  }

 private:
  static std::uint64_t Pack(UnitInterval units) {
    return std::uint64_t{units.end} << 32 | units.begin;
  }
  static UnitInterval Unpack(std::uint64_t word) {
    return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)};
  }

  // Both bounds of what nobody has taken: begin in the low half, end in the
  // high half.  Empty is end <= begin, never a special value.
  typename Atomics::template Atomic<std::uint64_t> word_{0};
  // Not 0 if a thief found nothing.  Beside the word on purpose: the line that
  // a failing thief has just read is the one the owner will refill.
  typename Atomics::template Atomic<std::uint32_t> thief_waits_{0};
};

// For Claim: everything that is left.
inline constexpr std::uint32_t kAllUnits = UINT32_MAX;

using StealingRange = BasicStealingRange<>;

}  // namespace filch

#endif  // FILCH_PARTITIONER_STEALING_RANGE_H_
