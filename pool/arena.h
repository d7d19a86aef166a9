// Arena: slots that share work, and the protocol by which threads of the pool
// come to them and go to sleep.
//
// Threads in one arena steal from each other and from nobody else.  Who may come to it is told in
// arena_slots.h; workers belong to the pool and move to where they are wanted.
//
// How sleeping and waking works is told in SLEEP.md; idle_protocol.h decides.
//
// Any thread, unless it says otherwise.
// Memory ordering: what a thread did before Enqueue, Delegate or Post is visible to the
// task (Q1, Q2).
#ifndef FILCH_POOL_ARENA_H_
#define FILCH_POOL_ARENA_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "filch/pool/arena_options.h"
#include "filch/pool/arena_slots.h"
#include "filch/pool/attachments.h"
#include "filch/pool/idle_mode.h"
#include "filch/pool/idle_protocol.h"
#include "filch/pool/next_task.h"
#include "filch/pool/parallel_phases.h"
#include "filch/pool/queue_watch.h"
#include "filch/pool/recruiter.h"
#include "filch/pool/returners.h"
#include "filch/pool/shared_queue.h"
#include "filch/pool/sighting.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"
#include "filch/pool/task_queue.h"
#include "filch/pool/waiter_set.h"
#include "filch/pool/wanted.h"
#include "filch/topology/cache_line.h"
#include "filch/topology/plain_vector.h"

namespace filch {

struct WorkerPlace;

namespace pool_internal {
using ArenaSlots = BasicArenaSlots<Slot>;

// Compiled once, and not wherever a program comes to an arena.
extern template class BasicArenaSlots<Slot>;
}  // namespace pool_internal

class Arena {
 public:
  using Slot = pool_internal::Slot;

  // `times` is how long threads that find no work look around before they sleep; each slot
  // traces its last `trace_events` events, 0: none.
  Arena(Recruiter& recruiter, const pool_internal::IdleTimes& times, const ArenaOptions& options,
        std::size_t trace_events);
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // How long a thread that finds no work looks around before it sleeps.
  std::chrono::nanoseconds spin() const {
    return phases_.LeaveFast() ? std::chrono::nanoseconds(0) : idle_times_.spin;
  }
  // The same for threads in no hurry, and how many times as long some of them look.
  const pool_internal::IdleTimes& idle_times() const { return idle_times_; }
  const ArenaOptions& options() const { return options_; }

  // The priority as a number, which is the greater the more urgent its tasks are.
  int priority() const { return static_cast<int>(options_.priority); }

  // The most threads that work in the arena at once, the extra one not counted.
  int concurrency() const { return options_.slots; }
  // The same, and one more in an arena of one slot while something that was enqueued waits or runs
  // there: a thread from outside may come beside whoever is there for that.  A hint; any thread.
  int concurrency_now() const {
    return concurrency() + (concurrency() == 1 && (RunsEnqueued() || HasEnqueued()) ? 1 : 0);
  }

  // Whether they are in a hurry; who knows when work comes again says so there.
  pool_internal::ParallelPhases& phases() { return phases_; }

  // Who uses it beside those who have acquired it from the pool.
  pool_internal::Attachments& attachments() { return attachments_; }

  // Appends the task to the shared queue (rule 5), without isolation, behind those
  // of the same and higher priority.  It starts even if all workers of the pool
  // are switched off.  Any thread.
  void Enqueue(Task& task, Priority priority = Priority::kNormal);

  // A task that the calling thread waits for, because the arena was full: a thread
  // inside runs it before what is enqueued.  Any thread.
  void Delegate(Task& task);
  // True: nobody has begun with it, and nobody will.
  bool TakeBackDelegated(Task& task) { return delegated_.Remove(task); }

