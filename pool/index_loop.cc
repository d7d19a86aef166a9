#include "filch/pool/index_loop.h"

#include <cstdint>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/context_scope.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/few_units_loop.h"
#include "filch/pool/lone_start.h"
#include "filch/pool/loop_history.h"
#include "filch/pool/loop_in_pieces.h"
#include "filch/pool/loop_trial.h"
#include "filch/pool/placed_loop.h"
#include "filch/pool/scan_body.h"
#include "filch/pool/share_units.h"
#include "filch/pool/slot.h"
#include "filch/pool/static_loop.h"
#include "filch/pool/unit_tree.h"
#include "filch/pool/watched_body.h"

namespace filch {

using pool_internal::BeginAloneAndShare;
using pool_internal::CurrentSlot;
using pool_internal::DealOrShare;
using pool_internal::Evenness;
using pool_internal::LoopHistory;
using pool_internal::LoopStart;
using pool_internal::LoopTrial;
using pool_internal::NoteTimeAlone;
using pool_internal::RunFewUnits;
using pool_internal::RunInPiecesIfKnown;
using pool_internal::RunScanInPiecesIfKnown;
using pool_internal::Share;
using pool_internal::ShareRest;
using pool_internal::Slot;
using pool_internal::StartLoop;
using pool_internal::UnitTree;
using pool_internal::WatchedBody;

namespace {

// Nobody else can come: no ranges, no invitations.  Throws what the body throws.
void RunAlone(LoopBody& body, UnitInterval rest, Context& context, void* segment) {
  // In parts, so that cancelling takes effect.
  const std::uint32_t most = rest.size() / 16 + 1;
  while (!rest.empty() && !context.IsCancelled()) body.Run(TakeLower(&rest, most), &segment);
}
void RunAlone(LoopBody& body, std::uint32_t units, Context& context) {
  try {
    RunAlone(body, {0, units}, context, nullptr);
  } catch (...) {
    context.CaptureCurrentException();
  }
}

// Begins alone, until the help of others is worth it.
void BeginAlone(LoneLoop& loop, UnitInterval units, Context& context, Slot& slot,
                const LoopStart& start) {
  try {
    pool_internal::BeginAlone(loop, units, context, slot, start,
                              [&](UnitInterval rest, void*) { loop.Share(rest); });
  } catch (...) {
    context.CaptureCurrentException();
  }
}

// A loop of many units: what others like it took decides whether it begins alone.
void RunMany(LoopBody& body, UnitInterval units, Context& context, Slot& slot) {
  LoopHistory& history = LoopHistory::Own();
  const LoopStart start = StartLoop(slot, body.kind());
  if (RunInPiecesIfKnown(body, units, context, slot, start)) return;
  if (__builtin_expect(body.kind().BeginsUneven(), 0)) {
    history.sleepers_credit.Call(start.everybody_sleeps);
    return DealOrShare(body, units, context, slot, nullptr, Evenness::kUneven);
  }
  if (__builtin_expect(history.independent.Contains(&body.kind()), 1)) {
    return BeginAloneAndShare(body, units, context, slot, start);
  }
  history.sleepers_credit.Call(start.everybody_sleeps);
  WatchedBody watched(body, slot, history.quick.Contains(&body.kind()));
  Share(watched, units, 0, context, slot);
  if (context.IsCancelled()) return;
  history.independent.Note(&body.kind(), watched.unaided());
  history.quick.Note(&body.kind(), watched.quick());
}

// The loop with whoever is free, as its number of units suggests.
void RunStealing(LoopBody& body, UnitInterval units, Context& context, Slot& slot) {
  // What is expected is the way of small loops: whoever calls one now and then finds neither
  // code nor branches in the caches, and each line and jump less is some nanoseconds.
  if (__builtin_expect(LoopTrial::Suits(units.size(), slot.concurrency), 1)) {
    return RunMany(body, units, context, slot);
  }
  RunFewUnits(body, units, context, slot);
}

// For a loop that goes twice through what others help with: n threads need 2 / (n + 1) of the time
// of one at best.  `handed_on` is what it takes to hand sums on.
LoopStart OfScan(LoopStart start, const Slot& slot, std::uint64_t handed_on) {
  const auto threads = static_cast<std::uint64_t>(slot.concurrency);
  start.worth = (start.worth / 2 + handed_on) * (threads + 1) / (threads - 1);
  return start;
}
// In a chain: with 20000 scans of 30 to 60 us were left alone, of which two threads need 0.7 to
// 0.85 of the time; with 2000 some short ones took longer (two virtual AMD EPYC processors,
// 2026-11-29).
constexpr std::uint64_t kHandedOnInChain = 5000;
// To many threads, in two passes: not measured, but what two threads were found to need at first.
constexpr std::uint64_t kHandedOnToMany = 20000;

void ShareScan(ScanBody& body, std::uint32_t units, Context& context, Slot& slot,
               const LoopStart& start) {
  BeginAloneAndShare(body, {0, units}, context, slot, OfScan(start, slot, kHandedOnInChain));
}

// What the loop of a scan leaves over.
void FinishScan(ScanBody& body, Context& context, Slot& slot) {
  try {
    while (!context.IsCancelled()) {
      std::uint32_t units = 0;
      LoopBody* const left_over = body.GatherLeftOver(&units);
      if (left_over == nullptr) return;
      if (units == 1) {
        RunAlone(*left_over, {0, 1}, context, nullptr);
      } else {
        RunStealing(*left_over, {0, units}, context, slot);
      }
      if (context.IsCancelled()) return;
      const std::uint32_t again = body.BeginAgain();
      if (again != 0) ShareScan(body, again, context, slot, StartLoop(slot));
    }
  } catch (...) {
    context.CaptureCurrentException();
  }
}

// Runs a loop of one unit or in an arena of one thread, and others by together(slot).
template <typename Together>
void RunAloneOr(LoopBody& body, std::uint32_t units, Context& context, const Together& together) {
  if (units == 0) return;
  Slot& slot = CurrentSlot();
  {
    const ContextScope scope(context, slot);
    if (units == 1 || slot.concurrency == 1) {
      RunAlone(body, units, context);
    } else {
      together(slot);
    }
  }
  context.Rethrow();
}

}  // namespace

void RunIndexLoop(LoopBody& body, std::uint32_t units, LoopSchedule schedule, Context& context) {
  if (units == 0) return;
  Slot& slot = CurrentSlot();
  {
    const ContextScope scope(context, slot);
    if (__builtin_expect(units == 1 || slot.concurrency == 1, 0)) {
      RunAlone(body, units, context);
    } else if (__builtin_expect(schedule == LoopSchedule::kStealing, 1)) {
      RunStealing(body, {0, units}, context, slot);
    } else if (schedule == LoopSchedule::kStatic) {
      pool_internal::RunStaticLoop(body, units, context, slot);
    } else {
      const std::uint32_t piece = UnitTree::PieceForEach(units, slot.concurrency);
      Share(body, {0, units}, piece, context, slot);
    }
  }
  context.Rethrow();
}

void pool_internal::FinishLoop(LoopBody& body, UnitInterval rest, const LoopBeginning& beginning,
                               Context& context, Slot& slot) {
  if (rest.empty() || context.IsCancelled()) return;
  if (slot.concurrency == 1) return RunAlone(body, rest, context, beginning.segment);
  const LoopStart start = StartLoop(slot);
  const auto share = [&](UnitInterval last, void* segment) {
    DealOrShare(body, last, context, slot, segment);
  };
  LoopTrial trial(start.worth);
  if (!trial.Finished(beginning.units, beginning.elapsed, rest.size())) {
    return pool_internal::BeginAlone(body, rest, context, slot, start, share, beginning.segment);
  }
  LoopHistory::Own().sleepers_credit.Call(start.everybody_sleeps);
  NoteTimeAlone(body, beginning.units + rest.size(), beginning.elapsed + trial.expected(), slot);
  ShareRest(rest, beginning.segment, trial.expected(), share);
}

void RunIndexLoop(LoopBody& body, std::uint32_t units, UnitPlaces& places, Context& context) {
  if (units == 0) return;
  places.Begin(units);
  RunAloneOr(body, units, context,
             [&](Slot& slot) { pool_internal::RunPlacedLoop(body, units, places, context, slot); });
}

void RunScanLoop(ScanBody& body, std::uint32_t units, Context& context) {
  RunAloneOr(body, units, context, [&](Slot& slot) {
    // Nobody sums the last unit, and this thread scans the first.
    if (units == 2) return RunAlone(body, units, context);
    const LoopStart start = StartLoop(slot);
    if (RunScanInPiecesIfKnown(body, {0, units}, context, slot, start, &FinishScan)) return;
    ShareScan(body, units, context, slot, start);
    FinishScan(body, context, slot);
  });
}

void RunLoneLoop(LoneLoop& loop, std::uint32_t units, Context& context) {
  RunAloneOr(loop, units, context, [&](Slot& slot) {
    BeginAlone(loop, {0, units}, context, slot, OfScan(StartLoop(slot), slot, kHandedOnToMany));
  });
}

}  // namespace filch
