// UnitTree: a loop of few units as a tree of joins.
//
// Or one of more units, in pieces that are known to take some time each (LoopPaces).
//
// Each thread halves what it has, leaves the upper half in its deque, and goes on with
// the lower one.  A unit that nobody steals costs a join, and nothing has to be set up,
// claimed or evened out, as in a SharedLoop.
//
// Scheduler-internal; RunIndexLoop calls it.
#ifndef FILCH_POOL_UNIT_TREE_H_
#define FILCH_POOL_UNIT_TREE_H_

#include <cstdint>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/context.h"
#include "filch/pool/evenness.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/many_threads.h"
#include "filch/pool/slot.h"

namespace filch {
namespace pool_internal {

class UnitTree {
 public:
  // Pieces of up to `piece` units are not halved.  Of an uneven loop each half is shared unasked:
  // units of nothing were taken back before anybody could come for them, and the thread was in the
  // long ones, at the end, when it was asked again.  Of 16 units of which the last two took 7 us
  // nobody got any in 40 loops in a row (two virtual AMD EPYC processors, 2026-11-29).
  UnitTree(LoopBody& body, Context& context, std::uint32_t piece = 1,
           Evenness evenness = Evenness::kEven)
      : body_(body), context_(context), piece_(piece), evenness_(evenness) {}

  // In what pieces a loop of not many units for `threads` threads should be a tree; 0: in none.
  // With two awake threads and units of nothing, a tree of 16 units takes half the time of a
  // SharedLoop, and one of 63 twice as much (two virtual Intel Xeon processors, 2026-11-22).  But
  // who comes to a SharedLoop looks at what everybody has left: with sixteen threads loops of 256
  // units of 0.1 us took 24 us, and take 16 in pieces of four (16 virtual Intel Xeon
  // processors, 2026-11-27).
  static constexpr std::uint32_t PieceFor(std::uint32_t units, int threads) {
    const auto count = static_cast<std::uint32_t>(threads);
    if (units <= kUnitsPerThread * count) return 1;
    return threads < kManyThreads ? 0 : units / (kPiecesPerThread * count);
  }
  // The same if units may want to run at the same time: those of one piece do not.
  static constexpr std::uint32_t PieceForEach(std::uint32_t units, int threads) {
    return PieceFor(units, threads) == 1 ? 1 : 0;
  }

  // Returns when all units have been run, or the context is cancelled.  The calling thread
  // is in `slot`.  `*segment` is that of the units before these (LoopBody::Run), and then
  // that of the last of these.
  void Run(Slot& slot, UnitInterval units, void** segment) noexcept;

  // The same for units in two intervals, and the first cut is between them: those of the calling
  // thread, with which it begins, and another one's, who is awake.  How long its own took.
  std::uint64_t RunBoth(Slot& slot, UnitInterval own, UnitInterval others) noexcept;

 private:
  class Part;

  static constexpr std::uint32_t kUnitsPerThread = 8;
  static constexpr std::uint32_t kPiecesPerThread = 4;

  LoopBody& body_;
  Context& context_;
  const std::uint32_t piece_;
  const Evenness evenness_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_UNIT_TREE_H_
