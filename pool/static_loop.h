// RunStaticLoop: unit i of a loop on slot i.
//
// Scheduler-internal; RunIndexLoop calls it.
#ifndef FILCH_POOL_STATIC_LOOP_H_
#define FILCH_POOL_STATIC_LOOP_H_

#include <cstdint>

#include "filch/pool/context.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/slot.h"

namespace filch {
namespace pool_internal {

// Posts each unit to the slot of its number, runs the one of `slot`, then those of slots without a
// thread (and what nobody has begun, if its own was over at once or some time ago), and waits.
// Units beyond the last slot run on the calling thread.  Neighbours that it runs one after the
// other are one segment.  The body's first exception is kept in `context`.  The thread in `slot`.
void RunStaticLoop(LoopBody& body, std::uint32_t units, Context& context, Slot& slot);

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_STATIC_LOOP_H_
