// RunSplit: runs a body on all pieces of a Range, cut as a split policy says.
//
// It is the loop under parallel algorithms over general ranges; for indices and
// plain threads, use StealingRangePartitioner.
//
// A Spawner says who else there is:
//   std::uint32_t slots() const      how many places work can run at
//   bool wanted() const              somebody starves; cheap, asked per piece
//   void Spawn(std::uint32_t slot, Work work)
//       runs work(spawner, place), movable, once, now or later, here or in
//       another thread, preferably at `slot` (or kAnySlot); `spawner` is the one
//       of the place it then runs at.
// SerialSpawner is one without threads.  RunSplit returns when its own part is
// done; waiting for what it has spawned is the caller's business, who also keeps
// `body` alive until then.
//
// Guaranteed: body(piece) is called exactly once for each piece, the pieces are
// not empty, do not overlap and make up the range.  If the body throws, the
// exception leaves RunSplit (or the Work), and pieces not yet spawned are not
// run.
//
// Memory ordering: that of Spawn.
//
//   SerialSpawner spawner;
//   RunSplit(IndexRange<int>(0, 1000, 10), body, AutoSplit(spawner.slots()), spawner);
//   spawner.RunAll();
#ifndef FILCH_PARTITIONER_SPLIT_LOOP_H_
#define FILCH_PARTITIONER_SPLIT_LOOP_H_

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "filch/partitioner/divisible_range.h"
#include "filch/partitioner/range_stack.h"
#include "filch/partitioner/split_policy.h"

namespace filch {

template <typename Range, typename Body, typename Policy, typename Spawner>
void RunSplit(Range range, const Body& body, Policy policy, Spawner& spawner, Place place = {});

// A temporary body would be gone before the spawned pieces run.
template <typename Range, typename Body, typename Policy, typename Spawner>
void RunSplit(Range range, const Body&& body, Policy policy, Spawner& spawner,
              Place place = {}) = delete;

namespace partitioner_internal {

// A piece on its way to the place where it will run.
template <typename Range, typename Body, typename Policy>
class SplitWork {
 public:
  SplitWork(Range range, const Body* body, Policy policy)
      : range_(std::move(range)), body_(body), policy_(policy) {}

  template <typename Spawner>
  void operator()(Spawner& spawner, Place place) {
    RunSplit(std::move(range_), *body_, policy_, spawner, place);
  }

 private:
  Range range_;
  const Body* body_;
  Policy policy_;
};

template <typename Range, typename Body, typename Policy, typename Spawner>
void SpawnPiece(Range piece, const Body& body, Policy policy, Spawner& spawner) {
  const std::uint32_t slot = policy.slot();
  spawner.Spawn(slot, SplitWork<Range, Body, Policy>(std::move(piece), &body, policy));
}

}  // namespace partitioner_internal

// Runs `body` on `range`, which runs at `place`, and spawns the pieces that
// others are to run.  Any thread.
template <typename Range, typename Body, typename Policy, typename Spawner>
void RunSplit(Range range, const Body& body, Policy policy, Spawner& spawner, Place place) {
  using Traits = RangeTraits<Range>;
  static_assert(std::is_invocable<const Body&, const Range&>::value,
                "filch: the body of a loop must be callable as body(const Range&) and const.");
  if (Traits::IsEmpty(range)) return;
  policy.Arrive(place);
  while (policy.cuts_ahead() && Traits::IsDivisible(range)) {
    Range second = Traits::CutPart(std::addressof(range), policy.proportion());
    Policy second_policy = policy.CutAhead();
    partitioner_internal::SpawnPiece(std::move(second), body, second_policy, spawner);
  }
  partitioner_internal::RangeStack<Range, Policy::kMostPieces> pieces(std::move(range));
  while (pieces.size() > 0) {
    pieces.CutLeft(static_cast<int>(policy.depth()));
    if (spawner.wanted()) {
      if (pieces.size() > 1) {
        Range largest(std::move(pieces.right()));
        pieces.PopRight();
        partitioner_internal::SpawnPiece(std::move(largest), body, policy.Offspring(), spawner);
        continue;
      }
      // One piece is left: cut it deeper, if policy and range allow.
      if (Traits::IsDivisible(pieces.left()) && policy.Demanded()) continue;
    }
    body(static_cast<const Range&>(pieces.left()));
    pieces.PopLeft();
  }
}

}  // namespace filch

#endif  // FILCH_PARTITIONER_SPLIT_LOOP_H_