  // Gives the task to one slot (rule 4).  The slot's thread takes it before it
  // looks further; a thread that finds nothing else may take it too, so it
  // never gets stuck.  Any thread; `slot` counts from 0 to concurrency() - 1.
  void Post(Task& task, int slot, std::uint64_t isolation);
  // The two halves of Post, for several tasks: each of them, and then once the call of somebody
  // for all, if it is needed.
  void PutIntoMailbox(Task& task, int slot, std::uint64_t isolation);
  void NotifyPosted();
  // Calls another thread, if there is one, for what is to come soon.
  void CallForMore();
  // True: nobody has taken the task, and nobody will.  Any thread.
  bool TakeBackPosted(Task& task, int slot);

  // --- for the scheduler itself

  // Slot i belongs to place i: its thread steals first from the slots whose
  // places are near.  Before the arena is used.
  void PlaceSlots(const std::vector<WorkerPlace>& places);

  // The slots, and who may come to them.
  pool_internal::ArenaSlots& slots() { return slots_; }
  const pool_internal::ArenaSlots& slots() const { return slots_; }
  // Somebody counts on the number of slots: from now on here, or in all arenas of the pool, for the
  // next one to be asked may be another (Recruiter::CountOnSlots).
  void CountOnOwnSlots() { slots_.numbers().CountOn(); }
  void CountOnAllSlots() { recruiter_.CountOnSlots(); }
  // As new, for the next owner: the phases that the last one left open are over, and nobody counts
  // on the number of slots.  False: there still are threads or tasks of the last one, which would
  // be in the next one's way, and nothing has changed.  Workers that only look for some are not:
  // they would have to be called elsewhere.  While nobody but the caller owns the arena.
  bool ForgetOwner();
  // A free slot for a worker, or null; `preferred` if it is one that a worker may have.
  Slot* OccupyAsWorker(int preferred = -1);
  // A slot for QueueGuard: see ArenaSlots.
  Slot* OccupyAsGuard() { return slots_.OccupyAsGuard(WorkerIsNeeded{*this}); }
  // The thread leaves the slot; what is left in the deque becomes stealable.
  void Vacate(Slot& slot);

  // Whether rule 5 may find something; whether it is enqueued.
  bool HasQueued() const { return !delegated_.Empty() || HasEnqueued(); }
  bool HasEnqueued() const { return !queue_.Empty(); }
  // Whether two slots are used, and the other one's thread shares something: a word that is in this
  // thread's cache unless it has changed.  To look at it but after each pause, of up to 800 ns,
  // made a loop of two units of 5 us 200 ns longer (two virtual AMD EPYC processors that share no
  // cache, 2026-11-30); of many threads each would look at another.
  bool OnlyOtherShares(const pool_internal::Slot& slot) const {
    return slots_.used().Hint() == 2 && slot.index < 2 && slots_[1 - slot.index].deque.HasShared();
  }
  // Whether there are tasks that a worker must run even if all are switched off: enqueued
  // ones, and what a thread waits for that does not run tasks of others.
  bool InsistsOnWorker() const { return HasQueued() || slots_.abstainers().Any(); }
  // Whether threads have left tasks in their deques.  With all workers switched off these are
  // for who waits for them, and for a worker only if somebody sleeps in a wait.  In a serial arena
  // they are for who waits for them, or comes there: all but those of the extra slot, which follow
  // from what was enqueued.
  bool HasLeftBehind() const {
    return idle_.HasLeftBehind() && (!slots_.IsSerial() || HasTasks(slots_[concurrency()]));
  }
  // Whether there is any of that, for which a worker may have a slot that is not for workers.
  bool NeedsWorker() const { return InsistsOnWorker() || HasLeftBehind(); }
  // A thread waits for tasks that are or may come to be in the arena, and does not
  // help.  Any thread.
  void AddAbstainer();
  void RemoveAbstainer();
  // A thread in a slot sleeps in a wait until the other call: see Recruiter.
  void BeginSleepingWait(bool serves_queue) { recruiter_.BeginSleepingWait(serves_queue); }
  void EndSleepingWait(bool serves_queue) { recruiter_.EndSleepingWait(serves_queue); }
  bool WorkerSleepsInWait() const { return recruiter_.WorkerSleepsInWait(); }
  // What QueueGuard wants to know: how many tasks were taken from the shared queue; a number
  // that is another one if threads have run or pushed tasks, or have gone on in loops, since the
  // last call; the same of the arenas where workers may be that should be here; and whether
  // somebody is in a slot that a worker may have.  Hints.
  std::int64_t TasksTakenFromQueue() const;
  std::int64_t LookForSteps();
  std::int64_t LookForStepsElsewhere() { return recruiter_.LookForStepsBeside(*this); }
  bool MayHaveWorker() const;
  // Whether the QueueGuard watches it.
  pool_internal::QueueWatch& queue_watch() { return queue_watch_; }

