// Arena: slots that share work, and the protocol by which threads of the pool
// come to them and go to sleep.
//
// Threads in one arena steal from each other and from nobody else.  An arena
// has `slots` slots; `reserved` of them are for threads that come from outside
// (Execute), the others may also be taken by workers.  Workers belong to the
// pool and move to where they are wanted.  One extra slot is for whoever is needed
// when nobody in the others could come: see ExtraIsOpen.
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

#include "filch/pool/absence.h"
#include "filch/pool/abstainers.h"
#include "filch/pool/arena_options.h"
#include "filch/pool/extra_slot.h"
#include "filch/pool/idle_mode.h"
#include "filch/pool/idle_protocol.h"
#include "filch/pool/next_task.h"
#include "filch/pool/queue_watch.h"
#include "filch/pool/recruiter.h"
#include "filch/pool/returners.h"
#include "filch/pool/shared_queue.h"
#include "filch/pool/sighting.h"
#include "filch/pool/slot.h"
#include "filch/pool/slot_numbers.h"
#include "filch/pool/slot_scan.h"
#include "filch/pool/task.h"
#include "filch/pool/task_queue.h"
#include "filch/pool/vacancy.h"
#include "filch/pool/waiter_set.h"
#include "filch/pool/wanted.h"
#include "filch/pool/worker_slots.h"
#include "filch/topology/cache_line.h"

