// Loops that are shared in pieces from the first unit on, for the last ones of their kind have
// shown that it pays (LoopPaces).
//
// The thread in `slot`, which runs the loop.  What the body throws goes to the context.
#ifndef FILCH_POOL_LOOP_IN_PIECES_H_
#define FILCH_POOL_LOOP_IN_PIECES_H_

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/context.h"
#include "filch/pool/lone_start.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/scan_body.h"
#include "filch/pool/slot.h"

namespace filch {
namespace pool_internal {

// Runs the loop so if that is known to pay; else false, and nothing is run.
bool RunInPiecesIfKnown(LoopBody& body, UnitInterval units, Context& context, Slot& slot,
                        const LoopStart& start);

// What follows the loop of a scan.
using AfterScan = void (*)(ScanBody& body, Context& context, Slot& slot);

// The same for a scan that has few units, each of which is a piece then, and is known to take more
// than start.worth on one thread: also where that is what a call of sleepers is worth.  Who comes
// too late for this one may be there for the next.  Calls `finish` when they have been run.
bool RunScanInPiecesIfKnown(ScanBody& body, UnitInterval units, Context& context, Slot& slot,
                            const LoopStart& start, AfterScan finish);

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_LOOP_IN_PIECES_H_
