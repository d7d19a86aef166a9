// How a loop begins on its own thread alone, if at all.
//
// Only kinds of loops begin alone whose first units have ended before anybody came to help,
// several times in a row: a first unit of another kind may wait for a second thread.  A kind
// is the type of a body (loop_kind), so one that began to wait would not be seen.  And
// they are alone until what is left is worth help (LoopTrial), which depends on whether
// anybody is awake (SleepersCredit).
#ifndef FILCH_POOL_LONE_START_H_
#define FILCH_POOL_LONE_START_H_

#include <cstdint>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/arena.h"
#include "filch/pool/context.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/loop_history.h"
#include "filch/pool/loop_kind.h"
#include "filch/pool/loop_trial.h"
#include "filch/pool/sleepers_credit.h"
#include "filch/pool/slot.h"
#include "filch/topology/forced_inline.h"
#include "filch/topology/tick_clock.h"

namespace filch {
namespace pool_internal {

// A first unit of this length says that others should have been called.
constexpr std::uint64_t kLongUnit = 25000;

// How things are when a loop begins.
struct LoopStart {
  std::uint64_t time;
  // A hint; who has gone to sleep since then is called for what is worth help.
  bool everybody_sleeps;
  std::uint64_t worth;  // of LoopTrial
};

// Now.  The thread in `slot`.
inline LoopStart StartLoop(const Slot& slot) {
  const std::uint64_t now = Ticks();
  const bool everybody_sleeps = slot.need_wake->IsAsked();
  SleepersCredit& credit = LoopHistory::Own().sleepers_credit;
  std::uint64_t worth = credit.Worth(now, everybody_sleeps);
  if (everybody_sleeps && worth == SleepersCredit::kAwake && slot.arena->spin().count() == 0) {
    // Threads that do not spin sleep again when the next small loop begins.
    worth = credit.asleep();
  }
  return {now, everybody_sleeps, worth};
}

// The same for a loop of this kind: half of it should take longer than what those who help need for
// it.
inline LoopStart StartLoop(const Slot& slot, const LoopKind& kind) {
  LoopStart start = StartLoop(slot);
  start.worth += 2 * kind.making_and_joining();
  return start;
}

// A loop of so many units took so long on one thread, or would have.
inline void NoteTimeAlone(LoopBody& body, std::uint32_t units, std::uint64_t elapsed,
                          const Slot& slot) {
  body.kind().Took(units, elapsed);
  LoopHistory::Own().paces.NoteAlone(body.kind().OfSize(units), units, elapsed, slot.concurrency);
}

// Runs units alone until the rest, which it returns, is worth the help of others.
// Nothing if the loop is over or cancelled.  `*expected` is how long the rest would take.
// The thread in `slot`.  Throws what the body throws; then the loop is over.  Inlined: a
// loop of 1 us is 20 ns shorter.
FILCH_FORCED_INLINE UnitInterval RunUntilHelpPays(LoopBody& body, UnitInterval rest,
                                                  Context& context, Slot& slot,
                                                  const LoopStart& start, void** segment,
                                                  std::uint64_t* expected) {
  LoopHistory& history = LoopHistory::Own();
  const std::uint64_t begin = start.time;
  const bool everybody_sleeps = start.everybody_sleeps;
  const std::uint32_t units = rest.size();
  LoopTrial trial(start.worth);
  std::uint64_t started = begin;
  while (!rest.empty() && !context.IsCancelled()) {
    const UnitInterval now = TakeLower(&rest, trial.Next(rest.size()));
    body.Run(now, segment);
    const std::uint64_t finished = Ticks();
    const std::uint64_t took = finished - started;
    // A single unit says nothing of others.
    if (__builtin_expect(took > LoopKind::kSurprise, 0) && now.size() > 1) body.kind().WasUneven();
    if (__builtin_expect(rest.empty(), 1)) {
      const std::uint64_t elapsed = finished - begin;
      if (everybody_sleeps) history.sleepers_credit.RanAlone(begin, elapsed);
      if (!context.IsCancelled()) NoteTimeAlone(body, units, elapsed, slot);
      if (__builtin_expect(body.kind().making_and_joining() != 0, 0)) {
        body.kind().NeededNoSegments();
      }
      return {};
    }
    started = finished;
    if (__builtin_expect(trial.Finished(now.size(), took, rest.size()), 0)) {
      if (context.IsCancelled()) break;
      if (took > kLongUnit) history.independent.Note(&body.kind(), false);
      history.sleepers_credit.Call(everybody_sleeps);
      *expected = trial.expected();
      NoteTimeAlone(body, units, finished - begin + *expected, slot);
      return rest;
    }
    // Thieves ask for what the thread has left in its deque before the loop.  The
    // sleepers are left alone (Attend would call one): that is the point.
    slot.ExposeIfAsked();
  }
  if (everybody_sleeps) history.sleepers_credit.RanAlone(begin, started - begin);
  return {};
}

// Calls share(rest, segment), which runs what would take `expected` alone.
template <typename Share>
void ShareRest(UnitInterval rest, void* segment, std::uint64_t expected, const Share& share) {
  const std::uint64_t begin = Ticks();
  share(rest, segment);
  LoopHistory::Own().sleepers_credit.RanTogether(expected, Ticks() - begin);
}

// Runs units alone, and as soon as the rest is worth the help of others calls
// share(rest, segment), which runs it with them; `segment` belongs to the units before.  The
// thread in `slot`.  Throws what the body or `share` throws; then the loop is over.
template <typename Share>
FILCH_FORCED_INLINE void BeginAlone(LoopBody& body, UnitInterval units, Context& context,
                                    Slot& slot, const LoopStart& start, const Share& share,
                                    void* segment = nullptr) {
  std::uint64_t expected = 0;
  const UnitInterval rest =
      RunUntilHelpPays(body, units, context, slot, start, &segment, &expected);
  if (!rest.empty()) ShareRest(rest, segment, expected, share);
}

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_LONE_START_H_
