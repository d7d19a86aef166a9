// RunBriefLoop: a loop that is believed to be over before anybody could help (LoopKind), run
// where it is called.
//
// A thread that comes back to a loop after a while finds neither its code nor its data in the
// caches, and each line of either takes some nanoseconds.  The way of other loops touches
// seventy, a fifth of a loop of a microsecond (two virtual AMD EPYC processors, 2026-11-23);
// this one touches little beside the loop itself, which is inlined.
#ifndef FILCH_POOL_BRIEF_LOOP_H_
#define FILCH_POOL_BRIEF_LOOP_H_

#include <algorithm>
#include <cstdint>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/context.h"
#include "filch/pool/context_scope.h"
#include "filch/pool/index_loop.h"
#include "filch/pool/loop_kind.h"
#include "filch/pool/loop_trial.h"
#include "filch/pool/slot.h"
#include "filch/pool/slow_dispatch.h"
#include "filch/topology/catch_all.h"
#include "filch/topology/tick_clock.h"

namespace filch {
namespace pool_internal {

// The slot of the calling thread if a loop of so many units of this kind had better run there
// and nowhere else; else null.
inline Slot* SlotForBriefLoop(const LoopKind& kind, std::uint32_t units) {
  if (!kind.IsBrief(units)) return nullptr;
  Slot* const slot = current_slot;
  if (slot == nullptr) return nullptr;
  // Few units may wait for each other.
  const auto threads = static_cast<std::uint32_t>(slot->concurrency);
  if (units <= 2 * threads) return nullptr;
  // Cancelled, traced, or with floating-point settings.
  return SlowDispatch::IsNeeded() ? nullptr : slot;
}

// How many units of a brief loop come first, on one of so many threads: if this is another loop
// than the last ones, it is soon seen.  One of few units (LoopTrial), for the others may wait for
// each other.
inline std::uint32_t FirstOfBriefLoop(std::uint32_t units, int threads) {
  const std::uint32_t many = LoopTrial::kUnitsPerThread * static_cast<std::uint32_t>(threads);
  return std::max(units / many, std::uint32_t{1});
}

// How many come next, and then the others: a loop whose first units are unlike the rest does not
// run to its end alone, nor one that is cancelled.  Each look at the clock adds 15 ns to a loop
// of a microsecond (two virtual Intel Xeon processors, 2026-11-24).
inline std::uint32_t NextOfBriefLoop(std::uint32_t units) { return units / 2 + 1; }

// Runs all units of [0, units), under `context`; if they are not brief after all, the rest goes
// the usual way.  The thread in `slot`.  Throws what the body throws.  Not inlined, so that
// loops that are not brief do not pay for its registers.
template <typename Loop>
__attribute__((noinline)) void RunBriefLoop(Loop& body, std::uint32_t units, Context& context,
                                            Slot& slot) {
  {
    const ContextScope scope(context, slot);
    FILCH_TRY {
      void* segment = nullptr;
      UnitInterval rest{0, units};
      const std::uint64_t begin = Ticks();
      std::uint32_t most = FirstOfBriefLoop(units, slot.concurrency);
      std::uint64_t limit = LoopKind::kBrief / 4;
      std::uint64_t elapsed = 0;
      do {
        body.Run(TakeLower(&rest, most), &segment);
        elapsed = Ticks() - begin;
        if (__builtin_expect(elapsed > limit, 0)) break;
        most = NextOfBriefLoop(units);
        limit = LoopKind::kLong;
      } while (!rest.empty() && !context.IsCancelled());
      if (__builtin_expect(elapsed > limit, 0)) {
        if (!context.IsCancelled()) body.kind().WasLong(elapsed);
        pool_internal::FinishLoop(body, rest, {units - rest.size(), elapsed, segment}, context,
                                  slot);
      } else if (__builtin_expect(rest.empty(), 1)) {
        body.kind().WasBrief();
      }
      // What the thread has left in its deque before is not kept from others by loop after loop.
      slot.ExposeIfAsked();
    }
    FILCH_CATCH_ALL { context.CaptureCurrentException(); }
  }
  context.Rethrow();
}

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_BRIEF_LOOP_H_
