// Split policies: when RunSplit cuts a Range, and where the pieces should run.
//
//   SimpleSplit     cuts down to the grain, always.  Predictable; many tasks.
//   StaticSplit     one piece per slot, sized evenly, never cut again.
//   AutoSplit       a few pieces per slot; more only where somebody starves.
//   AffinitySplit   as AutoSplit, and every piece goes back to where it ran
//                   last time (AffinityMemory).
//   LazySplit       one grain after the other; cuts nothing until somebody
//                   starves, and then gives the largest rest away.
//
// If in doubt, AutoSplit; LazySplit where a grain is expensive and tasks are;
// StaticSplit and AffinitySplit for repeated loops over data that fits caches.
//
// A policy is a small value that travels with its piece of the range.  It has no
// thread, clock or atomics in it (AffinityMemory has), so it runs in a simulator
// as well.  One thread at a time.
//
// The interface, as RunSplit uses it, in this order:
//   void Arrive(Place)            the piece begins to run somewhere
//   bool cuts_ahead() const       cut before running anything?
//   ProportionalSplit proportion() const   ... in which proportion
//   Policy CutAhead()             the policy of the second part; *this becomes
//                                 the first part's
//   std::uint32_t slot() const    where the piece would best run
//   unsigned depth() const        into 2^depth pieces it is worked off
//   bool Demanded()               somebody starves and all is cut to depth:
//                                 true if the depth has grown
//   Policy Offspring() const      the policy of a piece given away
//   kMostPieces                   how many pieces are at hand at most, up to 64
#ifndef FILCH_PARTITIONER_SPLIT_POLICY_H_
#define FILCH_PARTITIONER_SPLIT_POLICY_H_

#include <cstdint>

#include "filch/partitioner/affinity_memory.h"
#include "filch/partitioner/divisible_range.h"

namespace filch {

// Where a piece runs.
struct Place {
  std::uint32_t slot = 0;
  // True if it does not run in the slot that spawned it.
  bool stolen = false;
};

class SimpleSplit {
 public:
  static constexpr unsigned kMostPieces = 1;

  void Arrive(Place) {}
  bool cuts_ahead() const { return true; }
  ProportionalSplit proportion() const { return {1, 1}; }
  SimpleSplit CutAhead() { return *this; }
  std::uint32_t slot() const { return kAnySlot; }
  unsigned depth() const { return 0; }
  bool Demanded() { return false; }
  SimpleSplit Offspring() const { return *this; }
};

namespace partitioner_internal {

// A run of equally large parts that a piece of the range stands for; cutting it
// in halves cuts the range in proportion.
struct Parts {
  std::uint32_t first = 0;
  std::uint32_t count = 1;

  std::uint32_t left() const { return count - count / 2; }
  ProportionalSplit proportion() const {
    return count < 2 ? ProportionalSplit{1, 1} : ProportionalSplit{left(), count / 2};
  }
  // Keeps the left parts and returns the right ones.
  Parts CutRight() {
    const Parts right{first + left(), count / 2};
    count = left();
    return right;
  }
};

// `per_slot` parts for each slot, of which there is at least one.
constexpr Parts PartsFor(std::uint32_t slots, std::uint32_t per_slot) {
  const std::uint32_t most = UINT32_MAX / per_slot;
  return {0, (slots == 0 ? 1 : slots < most ? slots : most) * per_slot};
}

// What AutoSplit and AffinitySplit share: how deep a piece is cut on demand.
class DemandDepth {
 public:
  unsigned value() const { return depth_; }

  // A stolen piece shows that the cut so far was too coarse here.
  void Arrive(Place place) {
    if (place.stolen) depth_ = depth_ + kPerTheft < kMost ? depth_ + kPerTheft : kMost;
  }
  bool Deepen() {
    if (depth_ >= kMost) return false;
    ++depth_;
    return true;
  }

 private:
  // Pieces are worked off in at least 2^2 parts, so that a starving slot does
  // not wait for the whole; a theft adds one level; 2^10 parts of one piece are
  // plenty, and a RangeStack that is full stops the cutting earlier.
  static constexpr unsigned kFirst = 2;
  static constexpr unsigned kPerTheft = 1;
  static constexpr unsigned kMost = 10;

