// The ways in which a loop's units are shared among several threads.
//
// The thread in `slot`, which runs the loop.  What the body throws goes to the context.
#ifndef FILCH_POOL_SHARE_UNITS_H_
#define FILCH_POOL_SHARE_UNITS_H_

#include <cstdint>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/context.h"
#include "filch/pool/dealt_loop.h"
#include "filch/pool/evenness.h"
#include "filch/pool/lone_start.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/shared_loop.h"
#include "filch/pool/slot.h"
#include "filch/pool/unit_tree.h"

namespace filch {
namespace pool_internal {

// The loop with whoever is free.
inline void RunTogether(LoopBody& body, UnitInterval units, Context& context, Slot& slot,
                        void* segment, Evenness evenness = Evenness::kEven) {
  SharedLoop loop(body, context, slot, evenness);
  loop.Participate(slot, units, segment);
}

// The same for a loop of a kind of which something is known: nobody comes by chance if all others
// look for work.
inline void DealOrShare(LoopBody& body, UnitInterval units, Context& context, Slot& slot,
                        void* segment, Evenness evenness = Evenness::kEven) {
  if (TryToDealEvenly(body, units, context, slot, evenness)) return;
  RunTogether(body, units, context, slot, segment, evenness);
}

// Shares all units, as a tree of pieces of so many; 0: as a SharedLoop.
inline void Share(LoopBody& body, UnitInterval units, std::uint32_t piece, Context& context,
                  Slot& slot, Evenness evenness = Evenness::kEven) {
  void* segment = nullptr;
  if (piece != 0) {
    UnitTree(body, context, piece, evenness).Run(slot, units, &segment);
  } else {
    RunTogether(body, units, context, slot, segment, evenness);
  }
}

// Begins alone, until the help of others is worth it.
inline void BeginAloneAndShare(LoopBody& body, UnitInterval units, Context& context, Slot& slot,
                               const LoopStart& start) {
  try {
    BeginAlone(body, units, context, slot, start, [&](UnitInterval rest, void* segment) {
      DealOrShare(body, rest, context, slot, segment);
    });
  } catch (...) {
    context.CaptureCurrentException();
  }
}

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_SHARE_UNITS_H_
