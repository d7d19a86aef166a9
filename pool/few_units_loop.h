// Loops of few units: each may be a long one, so others help from the first one on, unless loops
// like it were over before anybody came.
//
// The thread in `slot`, which runs the loop.  What the body throws goes to the context.
#ifndef FILCH_POOL_FEW_UNITS_LOOP_H_
#define FILCH_POOL_FEW_UNITS_LOOP_H_

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/context.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/slot.h"

namespace filch {
namespace pool_internal {

// Two units and two threads at least.  Units may wait for each other if there are no more than
// threads.
void RunFewUnits(LoopBody& body, UnitInterval units, Context& context, Slot& slot);

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_FEW_UNITS_LOOP_H_