  // What Workforce asks: see ArenaSlots.
  bool HasWorkerSlots() const { return slots_.HasWorkerSlots(); }
  int FreeWorkerSlots() const { return slots_.FreeWorkerSlots(); }
  bool HasSlotForWorker() { return slots_.HasSlotForWorker(WorkerIsNeeded{*this}); }
  bool IsSuperfluous(const Slot& slot) const { return slots_.IsSuperfluous(slot); }
  // A worker was wanted and found no free slot: the next free one needs it.
  void MarkFull() { slots_.vacancy().MarkFull(); }

  // Rule 5 and rule 6 for the thread in `slot`; `isolation` is the tag of the
  // tasks that it may take, 0 for any.  `reach` is rule 6's; what others may come
  // for is mail whose addressee is there.  `first` is the slot to look at before all others,
  // -1: none.
  pool_internal::Choice TakeShared(Slot& slot, std::uint64_t isolation);
  pool_internal::Choice StealFor(Slot& slot, std::uint64_t isolation, pool_internal::Reach reach,
                                 int first = -1);
  // Rule 6 for the thread in `slot`, which is about to sleep in the isolation: also what lies
  // behind tasks of others, which are set aside, or is not shared.
  pool_internal::Choice StealBehind(Slot& slot, std::uint64_t isolation);
  // Rule 6 has found nothing for long: tells those who have something to themselves that somebody
  // waits.  `force`: it has told them before; shares what those have who have not answered.
  void InsistOnWork(Slot& slot, bool force);
  // Of what rule 5 finds, only what was enqueued.
  pool_internal::Choice TakeEnqueued(Slot& slot);

  // The idle protocol's questions and events, for the thread in `slot`; see
  // idle_protocol.h.
  void StartSearching(bool serves_queue) { idle_.StartSearching(serves_queue); }
  // The thread in the slot has calls_to_spread: it calls others for what is there, or if that is
  // not enough for what it pushes next.
  void SpreadCall(Slot& slot);
  // It has pushed something: the same, unless somebody searches, who finds it.
  void CallForPushed(Slot& slot);
  void StopSearching(Slot& slot, bool serves_queue);
  bool StopSearchingToSleep(Slot& slot, bool serves_queue);
  // Somebody should look at what is there now, if nobody does already.
  void ForwardWake(Slot& slot);
  // A pusher saw need_wake: the first one calls a sleeper, the others go on.
  void AnswerNeedWake(Slot& slot);

  // A thread in an isolation sleeps from the one to the other, and between them it looks once
  // more, also with StealBehind.
  void BeginIsolatedSleep() { idle_.BeginIsolatedSleep(); }
  void EndIsolatedSleep() { idle_.EndIsolatedSleep(); }
  // After a push in the isolation: whether somebody may sleep in it, who has to be woken.
  bool IsAskedInIsolation(std::uint64_t isolation) const;
  static void WakeIsolated(std::uint64_t isolation);

  // In a forked child: who goes on where the fork left it, pushing or waiting,
  // ends with a sentence.
  void AbandonInChild() { idle_.AbandonInChild(); }

  // Whether a thief could find something in a deque or a mailbox; makes the
  // private work of a deque stealable if that is all there is.
  bool ScanForWork(Slot& slot);
  // The same or something in the shared queue, for a thread in no slot.
  bool ScanForAnyWork();
  // A hint: whether there may be work for another thread.
  bool LooksBusy() const;
  // LooksBusy, or somebody was wanted who has not come: whether workers have to be called when
  // there may be more of them.
  bool MayWantWorkers() const { return wanted_.IsSet() || LooksBusy(); }

