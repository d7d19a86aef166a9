#include "filch/pool/few_units_loop.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "filch/pool/dealt_loop.h"
#include "filch/pool/evenness.h"
#include "filch/pool/hand_over.h"
#include "filch/pool/lone_start.h"
#include "filch/pool/loop_history.h"
#include "filch/pool/loop_in_pieces.h"
#include "filch/pool/loop_paces.h"
#include "filch/pool/many_threads.h"
#include "filch/pool/share_units.h"
#include "filch/pool/sleepers_credit.h"
#include "filch/pool/unit_tree.h"
#include "filch/pool/watched_body.h"
#include "filch/pool/withholding.h"
#include "filch/topology/tick_clock.h"

namespace filch {
namespace pool_internal {
namespace {

// Shares a loop of few units from the first one on, that may wait for the others, and remembers
// what those of its kind and size are like.  Whether the loop would have taken less than `worth`
// alone, or than it took.
bool ShareFew(LoopBody& body, UnitInterval units, const void* kind, std::uint64_t worth,
              Context& context, Slot& slot) {
  slot.deque.PrepareToExpose();
  LoopHistory& history = LoopHistory::Own();
  const bool quick = history.quick.Contains(kind);
  // Units of a kind of which nothing is known may wait for each other.
  const std::uint32_t piece = quick ? UnitTree::PieceFor(units.size(), slot.concurrency)
                                    : UnitTree::PieceForEach(units.size(), slot.concurrency);
  const LoopPaces::Cut cut = history.paces.CutOf(kind, units.size(), slot.concurrency);
  const std::uint64_t begin = Ticks();
  if (cut.piece != 0 && slot.concurrency >= kManyThreads) {
    const bool dealt = TryToDealEvenly(body, units, context, slot);
    if (!dealt) Share(body, units, piece, context, slot);
    if (!context.IsCancelled()) {
      history.paces.NoteShared(kind, cut.alone, Ticks() - begin, dealt);
    }
    return false;
  }
  const auto order = piece != 0 ? WatchedBody::Order::kInTurn : WatchedBody::Order::kAny;
  WatchedBody watched(body, slot, quick, order, units.end);
  const Evenness evenness = EvennessOf(body.kind());
  Share(watched, units, piece, context, slot, evenness);
  if (context.IsCancelled()) return false;
  const std::uint64_t elapsed = Ticks() - begin;
  const std::uint64_t alone = watched.TimeOf(units.size());
  const bool long_at_its_end = watched.is_long_at_its_end();
  if (long_at_its_end) body.kind().WasUneven();
  // By the first of them nothing is known of the others.
  if (long_at_its_end || evenness == Evenness::kUneven) return false;
  const bool is_short = watched.unaided() && alone < std::max(worth, elapsed);
  // The first time a unit that looks short may have waited for its caches.
  if (!is_short && quick == watched.quick()) {
    history.paces.NoteAlone(kind, units.size(), alone, slot.concurrency);
  }
  history.quick.Note(kind, watched.quick());
  return is_short;
}

// A loop that looks like nothing is run by run_brief(), which says whether it was that, or nothing
// if it remembers the loop itself.
template <typename RunBrief>
void RunAsRemembered(LoopBody& body, UnitInterval units, std::uint64_t worth, Context& context,
                     Slot& slot, const RunBrief& run_brief) {
  LoopHistory& history = LoopHistory::Own();
  const void* const kind = body.kind().OfSize(units.size());
  std::optional<bool> was_short;
  if (history.brief.Contains(kind)) {
    was_short = run_brief();
  } else {
    was_short = ShareFew(body, units, kind, worth, context, slot);
  }
  if (was_short.has_value() && !context.IsCancelled()) history.brief.Note(kind, *was_short);
}

// Begins alone if loops of about as many units with such a body took less than `worth`.
void RunAsBefore(LoopBody& body, UnitInterval units, std::uint64_t worth, Context& context,
                 Slot& slot) {
  RunAsRemembered(body, units, worth, context, slot, [&]() -> std::optional<bool> {
    const LoopStart start = StartLoop(slot, body.kind());
    if (RunInPiecesIfKnown(body, units, context, slot, start)) return std::nullopt;
    BeginAloneAndShare(body, units, context, slot, start);
    // What was believed may be a little more.
    return Ticks() - start.time < worth + worth / 4;
  });
}

// While somebody is awake: a loop of so few units that all of them may run at the same time, and
// wait for each other.
void RunFewAwake(LoopBody& body, UnitInterval units, Context& context, Slot& slot) {
  if (slot.concurrency == 2) {
    slot.deque.PrepareToExpose();
    return Share(body, units, 1, context, slot);
  }
  // To hand halves of halves over takes so long until each thread has its part.
  const auto parts = std::min(units.size(), static_cast<std::uint32_t>(slot.concurrency));
  const auto steps = static_cast<std::uint64_t>(32 - __builtin_clz(parts - 1));
  const std::uint64_t worth = steps * kHandOver;
  RunAsRemembered(body, units, worth, context, slot, [&] {
    const Withholding withholding(slot, true);
    const std::uint64_t begin = Ticks();
    Share(body, units, 1, context, slot);
    return Ticks() - begin < 2 * worth;
  });
}

}  // namespace

void RunFewUnits(LoopBody& body, UnitInterval units, Context& context, Slot& slot) {
  // One unit a thread, and they may wait for each other.  Two, and while nobody has to be
  // woken a tree of them costs less than to begin alone.
  const auto threads = static_cast<std::uint32_t>(slot.concurrency);
  const bool everybody_sleeps = slot.need_wake->IsAsked();
  if (!everybody_sleeps && units.size() <= 2 * threads) {
    return RunFewAwake(body, units, context, slot);
  }
  if (units.size() <= threads) return Share(body, units, 1, context, slot);
  // To call somebody takes so long, at first 60 us: three fifths of what a loop that begins alone
  // must be worth for that.  Loops of 20, 30, 40 and 50 us took 1.5, 1.2, 1.05 and 0.95 of a serial
  // loop's time with a call (two virtual AMD EPYC processors, 2026-11-24).
  const std::uint64_t wake = LoopHistory::Own().sleepers_credit.asleep() * 3 / 5;
  RunAsBefore(body, units, everybody_sleeps ? wake : SleepersCredit::kAwake, context, slot);
}

}  // namespace pool_internal
}  // namespace filch
