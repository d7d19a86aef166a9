// Workforce: the workers of a pool by number, as seen by those who call them:
// how many there may be, how many there are, and which of them sleep.
//
// The decisive part of a pool's side of sleeping and waking, free of threads and
// tasks, so that a model checker can run it; SLEEP.md has the proof.  `Pool` and
// `Arena` are what it works for:
//
//   Pool:   mutex()             a lock; guards the list of arenas and of workers
//           ArenaAt(i)          the i-th arena, or null past the end; takes the lock
//           arenas()            all of them, by descending priority; under the lock
//           AddWorker(number)   starts one, or returns false; under the lock
//           Wake(number)        unparks it
//           OccupyAsWorker(arena, number)   a slot there for it, or null
//           WakeWaiter(arena)   calls a thread that waits in the arena, if any
//   Arena:  wanted(), priority(), InsistsOnWorker(), HasLeftBehind(), NeedsWorker(),
//           HasWorkerSlots(), HasSlotForWorker(), FreeWorkerSlots(), IsSuperfluous(slot),
//           LooksBusy(),
//           ScanForAnyWork(), MarkFull(), StartSearching(serves_queue)
//
// Any thread, unless it says otherwise.
// Memory ordering: P1 to P8, S1 and W3 of README.md, all sequentially consistent.
#ifndef FILCH_POOL_WORKFORCE_H_
#define FILCH_POOL_WORKFORCE_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "filch/pool/sleeper_set.h"
#include "filch/pool/unserved.h"
#include "filch/topology/cache_line.h"
#include "filch/topology/std_atomics.h"

namespace filch {
namespace pool_internal {

template <typename Atomics = StdAtomics>
class BasicWorkforce {
 public:
  // At most `capacity` workers, `limit` for now.
  BasicWorkforce(int limit, int capacity) : limit_(limit), sleepers_(capacity) {}

  int limit() const {
    return limit_.load(std::memory_order_relaxed);  // P1: a hint for the one who asks
  }
  // True: it was raised, and the caller uses ForSuperfluous, and calls workers to arenas that
  // look busy.
  bool SetLimit(int limit) {
    if (limit_.exchange(limit, std::memory_order_seq_cst) >= limit) return false;  // P1: then call
    NoteRaise();
    return true;
  }
  // unpark(number) for each worker that may sleep without being a sleeper, because the limit
  // was below it; also for those that are awake.  Under the lock.
  template <typename Unpark>
  void ForSuperfluous(const Unpark& unpark) const {
    for (int number = 0; number < count(); ++number) {
      if (!sleepers_.Has(number)) unpark(number);
    }
  }

  // Whether worker `number` is within the limit, or needed in the arena at any limit.  Who asks
  // when it has found a task there sees the limit that the task's spawner saw.
  template <typename Arena>
  bool MayServe(int number, const Arena& arena) const {
    if (number < limit()) return true;
    return number == 0 && (limit_.load(std::memory_order_seq_cst) > 0 ||  // P1: before P8
                           NeedsAtAnyLimit(arena));
  }

  // A thread is about to sleep in a wait, and may be the only one that could have run what was
  // left behind in another arena, unless a worker comes for that.  Until the wait is over.
  template <typename Pool>
  void BeginSleepingWait(Pool& pool) {
    sleeping_waits_.fetch_add(1, std::memory_order_seq_cst);  // P8: then call
    if (limit_.load(std::memory_order_seq_cst) > 0) return;   // P1: after P8
    for (std::size_t i = 0; auto* const arena = pool.ArenaAt(i); ++i) {
      // The look takes an old mark away; one that stays would keep calling somebody.
      if (arena->HasLeftBehind() && arena->ScanForAnyWork()) Recruit(pool, *arena);
    }
  }
  void EndSleepingWait() {
    sleeping_waits_.fetch_sub(1, std::memory_order_relaxed);  // P8: needs nobody any more
  }

