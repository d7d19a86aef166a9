// RunIndexLoop: the engine of every loop over units 0, 1, ..., n - 1.
//
// A loop of few units is a tree of joins (UnitTree), and for many threads one of some more units
// of a kind that is quick (LoopHistory), over pieces of these.  One of more is a StealingRange
// for each thread that takes part (SharedLoop), from which units are claimed in
// batches, few at first, more while they turn out short.  And one of many units, or of
// a kind that was short before, begins on the calling thread alone, until it is known to
// be worth help (LoopTrial), if units of its kind have ended without help before
// (LoopKinds).  Unless the last ones of its kind were worth it, a little (LoopPaces): then
// it is a tree of joins, too, over pieces of some units, or if several threads look for work
// and none has any, each of them gets an even part (TryToDealEvenly).
// A loop of no more units than threads never begins alone: all of them can be running at
// the same time, and may wait for each other.  But others have to insist on some of it if the last
// ones like it were over sooner than they could come (Withholding).
//
// ParallelFor and ParallelReduce are the usual way to it.  They run a loop that is known to be
// brief where it is called (RunBriefLoop), and come here with the rest of one that is not so
// after all (FinishLoop).
//
// Memory ordering: what happened before RunIndexLoop is visible to every unit, and what the
// units did is visible after it.
#ifndef FILCH_POOL_INDEX_LOOP_H_
#define FILCH_POOL_INDEX_LOOP_H_

#include <cstdint>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/context.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/scan_body.h"
#include "filch/pool/slot.h"
#include "filch/pool/unit_places.h"

namespace filch {

enum class LoopSchedule {
  // Units go where threads are free, in batches of growing size.
  kStealing,
  // As kStealing, but the others may come from the first unit on, whatever that costs.
  // For loops whose units may wait for each other.
  kStealingAtOnce,
  // Unit i is given to slot i of the arena.  For loops of at most
  // Arena::concurrency() units that come again over the same data.
  kStatic,
};

// Runs all units of [0, units) and returns when they are done.  The loop works
// under `context`: cancelling it drops units that have not started, and the
// first exception of the body is kept there and rethrown here.  Any thread.
void RunIndexLoop(LoopBody& body, std::uint32_t units, LoopSchedule schedule, Context& context);

// The same, and each unit is given to the slot that ran it in the last loop with
// the same number of units and the same places.
// For loops of some units for each slot that come again over the same data.  Any
// thread.
void RunIndexLoop(LoopBody& body, std::uint32_t units, UnitPlaces& places, Context& context);

// The same for a scan, which goes twice through what others help with: the calling thread begins
// alone, and others have to be worth more.  But one of few units of which it is known that they
// take long (LoopPaces) is a tree of joins.  Then comes the loop over what it leaves over.  For
// units that do not wait for each other.  Any thread.
void RunScanLoop(ScanBody& body, std::uint32_t units, Context& context);

// A loop that begins alone, as a scan, and is shared in a way of its own.
class LoneLoop : public LoopBody {
 public:
  // Runs what has not been run, with whoever comes.  The calling thread, in a scope of the
  // context; once at most.  What it throws cancels the loop.
  virtual void Share(UnitInterval rest) = 0;

 protected:
  using LoopBody::LoopBody;
  ~LoneLoop() = default;
};

// Runs all units of [0, units) and returns when they are done: those that one thread runs from
// left to right, and then, if it is worth the help of others, Share.  Context and exceptions as
// in RunIndexLoop.  Any thread.
void RunLoneLoop(LoneLoop& loop, std::uint32_t units, Context& context);

namespace pool_internal {

// What has been run of a loop: some units, in so many ticks.
struct LoopBeginning {
  std::uint32_t units;
  std::uint64_t elapsed;
  void* segment;  // of LoopBody::Run
};

// Runs the rest of a loop that began like that, alone until it is worth the help of others, if
// there is one.  The thread in `slot`, in a scope of `context`.  Throws what the body throws.
void FinishLoop(LoopBody& body, UnitInterval rest, const LoopBeginning& beginning, Context& context,
                Slot& slot);

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_INDEX_LOOP_H_
