#include "filch/pool/index_loop.h"

#include <algorithm>
#include <cstdint>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/arena.h"
#include "filch/pool/context_scope.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/dealt_loop.h"
#include "filch/pool/first_units.h"
#include "filch/pool/hand_over.h"
#include "filch/pool/lone_start.h"
#include "filch/pool/loop_history.h"
#include "filch/pool/loop_paces.h"
#include "filch/pool/loop_trial.h"
#include "filch/pool/many_threads.h"
#include "filch/pool/placed_loop.h"
#include "filch/pool/shared_loop.h"
#include "filch/pool/sleepers_credit.h"
#include "filch/pool/slot.h"
#include "filch/pool/static_loop.h"
#include "filch/pool/unit_tree.h"
#include "filch/pool/withholding.h"
#include "filch/topology/tick_clock.h"

namespace filch {

using pool_internal::CurrentSlot;
using pool_internal::FirstUnits;
using pool_internal::kHandOver;
using pool_internal::kManyThreads;
using pool_internal::LoopHistory;
using pool_internal::LoopPaces;
using pool_internal::LoopStart;
using pool_internal::LoopTrial;
using pool_internal::NoteTimeAlone;
using pool_internal::SharedLoop;
using pool_internal::ShareRest;
using pool_internal::SleepersCredit;
using pool_internal::Slot;
using pool_internal::StartLoop;
using pool_internal::TryToDealEvenly;
using pool_internal::UnitTree;
using pool_internal::Withholding;

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

// The loop with whoever is free.
void RunTogether(LoopBody& body, UnitInterval units, Context& context, Slot& slot, void* segment,
                 bool uneven = false) {
  SharedLoop loop(body, context, slot, uneven);
  loop.Participate(slot, units, segment);
}

// The same for a loop of a kind of which something is known: nobody comes by chance if all others
// look for work.
void DealOrShare(LoopBody& body, UnitInterval units, Context& context, Slot& slot, void* segment,
                 bool uneven = false) {
  if (TryToDealEvenly(body, units, uneven, context, slot)) return;
  RunTogether(body, units, context, slot, segment, uneven);
}

// Begins alone, until the help of others is worth it.
void BeginAlone(LoopBody& body, UnitInterval units, Context& context, Slot& slot,
                const LoopStart& start) {
  try {
    pool_internal::BeginAlone(
        body, units, context, slot, start,
        [&](UnitInterval rest, void* segment) { DealOrShare(body, rest, context, slot, segment); });
  } catch (...) {
    context.CaptureCurrentException();
  }
}
void BeginAlone(LoneLoop& loop, UnitInterval units, Context& context, Slot& slot,
                const LoopStart& start) {
  try {
    pool_internal::BeginAlone(loop, units, context, slot, start,
                              [&](UnitInterval rest, void*) { loop.Share(rest); });
  } catch (...) {
    context.CaptureCurrentException();
  }
}

// Shares all units, as a tree of pieces of so many; 0: as a SharedLoop.
void Share(LoopBody& body, UnitInterval units, std::uint32_t piece, Context& context, Slot& slot) {
  void* segment = nullptr;
  if (piece != 0) {
    UnitTree(body, context, piece).Run(slot, units, &segment);
  } else {
    RunTogether(body, units, context, slot, segment);
  }
}

// A body whose first units are watched, for a loop that the thread in `slot` runs.
class WatchedBody final : public LoopBody {
 public:
  // `withhold`: the others, until the first ones have begun.  `in_turn`: who begins does not look
  // after others before its second ones.
  WatchedBody(LoopBody& body, Slot& slot, bool withhold, bool in_turn)
      : LoopBody(body.kind()), body_(body), in_turn_(in_turn), first_(slot, withhold) {}

  // Not inlined, on a guess, where loops begin alone: they are not watched.
  __attribute__((noinline)) void Run(UnitInterval units, void** segment) override {
    // The first unit may have been stolen: then the loop is not unaided, and nothing is known of
    // it.
    if (!first_.IsOwner()) return body_.Run(units, segment);
    if (units.begin == 0) {
      units_ = units.size();
      first_.Begin();
      body_.Run(units, segment);
      // Where others are kept waiting for it anyway, the next one says more.
      if (LooksTwice()) {
        first_.OneEnded();
      } else {
        first_.Ended();
      }
    } else if (units.begin == units_ && units.size() == units_ && LooksTwice()) {
      body_.Run(units, segment);
      first_.Ended();
    } else {
      first_.Release();
      body_.Run(units, segment);
    }
  }
  // When the loop is over: whether its first units ended before anybody came, or were quick.
  bool unaided() const { return first_.ended_unaided(); }
  bool quick() const { return first_.AreQuick(units_); }
  // When the loop is over: how long so many units would take, by the first.
  std::uint64_t TimeOf(std::uint32_t units) const {
    // Two seconds are for ever, and times a number of units they still fit.
    constexpr std::uint64_t kForever = std::uint64_t{1} << 31;
    return std::min(first_.elapsed(), kForever) * units / units_;
  }