  // Whether worker `number`, which is in `slot` of the arena, has to go although there may
  // be work.  `wanted_above` is false when it comes there.  At its every task, so the usual
  // answer is some comparisons.
  template <typename Pool, typename Arena, typename Slot>
  bool MustLeave(Pool& pool, const Arena& arena, const Slot& slot, int number, bool* wanted_above) {
    if (!MayServe(number, arena)) return true;
    if (__builtin_expect(unserved_.AnyAbove(arena.priority()), 0) && !*wanted_above) {
      *wanted_above = LookAbove(pool, arena, number);
    }
    return *wanted_above || arena.IsSuperfluous(slot);
  }

  // Whether an arena other than this wants somebody, nobody is coming, and worker `number`
  // could.  A hint.
  template <typename Pool, typename Arena>
  bool WantsElsewhere(Pool& pool, const Arena& arena, int number) const {
    const std::lock_guard lock(pool.mutex());
    for (const auto& other : pool.arenas()) {
      if (&*other != &arena && other->wanted().IsNoted() && MayServe(number, *other) &&
          other->HasSlotForWorker()) {
        return true;
      }
    }
    return false;
  }

  // Whether anybody is left who could come if Recruit called, and there is a slot; if that is
  // what there is not, the arena is marked as full.
  template <typename Arena>
  bool CouldCome(Arena& arena) const {
    const int openings = OpeningsIn(arena);
    return openings > 0 &&
           (count_.load(std::memory_order_seq_cst) < openings ||  // P3: after the
            free_.load(std::memory_order_seq_cst) > 0) &&         // P3: own search
           arena.HasSlotForWorker();
  }

  // Whether a call would bring somebody whom nobody has called yet, and there is a slot beside
  // those for whoever is coming; a hint.
  template <typename Arena>
  bool CanCall(Arena& arena) const {
    const int openings = OpeningsIn(arena);
    return openings > 0 && (count() < openings || !sleepers_.LooksEmpty()) &&
           arena.FreeWorkerSlots() > arena.wanted().ApproximateComing();
  }

  // From now on no worker is started, once whoever holds the lock has let go.  The
  // caller wakes all of them.
  void BeginShutdown() {
    shutting_down_.store(true, std::memory_order_seq_cst);  // P2: before the wake-ups
  }

  // From now on no worker is started, and those that find nothing to do end.  Under
  // the lock; the caller wakes and joins as many as there are.
  int BeginRetirement() {
    retiring_.store(true, std::memory_order_seq_cst);  // P4: before the wake-ups
    return count();
  }
  // Whether they are to end as soon as they find nothing; a hint.
  bool LooksRetiring() const {
    return retiring_.load(std::memory_order_relaxed);  // P4: a hint
  }
  // They have ended.  The caller calls workers for every arena that wants one.
  void EndRetirement() {
    count_.store(0, std::memory_order_seq_cst);         // P3: none is left
    retiring_.store(false, std::memory_order_seq_cst);  // P4: then call
    NoteRaise();
  }

  // For those who only report, and under the lock.
  int count() const {
    return count_.load(std::memory_order_relaxed);  // P3: written under the lock
  }
  int ApproximateSleepers() const { return sleepers_.ApproximateSize(); }

  // Gets somebody to look at the arena: a sleeping worker, a new one, or a thread
  // that waits in the arena.  The caller has published its work with a sequentially
  // consistent operation.
  template <typename Pool, typename Arena>
  void Recruit(Pool& pool, Arena& arena, std::uint32_t most = 1) {
    // One is enough for whoever relies on the call; further ones only if they are there.
    if (arena.wanted().Call() || (most > 1 && CanCall(arena) && arena.wanted().Call(most))) {
      Bring(pool, arena);
    }
  }

