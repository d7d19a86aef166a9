#include "filch/pool/loop_in_pieces.h"

#include <cstdint>

#include "filch/pool/dealt_loop.h"
#include "filch/pool/evenness.h"
#include "filch/pool/first_units.h"
#include "filch/pool/loop_history.h"
#include "filch/pool/loop_paces.h"
#include "filch/pool/share_units.h"
#include "filch/pool/sleepers_credit.h"
#include "filch/pool/unit_tree.h"
#include "filch/topology/tick_clock.h"

namespace filch {
namespace pool_internal {
namespace {

// Then calls finish(), which is a part of the loop.
template <typename Finish>
void RunPieces(LoopBody& body, UnitInterval units, LoopPaces::Cut cut, Context& context, Slot& slot,
               const LoopStart& start, const Finish& finish) {
  LoopHistory& history = LoopHistory::Own();
  history.sleepers_credit.Call(start.everybody_sleeps);
  const FirstUnits all(slot);
  const bool dealt = TryToDealEvenly(body, units, context, slot);
  const Evenness evenness = EvennessOf(body.kind());
  if (!dealt) Share(body, units, cut.piece, context, slot, evenness);
  const bool others_came = dealt || (!start.everybody_sleeps && !all.unaided());
  finish();
  if (context.IsCancelled()) return;
  const std::uint64_t elapsed = Ticks() - start.time;
  history.sleepers_credit.RanTogether(cut.alone, elapsed);
  // Who looks for work and has none of it was offered what was over when he came.
  if (cut.piece == 1 && !others_came && !start.everybody_sleeps &&
      slot.arena->ApproximateSearchers() > 0) {
    body.kind().WasUneven();
  }
  history.paces.NoteShared(body.kind().OfSize(units.size()), cut.alone, elapsed, others_came);
}

LoopPaces::Cut CutOf(LoopBody& body, UnitInterval units, const Slot& slot) {
  const void* const kind = body.kind().OfSize(units.size());
  return LoopHistory::Own().paces.CutOf(kind, units.size(), slot.concurrency);
}

}  // namespace

bool RunInPiecesIfKnown(LoopBody& body, UnitInterval units, Context& context, Slot& slot,
                        const LoopStart& start) {
  if (start.worth != SleepersCredit::kAwake) return false;
  const LoopPaces::Cut cut = CutOf(body, units, slot);
  if (cut.piece == 0) return false;
  RunPieces(body, units, cut, context, slot, start, [] {});
  return true;
}

bool RunScanInPiecesIfKnown(ScanBody& body, UnitInterval units, Context& context, Slot& slot,
                            const LoopStart& start, AfterScan finish) {
  const std::uint32_t piece = UnitTree::PieceForEach(units.size(), slot.concurrency);
  const LoopPaces::Cut cut = CutOf(body, units, slot);
  // Of two threads and three units of 5, 15 and 50 us, two thirds of the time alone (two virtual
  // AMD EPYC processors, 2026-11-28).
  if (piece == 0 || cut.piece == 0 || cut.alone < start.worth) return false;
  RunPieces(body, units, {piece, cut.alone}, context, slot, start,
            [&] { finish(body, context, slot); });
  return true;
}

}  // namespace pool_internal
}  // namespace filch
