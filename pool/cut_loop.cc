#include "filch/pool/cut_loop.h"

#include <cstdint>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/first_units.h"
#include "filch/pool/lone_start.h"
#include "filch/pool/loop_history.h"
#include "filch/pool/loop_trial.h"
#include "filch/pool/slot.h"

namespace filch {

using pool_internal::BeginAlone;
using pool_internal::CurrentSlot;
using pool_internal::FirstUnits;
using pool_internal::LoopHistory;
using pool_internal::LoopTrial;
using pool_internal::Slot;
using pool_internal::StartLoop;

namespace {

// The fewest pieces of a loop that may begin alone.
std::uint32_t UnitsFor(int threads) {
  std::uint32_t units = 2;
  while (!LoopTrial::Suits(units, threads)) units *= 2;
  return units;
}

}  // namespace

void RunCutLoop(CutLoop& loop, Context& context) {
  LoopHistory& history = LoopHistory::Own();
  Slot& slot = CurrentSlot();
  const std::uint32_t units = UnitsFor(slot.concurrency);
  if (loop.kind().BeginsUneven()) return loop.Share(nullptr);
  if (!history.independent.Contains(&loop.kind()) || !loop.TryToCut(units)) {
    FirstUnits first(slot, history.quick.Contains(&loop.kind()));
    loop.Share(&first);
    if (context.IsCancelled()) return;
    history.independent.Note(&loop.kind(), first.ended_unaided());
    history.quick.Note(&loop.kind(), first.AreQuick(1));
    return;
  }
  BeginAlone(loop, {0, units}, context, slot, StartLoop(slot),
             [&loop](UnitInterval, void*) { loop.Share(nullptr); });
}

}  // namespace filch