  // A slot in the arena that wants a worker most, as a searching thread, or null.
  // Worker `number`, which has announced its sleep.  `refused`: whether the limit kept it from
  // an arena, as it was for a moment at least.
  template <typename Pool>
  auto FindWanted(Pool& pool, int number, bool* refused)
      -> decltype(pool.OccupyAsWorker(*pool.ArenaAt(0), 0)) {
    decltype(pool.OccupyAsWorker(*pool.ArenaAt(0), 0)) found = nullptr;
    bool others = false;
    {
      const std::lock_guard lock(pool.mutex());
      for (const auto& arena : pool.arenas()) {
        if (!arena->wanted().IsSet()) continue;
        if (!MayServe(number, *arena)) {
          *refused = true;
          continue;
        }
        if (found == nullptr) found = GoAbove(pool, *arena, number);
        if (found != nullptr) {
          others = true;
          break;
        }
        found = GoTo(pool, *arena, number);
      }
    }
    // This worker may have been called for an arena that it does not go to: who finds nothing
    // looks at `refused`.
    if (others || (found != nullptr && *refused)) PassOn(pool);
    return found;
  }

  // A worker was called and cannot serve, or not all who want somebody: somebody else has
  // to.
  template <typename Pool>
  void PassOn(Pool& pool) {
    for (std::size_t i = 0; auto* const arena = pool.ArenaAt(i); ++i) {
      if (arena->wanted().IsComing()) {
        Bring(pool, *arena);
      } else {
        // It may have left another arena for this one, and taken the note.
        ShowNote(*arena);
      }
    }
  }

  // Workers that serve arenas of lower priorities look whether this one has a note, if it has.
  template <typename Arena>
  void ShowNote(Arena& arena) {
    if (arena.wanted().IsNoted()) unserved_.Note(arena.priority());
  }

  // Worker `number`, which searches, will sleep if nobody calls it.
  void AnnounceSleep(int number) {
    free_.fetch_add(1, std::memory_order_seq_cst);  // P3: before it stops searching
    sleepers_.Add(number);
  }
  // Instead of sleeping, worker `number` stays awake and looks whether it is called:
  // then it is called first.  False: another one does that.
  bool BeginLookout(int number) {
    int nobody = -1;
    return lookout_.compare_exchange_strong(nobody, number,
                                            std::memory_order_relaxed,  // P5: whom to call first
                                            std::memory_order_relaxed);
  }
  void EndLookout() {
    lookout_.store(-1, std::memory_order_relaxed);  // P5: it may be called all the same
  }
  // Whether it is worth while: the worker is not superfluous.
  bool IsWithinLimit(int number) const { return number < limit(); }

  // It goes on searching.  False: it was called meanwhile.
  bool WithdrawSleep(int number) {
    if (!sleepers_.Remove(number)) return false;
    free_.fetch_sub(1, std::memory_order_seq_cst);  // P3: it goes on searching
    return true;
  }

  // The life of worker `number`, until the pool shuts down.  `worker` has
  // ServeIn(slot) and Park().
  template <typename Pool, typename Worker>
  void RunWorker(Pool& pool, int number, Worker& worker) {
    for (;;) {
      sleepers_.Add(number);
      bool refused = false;
      if (auto* const slot = FindWanted(pool, number, &refused)) {
        // Called meanwhile for an arena that was not wanted when it was looked at:
        // somebody else has to go there.
        if (!sleepers_.Remove(number)) PassOn(pool);
        worker.ServeIn(*slot);
        continue;
      }
      if (shutting_down_.load(std::memory_order_seq_cst)) return;  // P2: after Add
      if (retiring_.load(std::memory_order_seq_cst)) {             // P4: after Add
        sleepers_.Remove(number);
        free_.fetch_sub(1, std::memory_order_seq_cst);  // P3: it is gone
        // Whoever was called must be somebody else, when there is somebody again: now, or before
        // it announced itself anew and found that it must not follow.
        PassOn(pool);
        return;
      }
      if (refused || number >= limit()) {
        // Superfluous: whoever is called from now on must be somebody else, except
        // for the first worker, which enqueued tasks may need any time.  A call
        // that this worker did not follow must not look as if somebody came.
        if (number != 0) sleepers_.Remove(number);
        PassOn(pool);
        if (number < limit_.load(std::memory_order_seq_cst)) continue;  // P1: after S2
      }
      worker.Park();
    }
  }