 private:
  bool LooksTwice() const { return in_turn_ && first_.withholds(); }

  LoopBody& body_;
  const bool in_turn_;
  FirstUnits first_;
  std::uint32_t units_ = 1;
};

// Shares the loop in pieces from the first one on.
void RunPieces(LoopBody& body, UnitInterval units, LoopPaces::Cut cut, Context& context, Slot& slot,
               const LoopStart& start) {
  LoopHistory& history = LoopHistory::Own();
  history.sleepers_credit.Call(start.everybody_sleeps);
  const FirstUnits all(slot);
  const bool dealt = TryToDealEvenly(body, units, false, context, slot);
  if (!dealt) Share(body, units, cut.piece, context, slot);
  if (context.IsCancelled()) return;  // what was cut short says nothing
  const std::uint64_t elapsed = Ticks() - start.time;
  history.sleepers_credit.RanTogether(cut.alone, elapsed);
  const bool others_came = dealt || (!start.everybody_sleeps && !all.unaided());
  history.paces.NoteShared(body.kind().OfSize(units.size()), cut.alone, elapsed, others_came);
}

// Does so if the last ones of its kind show that it pays; else false, and nothing is run.
bool RunPiecesIfKnown(LoopBody& body, UnitInterval units, Context& context, Slot& slot,
                      const LoopStart& start) {
  if (start.worth != SleepersCredit::kAwake) return false;
  const LoopPaces::Cut cut = LoopHistory::Own().paces.CutOf(body.kind().OfSize(units.size()),
                                                            units.size(), slot.concurrency);
  if (cut.piece == 0) return false;
  RunPieces(body, units, cut, context, slot, start);
  return true;
}

// Shares a loop of few units from the first one on, that may wait for the others, and remembers
// what those of its kind and size are like.  Whether the loop would have taken less than `worth`
// alone, or than it took.
bool ShareFew(LoopBody& body, UnitInterval units, const void* kind, std::uint64_t worth,
              Context& context, Slot& slot) {
  LoopHistory& history = LoopHistory::Own();
  const bool quick = history.quick.Contains(kind);
  // Units of a kind of which nothing is known may wait for each other.
  const std::uint32_t piece = quick ? UnitTree::PieceFor(units.size(), slot.concurrency)
                                    : UnitTree::PieceForEach(units.size(), slot.concurrency);
  const LoopPaces::Cut cut = history.paces.CutOf(kind, units.size(), slot.concurrency);
  const std::uint64_t begin = Ticks();
  if (cut.piece != 0 && slot.concurrency >= kManyThreads) {
    const bool dealt = TryToDealEvenly(body, units, false, context, slot);
    if (!dealt) Share(body, units, piece, context, slot);
    if (!context.IsCancelled()) {
      history.paces.NoteShared(kind, cut.alone, Ticks() - begin, dealt);
    }
    return false;
  }
  WatchedBody watched(body, slot, quick, piece != 0);
  Share(watched, units, piece, context, slot);
  if (context.IsCancelled()) return false;  // what was cut short says nothing
  const std::uint64_t elapsed = Ticks() - begin;
  const std::uint64_t alone = watched.TimeOf(units.size());
  const bool is_short = watched.unaided() && alone < std::max(worth, elapsed);
  // The first time a unit that looks short may have waited for its caches.
  if (!is_short && quick == watched.quick()) {
    history.paces.NoteAlone(kind, units.size(), alone, slot.concurrency);
  }
  history.quick.Note(kind, watched.quick());
  return is_short;
}

// Begins alone if loops of about as many units with such a body took less than `worth`.
void RunAsBefore(LoopBody& body, UnitInterval units, std::uint64_t worth, Context& context,
                 Slot& slot) {
  LoopHistory& history = LoopHistory::Own();
  const void* const kind = body.kind().OfSize(units.size());
  bool was_short = false;
  if (history.brief.Contains(kind)) {
    const LoopStart start = StartLoop(slot);
    if (RunPiecesIfKnown(body, units, context, slot, start)) return;
    BeginAlone(body, units, context, slot, start);
    // What was believed may be a little more.
    was_short = Ticks() - start.time < worth + worth / 4;
  } else {
    was_short = ShareFew(body, units, kind, worth, context, slot);
  }
  // What was cut short says nothing.
  if (!context.IsCancelled()) history.brief.Note(kind, was_short);
}

// A loop of so few units that all of them may run at the same time, and wait for each other, while
// somebody is awake.
void RunFew(LoopBody& body, UnitInterval units, Context& context, Slot& slot) {
  if (slot.concurrency == 2) return Share(body, units, 1, context, slot);
  // To hand halves of halves over takes so long until each thread has its part.
  const auto parts = std::min(units.size(), static_cast<std::uint32_t>(slot.concurrency));
  const auto steps = static_cast<std::uint64_t>(32 - __builtin_clz(parts - 1));
  const std::uint64_t worth = steps * kHandOver;
  LoopHistory& history = LoopHistory::Own();
  const void* const kind = body.kind().OfSize(units.size());
  bool was_short = false;
  if (history.brief.Contains(kind)) {
    const Withholding withholding(slot, true);
    const std::uint64_t begin = Ticks();
    Share(body, units, 1, context, slot);
    was_short = Ticks() - begin < 2 * worth;
  } else {
    was_short = ShareFew(body, units, kind, worth, context, slot);
  }
  if (!context.IsCancelled()) history.brief.Note(kind, was_short);
}

// A loop of many units: what others like it took decides whether it begins alone.
void RunMany(LoopBody& body, UnitInterval units, Context& context, Slot& slot) {
  LoopHistory& history = LoopHistory::Own();
  const LoopStart start = StartLoop(slot);
  if (RunPiecesIfKnown(body, units, context, slot, start)) return;
  if (__builtin_expect(body.kind().BeginsUneven(), 0)) {
    history.sleepers_credit.Call(start.everybody_sleeps);
    return DealOrShare(body, units, context, slot, nullptr, true);
  }
  if (__builtin_expect(history.independent.Contains(&body.kind()), 1)) {
    return BeginAlone(body, units, context, slot, start);
  }
  history.sleepers_credit.Call(start.everybody_sleeps);
  WatchedBody watched(body, slot, history.quick.Contains(&body.kind()), false);
  Share(watched, units, 0, context, slot);
  if (context.IsCancelled()) return;
  history.independent.Note(&body.kind(), watched.unaided());
  history.quick.Note(&body.kind(), watched.quick());
}

// The loop with whoever is free, as its number of units suggests.
void RunStealing(LoopBody& body, UnitInterval units, Context& context, Slot& slot) {
  const int concurrency = slot.concurrency;
  // What is expected is the way of small loops: whoever calls one now and then finds neither
  // code nor branches in the caches, and each line and jump less is some nanoseconds.
  if (__builtin_expect(LoopTrial::Suits(units.size(), concurrency), 1)) {
    return RunMany(body, units, context, slot);
  }
  // One unit a thread, and they may wait for each other.  Two, and while nobody has to be
  // woken a tree of them costs less than to begin alone.
  const auto threads = static_cast<std::uint32_t>(concurrency);
  const bool everybody_sleeps = slot.need_wake->IsAsked();
  if (!everybody_sleeps && units.size() <= 2 * threads) return RunFew(body, units, context, slot);
  if (units.size() <= threads) return Share(body, units, 1, context, slot);
  // To call somebody takes so long, at first 60 us: three fifths of what a loop that begins alone
  // must be worth for that.  Loops of 20, 30, 40 and 50 us took 1.5, 1.2, 1.05 and 0.95 of a serial
  // loop's time with a call (two virtual AMD EPYC processors, 2026-11-24).
  const std::uint64_t wake = LoopHistory::Own().sleepers_credit.asleep() * 3 / 5;
  RunAsBefore(body, units, everybody_sleeps ? wake : SleepersCredit::kAwake, context, slot);
}

// Now, for a loop that goes twice through what others help with: n threads need 2 / (n + 1) of
// the time of one at best.
LoopStart StartScan(const Slot& slot) {
  // What it takes to hand sums on.  With 15000 scans of 50 us were up to a tenth longer than
  // serial ones (two virtual AMD EPYC processors, 2026-11-23).
  constexpr std::uint64_t kHandedOn = 20000;
  const auto threads = static_cast<std::uint64_t>(slot.concurrency);
  LoopStart start = StartLoop(slot);
  start.worth = (start.worth / 2 + kHandedOn) * (threads + 1) / (threads - 1);
  return start;
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
    } else if (schedule == LoopSchedule::kStealingAtOnce) {
      const std::uint32_t piece = UnitTree::PieceForEach(units, slot.concurrency);
      Share(body, {0, units}, piece, context, slot);
    } else {
      BeginAlone(body, {0, units}, context, slot, StartScan(slot));
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
  Slot& slot = CurrentSlot();
  places.Begin(units);
  {
    const ContextScope scope(context, slot);
    if (units == 1 || slot.concurrency == 1) {
      RunAlone(body, units, context);
    } else {
      pool_internal::RunPlacedLoop(body, units, places, context, slot);
    }
  }
  context.Rethrow();
}

void RunLoneLoop(LoneLoop& loop, std::uint32_t units, Context& context) {
  if (units == 0) return;
  Slot& slot = CurrentSlot();
  {
    const ContextScope scope(context, slot);
    if (units == 1 || slot.concurrency == 1) {
      RunAlone(loop, units, context);
    } else {
      BeginAlone(loop, {0, units}, context, slot, StartScan(slot));
    }
  }
  context.Rethrow();
}

}  // namespace filch