namespace filch {

struct WorkerPlace;

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
    const bool hurry =
        phases_.load(std::memory_order_relaxed) == 0 &&                        // H2: a hint
        (options_.leave_fast || leave_once_.load(std::memory_order_relaxed));  // H2: a hint
    return hurry ? std::chrono::nanoseconds(0) : idle_times_.spin;
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
    return options_.slots + (options_.slots == 1 && (RunsEnqueued() || HasEnqueued()) ? 1 : 0);
  }

  // Between the two, work comes again and again: threads look for it even if they
  // should leave fast.  Phases may overlap.  After an end with `leave_fast` and no other
  // phase they leave at once, until a worker comes again.  Any thread.
  void StartPhase() {
    leave_once_.store(false, std::memory_order_relaxed);  // H2: a hint
    phases_.fetch_add(1, std::memory_order_relaxed);      // H2: a hint
  }
  void EndPhase(bool leave_fast = false) {
    if (leave_fast) leave_once_.store(true, std::memory_order_relaxed);  // H2: a hint
    phases_.fetch_sub(1, std::memory_order_relaxed);                     // H2: a hint
  }

  // Appends the task to the shared queue (rule 5), without isolation, behind those
  // of the same and higher priority.  It starts even if all workers of the pool
  // are switched off.  Any thread.
  void Enqueue(Task& task, Priority priority = Priority::kNormal);

  // A task that the calling thread waits for, because the arena was full: a thread
  // inside runs it before what is enqueued.  Any thread.
  void Delegate(Task& task);
  // True: nobody has begun with it, and nobody will.
  bool TakeBack(Task& task) { return delegated_.Remove(task); }

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
  bool TakeBack(Task& task, int slot);

  // --- for the scheduler itself

  // Slot i belongs to place i: its thread steals first from the slots whose
  // places are near.  Before the arena is used.
  void PlaceSlots(const std::vector<WorkerPlace>& places);

  // A free slot for a thread from outside, or null: the arena is full.  Where a worker may
  // have the only slot, it is the extra one.
  Slot* OccupyFromOutside();
  // A free slot for a thread that waits for something in the arena, in place of a worker: one
  // that a worker may have, or the extra one if that is open.  What it runs there may wait for
  // a thread that wants to come in, and has a reserved slot for that.
  Slot* OccupyToHelp();
  // Whether it would find one now.
  bool HasSlotToHelp() const;
  // As OccupyFromOutside for a thread whose function nobody inside has begun with: the extra
  // slot only while all threads inside are away, and in an arena of several slots only if
  // nobody counts on their number.
  Slot* OccupyToDelegate();
  // Whether the extra slot may be taken for tasks that need somebody: always in an
  // arena of one slot, and in others only in place of a thread that waits and does not
  // help, or while all threads inside are away and nobody counts on the number of slots.
  bool ExtraIsOpen() const {
    return pool_internal::ExtraIsOpen(slots_.get(), options_.slots, abstainers_,
                                      [this] { return SlotsAreCountedOn(); });
  }
  // As Recruiter::CountOnSlots, for this arena alone.
  void CountOnOwnSlots() { slot_numbers_.CountOn(); }
  // As new, for the next owner: the phases that the last one left open are over, and nobody counts
  // on the number of slots, unless there still are threads or tasks, which may have tables from
  // before.  While nobody but the caller owns the arena.
  void ForgetOwner();
  // Recruiter::CountOnSlots: the next arena to be asked may be another.
  void CountOnAllSlots() { recruiter_.CountOnSlots(); }
  // A slot for QueueGuard, the extra one if there is no other; null if there is none,
  // or somebody counts on that.
  Slot* OccupyAsGuard();
  // A free slot for a worker, or null; `preferred` if it is one of those.
  Slot* OccupyAsWorker(int preferred = -1);
  // Whether a worker has the extra slot in `slot`, and what opened that is over: a worker
  // could have another one, or one of the threads in these can be called.
  bool IsSuperfluous(const Slot& slot) const {
    return pool_internal::IsSuperfluous(slot.index, slots_.get(), options_.slots,
                                        worker_slots_.First(), abstainers_,
                                        [this] { return SlotsAreCountedOn(); });
  }
  // The thread leaves the slot; what is left in the deque becomes stealable.
  void Vacate(Slot& slot);

  int slot_count() const { return options_.slots + 1; }
  Slot& slot(int index) { return slots_[static_cast<std::size_t>(index)]; }
  // Whether there is a thread in it; a hint.
  bool IsOccupied(int index) const {
    return slots_[static_cast<std::size_t>(index)].occupied.load(
        std::memory_order_relaxed);  // O1: a hint
  }

  // Whether rule 5 may find something; whether it is enqueued.
  bool HasQueued() const { return !delegated_.Empty() || HasEnqueued(); }
  bool HasEnqueued() const { return !queue_.Empty(); }
  // Whether there are tasks that a worker must run even if all are switched off: enqueued
  // ones, and what a thread waits for that does not run tasks of others.
  bool InsistsOnWorker() const { return HasQueued() || abstainers_.Any(); }
  // Whether threads have left tasks in their deques.  With all workers switched off these are
  // for who waits for them, and for a worker only if somebody sleeps in a wait.
  bool HasLeftBehind() const { return idle_.HasLeftBehind(); }
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
  // What QueueGuard wants to know: how many tasks were taken from the shared queue, and
  // a number that is another one if threads have run or pushed tasks since the last
  // call.  Hints.
  std::int64_t TasksTakenFromQueue() const;
  std::int64_t LookForSteps();
  // Whether the QueueGuard watches it.
  pool_internal::QueueWatch& queue_watch() { return queue_watch_; }

  bool HasWorkerSlots() const { return worker_slots_.Any(); }
  bool HasAbstainers() const { return abstainers_.Any(); }
  // Whether OccupyAsWorker would give a slot.  If not, whoever vacates one calls for a worker.
  bool HasSlotForWorker();
  // How many workers would get one of those that they may always have; a hint.
  int FreeWorkerSlots() const;

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
  // Whether a thread is in a slot, besides this one.
  bool HasThreads(const Slot* but = nullptr) const;
  // A hint: whether there may be work for another thread.
  bool LooksBusy() const;
  // The same, or somebody was wanted who has not come: whether workers have to be called when
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

  // A worker was wanted and found no free slot: the next free one needs it.
  void MarkFull() { vacancy_.MarkFull(); }
  // Threads that wait for a free slot count as seekers and park under this key.
  pool_internal::Vacancy& vacancy() { return vacancy_; }
  const void* slot_key() const { return &vacancy_; }

  // The thread in `slot` is about to sleep and cannot be called to the shared queue.
  void GoAway(Slot& slot);

  // In an arena of one slot: whether the thread in `slot` is there for a task that was enqueued,
  // and in no call from outside; what was noted before.  That thread.
  bool NoteEnqueued(const Slot& slot, bool enqueued);

 private:
  // What the idle protocol works for.
  class Host;

  Slot* TryOccupy(int index);
  // Where every thief looks, for a task with that tag that hid others.  The calling thread has it.
  void SetAside(Task& task, std::uint64_t isolation);
  // What was noted by NoteEnqueued.
  bool RunsEnqueued() const {
    return runs_enqueued_[0].load(std::memory_order_relaxed) ||  // H4: a hint
           runs_enqueued_[1].load(std::memory_order_relaxed);    // H4: a hint
  }
  // Whether somebody counts on the number of slots.
  bool SlotsAreCountedOn() const {
    return slot_numbers_.AreCountedOn() || recruiter_.SlotsAreCountedOn();
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
  const pool_internal::WorkerSlots worker_slots_;
  const std::unique_ptr<Slot[]> slots_;
  // Slots that were ever occupied: thieves look no further.
  pool_internal::UsedSlots used_slots_;

  pool_internal::SharedQueue queue_;
  pool_internal::TaskQueue delegated_;
  pool_internal::TaskQueue set_aside_;
  // Of an arena of one slot: the thread there, and the one in the extra slot.
  std::atomic<bool> runs_enqueued_[2] = {};
  pool_internal::IdleProtocol idle_;
  alignas(kCacheLineSize) pool_internal::Wanted wanted_;
  pool_internal::Vacancy vacancy_;
  pool_internal::Abstainers abstainers_;
  pool_internal::Returners returners_;
  pool_internal::SlotNumbers slot_numbers_;
  pool_internal::QueueWatch queue_watch_;
  std::atomic<int> phases_{0};
  std::atomic<bool> leave_once_{false};
  pool_internal::WaiterSet waiters_;

  // What Describe has seen.
  pool_internal::Sighting queue_sighting_;
  pool_internal::Sighting delegated_sighting_;
  pool_internal::Sighting set_aside_sighting_;
  std::vector<pool_internal::SlotSightings> slot_sightings_;
};

}  // namespace filch

#endif  // FILCH_POOL_ARENA_H_