 private:
  // Gets somebody to the arena, to which somebody is coming as far as others know.
  template <typename Pool, typename Arena>
  void Bring(Pool& pool, Arena& arena) {
    int openings;
    bool full;
    std::uint32_t raises;
    do {
      raises = raises_.load(std::memory_order_seq_cst);  // P6: before the look at the limit
      openings = OpeningsIn(arena);
      full = openings > 0 && !arena.HasSlotForWorker();
      if (openings > 0 && !full) {
        const int number = ClaimSleeper();
        if (number >= 0) return pool.Wake(number);
        if (StartWorker(pool, arena)) return;
      }
      // Nobody is free: the next one that becomes free will look.
      arena.wanted().TakeBack();
      // Whoever called meanwhile, for a task just enqueued or because there may be
      // workers again or a slot, has relied on this call, which may have looked too early.
    } while ((OpeningsIn(arena) > openings ||
              raises_.load(std::memory_order_seq_cst) != raises ||  // P6: after W3
              (full && arena.HasSlotForWorker())) &&
             arena.wanted().Call());
    unserved_.Note(arena.priority());
    pool.WakeWaiter(arena);
  }

  // There may be more workers than a moment ago; the caller calls them after this.
  void NoteRaise() {
    raises_.fetch_add(1, std::memory_order_seq_cst);  // P6: after the raise, then call
  }

  template <typename Arena>
  int LimitFor(const Arena& arena) const {
    if (retiring_.load(std::memory_order_seq_cst)) return 0;   // P4: after W3
    const int limit = limit_.load(std::memory_order_seq_cst);  // P1: after W3
    return std::max(limit, NeedsAtAnyLimit(arena) ? 1 : 0);
  }
  // Whether there may be nobody but a worker for what is there.
  template <typename Arena>
  bool NeedsAtAnyLimit(const Arena& arena) const {
    return arena.InsistsOnWorker() ||
           (arena.HasLeftBehind() &&
            sleeping_waits_.load(std::memory_order_seq_cst) > 0);  // P8: after W6
  }
  // LimitFor, or 0 if no worker may take a slot there.
  template <typename Arena>
  int OpeningsIn(const Arena& arena) const {
    return arena.HasWorkerSlots() || arena.NeedsWorker() ? LimitFor(arena) : 0;
  }

  // Who is awake first; -1: nobody sleeps.
  int ClaimSleeper() {
    const int lookout = lookout_.load(std::memory_order_relaxed);  // P5: a hint
    if (lookout >= 0 && sleepers_.Remove(lookout)) return lookout;
    return sleepers_.Claim();
  }

  template <typename Pool, typename Arena>
  bool StartWorker(Pool& pool, const Arena& arena) {
    // P3: a hint; the lock decides.
    if (count_.load(std::memory_order_relaxed) >= LimitFor(arena)) return false;
    const std::lock_guard lock(pool.mutex());
    const int number = count();
    if (number >= LimitFor(arena) ||
        shutting_down_.load(std::memory_order_relaxed)) {  // P2: or the lock is free later
      return false;
    }
    free_.fetch_add(1, std::memory_order_seq_cst);  // P3: before it is counted
    if (!pool.AddWorker(number)) {
      free_.fetch_sub(1, std::memory_order_seq_cst);  // P3: it never came to be
      return false;
    }
    count_.store(number + 1, std::memory_order_seq_cst);  // P3: it can be called
    return true;
  }