  // What is there, for how long at least, and who is there, several lines; see
  // Pool::Dump.  `now` is the time.  Any thread, one at a time.
  std::string Describe(std::chrono::steady_clock::time_point now);

  // How many threads look for work here; a hint.
  int ApproximateSearchers() const { return idle_.ApproximateSearchers(); }

  // Whether somebody should come here.
  pool_internal::Wanted& wanted() { return wanted_; }

  // Threads that wait in the arena for something of their own, by slot.
  pool_internal::WaiterSet& waiters() { return waiters_; }
  // Calls one of them; false if nobody waits.
  bool WakeWaiter();
  // Threads that sleep elsewhere in a wait that began here, and come back for what is in the
  // queues.  They are called under this key.
  pool_internal::Returners& returners() { return returners_; }
  const void* queue_key() const { return &returners_; }

  // The thread in `slot` is about to sleep and cannot be called to the shared queue.
  void GoAway(Slot& slot);

  // In an arena of one slot: whether the thread in `slot` is there for a task that was enqueued,
  // and in no call from outside; what was noted before.  That thread.
  bool NoteEnqueued(const Slot& slot, bool enqueued);

 private:
  // What the idle protocol works for.
  class Host;
  // What NobodyHasTasks looks at.
  class Inside;
  // What ArenaSlots asks.
  struct WorkerIsNeeded {
    const Arena& arena;
    bool operator()() const { return arena.NeedsWorker(); }
  };

  // Whether the slot's deque has some.
  static bool HasTasks(const Slot& slot);
  // Where every thief looks, for a task with that tag that hid others.  The calling thread has it.
  void SetAside(Task& task, std::uint64_t isolation);
  // What was noted by NoteEnqueued.
  bool RunsEnqueued() const {
    return runs_enqueued_[0].load(std::memory_order_relaxed) ||  // H4: a hint
           runs_enqueued_[1].load(std::memory_order_relaxed);    // H4: a hint
  }
  // The i-th of the first `used` slots from `start` on, and round.
  Slot& SlotAfter(int start, int i, int used) {
    return slots_[start + i < used ? start + i : start + i - used];
  }
  // From one of the first `used` slots, which has a thread or something to take.
  pool_internal::Choice StealFromOne(Slot& slot, std::uint64_t isolation, int used);
  // From one of them, some beginning with `start`, where a look has shown something.
  pool_internal::Choice StealShared(Slot& slot, int start, int used);
  // A task from the victim's deque or mail; see StealFor.
  pool_internal::Choice StealFrom(Slot& victim, Slot& slot, std::uint64_t isolation,
                                  bool last_resort);

  Recruiter& recruiter_;
  const pool_internal::IdleTimes idle_times_;
  const ArenaOptions options_;
  const std::unique_ptr<Slot[]> memory_of_slots_;
  pool_internal::ArenaSlots slots_;

  pool_internal::SharedQueue queue_;
  pool_internal::TaskQueue delegated_;
  pool_internal::TaskQueue set_aside_;
  // Of an arena of one slot: the thread there, and the one in the extra slot.
  std::atomic<bool> runs_enqueued_[2] = {};
  pool_internal::IdleProtocol idle_;
  alignas(kCacheLineSize) pool_internal::Wanted wanted_;
  pool_internal::Returners returners_;
  pool_internal::QueueWatch queue_watch_;
  pool_internal::ParallelPhases phases_;
  pool_internal::Attachments attachments_;
  pool_internal::WaiterSet waiters_;

  // What Describe has seen.
  pool_internal::Sighting queue_sighting_;
  pool_internal::Sighting delegated_sighting_;
  pool_internal::Sighting set_aside_sighting_;
  PlainVector<pool_internal::SlotSightings> slot_sightings_;
};

}  // namespace filch

#endif  // FILCH_POOL_ARENA_H_