  unsigned depth_ = kFirst;
};

}  // namespace partitioner_internal

class StaticSplit {
 public:
  static constexpr unsigned kMostPieces = 1;

  // One piece for each of the slots 0 ... slots - 1.
  explicit StaticSplit(std::uint32_t slots) : parts_(partitioner_internal::PartsFor(slots, 1)) {}

  void Arrive(Place) {}
  bool cuts_ahead() const { return parts_.count > 1; }
  ProportionalSplit proportion() const { return parts_.proportion(); }
  StaticSplit CutAhead() {
    StaticSplit right = *this;
    right.parts_ = parts_.CutRight();
    return right;
  }
  std::uint32_t slot() const { return parts_.first; }
  unsigned depth() const { return 0; }
  bool Demanded() { return false; }
  StaticSplit Offspring() const { return *this; }

 private:
  partitioner_internal::Parts parts_;
};

class AutoSplit {
 public:
  static constexpr unsigned kMostPieces = 8;
  // Enough that a slot which is late takes one piece less, and few enough that
  // an undisturbed loop is a handful of tasks.
  static constexpr std::uint32_t kPiecesPerSlot = 4;

  explicit AutoSplit(std::uint32_t slots)
      : parts_(partitioner_internal::PartsFor(slots, kPiecesPerSlot)) {}

  void Arrive(Place place) { demand_depth_.Arrive(place); }
  bool cuts_ahead() const { return parts_.count > 1; }
  ProportionalSplit proportion() const { return {1, 1}; }
  AutoSplit CutAhead() {
    AutoSplit right = *this;
    right.parts_ = parts_.CutRight();
    return right;
  }
  std::uint32_t slot() const { return kAnySlot; }
  unsigned depth() const { return demand_depth_.value(); }
  bool Demanded() { return demand_depth_.Deepen(); }
  AutoSplit Offspring() const { return *this; }

 private:
  partitioner_internal::Parts parts_;
  partitioner_internal::DemandDepth demand_depth_;
};

class AffinitySplit {
 public:
  static constexpr unsigned kMostPieces = 8;
  // More than AutoSplit: the pieces are also the grain of what is remembered.
  static constexpr std::uint32_t kPiecesPerSlot = 16;

  // `memory` must outlive the loop.
  AffinitySplit(std::uint32_t slots, AffinityMemory* memory)
      : memory_(memory), parts_(partitioner_internal::PartsFor(slots, kPiecesPerSlot)) {
    memory_->Prepare(parts_.count);
  }

  void Arrive(Place place) {
    demand_depth_.Arrive(place);
    // Of several parts that stay together the first stands for all.
    if (replays_) memory_->Note(parts_.first, place.slot);
  }
  bool cuts_ahead() const { return parts_.count > 1; }
  ProportionalSplit proportion() const { return parts_.proportion(); }
  AffinitySplit CutAhead() {
    AffinitySplit right = *this;
    right.parts_ = parts_.CutRight();
    return right;
  }
  std::uint32_t slot() const { return replays_ ? memory_->SlotOf(parts_.first) : kAnySlot; }
  unsigned depth() const { return demand_depth_.value(); }
  bool Demanded() { return demand_depth_.Deepen(); }
  AffinitySplit Offspring() const {
    AffinitySplit offspring = *this;
    // Given away because somebody starves: it must go to whoever that is, and
    // the greater part of the piece stays where it was noted.
    offspring.replays_ = false;
    return offspring;
  }

 private:
  AffinityMemory* memory_;
  partitioner_internal::Parts parts_;
  partitioner_internal::DemandDepth demand_depth_;
  bool replays_ = true;
};

// After "Lazy binary-splitting" (Tzannes, Caragea, Barua and Vishkin, 2010).
class LazySplit {
 public:
  // One piece for each halving of a range of up to 2^63 grains.
  static constexpr unsigned kMostPieces = 64;

  void Arrive(Place) {}
  bool cuts_ahead() const { return false; }
  ProportionalSplit proportion() const { return {1, 1}; }
  LazySplit CutAhead() { return *this; }
  std::uint32_t slot() const { return kAnySlot; }
  unsigned depth() const { return kMostPieces; }
  bool Demanded() { return false; }
  LazySplit Offspring() const { return *this; }
};

}  // namespace filch

#endif  // FILCH_PARTITIONER_SPLIT_POLICY_H_