  // Whether worker `number` leaves the arena for one of higher priority: one that wanted
  // somebody in vain, or has tasks still, and has a slot for it; where it has none, whoever
  // vacates one calls.
  // The notes are gone then, but for one where it goes, at which the next one looks for itself:
  // who comes there first has answered, and calls others once it has found a task, and until then
  // they would begin tasks of their own, however long.  If the worker follows only one of the
  // notes, or none because it has become superfluous, it makes the others anew (PassOn).
  template <typename Pool, typename Arena>
  __attribute__((noinline)) bool LookAbove(Pool& pool, const Arena& arena, int number) {
    const std::lock_guard lock(pool.mutex());
    // First, so that a note that comes later stays.
    unserved_.TakeAbove(arena.priority());
    for (const auto& above : pool.arenas()) {
      if (above->priority() <= arena.priority()) return false;
      if (HasWorkFor(number, *above, above->wanted().IsNoted())) {
        unserved_.Note(above->priority());
        return true;
      }
    }
    return false;
  }

  // Whether worker `number` finds room in the arena, and a task, if nobody is wanted there; also
  // one that only its owner could take until now.
  template <typename Arena>
  bool HasWorkFor(int number, Arena& arena, bool is_wanted) const {
    return (is_wanted || arena.LooksBusy()) && MayServe(number, arena) &&
           arena.HasSlotForWorker() && (is_wanted || arena.ScanForAnyWork());
  }

  // Takes a slot of an arena of higher priority than this one that wants nobody, because others
  // search there, but has tasks: those that only their owner could take until now, as it has run
  // the same task for long.  Under the lock.
  template <typename Pool, typename Arena>
  auto GoAbove(Pool& pool, const Arena& arena, int number)
      -> decltype(pool.OccupyAsWorker(*pool.ArenaAt(0), 0)) {
    for (const auto& above : pool.arenas()) {
      if (above->priority() <= arena.priority()) break;
      if (!HasWorkFor(number, *above, false)) continue;
      if (auto* const slot = GoTo(pool, *above, number)) return slot;
    }
    return nullptr;
  }

  // Takes a slot of an arena that wants somebody.  Under the lock.
  template <typename Pool, typename Arena>
  auto GoTo(Pool& pool, Arena& arena, int number) -> decltype(pool.OccupyAsWorker(arena, 0)) {
    auto* slot = pool.OccupyAsWorker(arena, number);
    if (slot == nullptr) {
      // Answered before the mark: whoever finds that calls, and must not be told that
      // this one is coming.  And before the last look, because a task that was enqueued before
      // the answer may open the extra slot.
      const bool wanted = arena.wanted().Answer();
      arena.MarkFull();
      slot = pool.OccupyAsWorker(arena, number);
      if (slot == nullptr && wanted) pool.WakeWaiter(arena);
    }
    if (slot == nullptr) return nullptr;
    arena.StartSearching(true);
    arena.wanted().Answer();
    free_.fetch_sub(1, std::memory_order_seq_cst);  // P3: it searches
    return slot;
  }

  typename Atomics::template Atomic<int> limit_;
  typename Atomics::template Atomic<bool> shutting_down_{false};
  typename Atomics::template Atomic<bool> retiring_{false};
  // How often the limit was raised, or a retirement ended.
  typename Atomics::template Atomic<std::uint32_t> raises_{0};
  typename Atomics::template Atomic<int> count_{0};
  // Workers that are in no arena, or about to leave theirs.
  typename Atomics::template Atomic<int> free_{0};
  BasicSleeperSet<Atomics> sleepers_;
  BasicUnserved<Atomics> unserved_;
  // Who does not sleep in the kernel yet, though it counts as a sleeper, or -1.
  typename Atomics::template Atomic<int> lookout_{-1};
  // Threads that sleep in a wait; not where the limit is, at which workers look at every task.
  alignas(kCacheLineSize) typename Atomics::template Atomic<int> sleeping_waits_{0};
};

using Workforce = BasicWorkforce<>;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_WORKFORCE_H_
