// RunPlacedLoop: units of a loop on the slots that ran them last time.
//
// Scheduler-internal; RunIndexLoop calls it.
#ifndef FILCH_POOL_PLACED_LOOP_H_
#define FILCH_POOL_PLACED_LOOP_H_

#include <cstdint>

#include "filch/pool/context.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/slot.h"
#include "filch/pool/unit_places.h"

namespace filch {
namespace pool_internal {

// Sends neighbouring units together to the slot that `places` has for them, as mail, or to the
// other one of two threads as what it steals; units
// without one, or of the arena's extra slot, stay with this slot, whichever it is, and
// some of what is most goes to threads that look for work in slots that have nothing.
// Notes where the units ran, and waits.  The body's first exception is kept in
// `context`.  The thread in `slot`.
void RunPlacedLoop(LoopBody& body, std::uint32_t units, UnitPlaces& places, Context& context,
                   Slot& slot);

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_PLACED_LOOP_H_
