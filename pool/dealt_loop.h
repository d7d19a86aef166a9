// RunDealtLoop: a loop whose units are dealt out to certain slots before it begins.
//
// To halve what there is, and halves of that, until each of sixteen threads has a part takes as
// long as many a loop.  Where it is known who shall have which units they are sent there, and
// others take some of them only from who is late.  Reductions of 1000 units of 0.1 us by sixteen
// threads take 21 us so, and 51 as a tree (16 virtual Intel Xeon processors, 2026-11-27).
//
// From then on it is a SharedLoop, in which who is done steals from the others, but for its first
// microseconds (SharedLoop::BeginYoung).  If the calling thread's own units are over sooner
// than others could begin, it takes back what nobody has.
//
// Scheduler-internal; RunIndexLoop calls it.
#ifndef FILCH_POOL_DEALT_LOOP_H_
#define FILCH_POOL_DEALT_LOOP_H_

#include <cstdint>
#include <vector>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/context.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/shared_loop.h"
#include "filch/pool/slot.h"

namespace filch {
namespace pool_internal {

// Neighbouring units, none of them twice, and the slot where they shall run.
struct DealtUnits {
  UnitInterval units;
  std::uint32_t slot;
};

// Runs all of these units, and waits.  The body's first exception is kept in `context`.  The
// calling thread is in `slot`, which may be the arena's extra one, as may the others; whoever is
// there finds the mail of its neighbour.  Returns how many ticks the first of the thread's own
// shares took.
std::uint64_t RunDealtLoop(LoopBody& body, const std::vector<DealtUnits>& shares, Context& context,
                           Slot& slot);

// The same for as many units for each thread of the arena that is awake, if they are several and
// all others look for work.  False: nothing has been run.
bool TryToDealEvenly(LoopBody& body, UnitInterval units, Context& context, Slot& slot,
                     Evenness evenness = Evenness::kEven);

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_DEALT_LOOP_H_
