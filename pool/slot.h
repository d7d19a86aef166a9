// Slot: a place in an arena for one thread at a time.
//
// The deque, the mailbox and the memory of tasks belong to the slot; threads
// come and go.  What a departing thread leaves in the deque stays stealable,
// and the next occupant inherits it, though not as its own subtree.  Slots live as long as
// their pool, so a late wake-up or a late steal never meets freed memory.
//
// The members are grouped by who writes them; each group has cache lines of its
// own.  Scheduler-internal: everything here is for the thread in the slot
// unless it says otherwise.
#ifndef FILCH_POOL_SLOT_H_
#define FILCH_POOL_SLOT_H_

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>

#include "filch/deque/split_deque.h"
#include "filch/pool/eager_sharing.h"
#include "filch/pool/forked_child.h"
#include "filch/pool/group_signals.h"
#include "filch/pool/home_spawns.h"
#include "filch/pool/looker.h"
#include "filch/pool/need_wake.h"
#include "filch/pool/newest_hook.h"
#include "filch/pool/parker.h"
#include "filch/pool/stats.h"
#include "filch/pool/stolen_ends.h"
#include "filch/pool/task.h"
#include "filch/pool/task_memory.h"
#include "filch/pool/task_queue.h"
#include "filch/pool/trace_buffer.h"
#include "filch/topology/cache_line.h"
#include "filch/topology/cpu_set.h"
#include "filch/topology/fast_random.h"
#include "filch/topology/tick_clock.h"
#include "filch/topology/victim_selector.h"

namespace filch {

class Arena;

namespace pool_internal {

struct alignas(kCacheLineSize) Slot {
  // --- shared by construction: see SplitDeque for who may call what
  SplitDeque<Task*> deque;

  // --- the thread in the slot
  // The arena's: a push looks further while it is not 0.
  const NeedWake* need_wake = nullptr;
  // The isolation tag and the context of the task that runs now.
  std::uint64_t isolation = 0;
  Context* context = nullptr;
  // The arena's floating-point settings, as in ArenaOptions, and its size: here, for a thread
  // that comes back to a loop after a while waits for each cache line.
  std::uint32_t fp_settings = 0;
  std::int32_t concurrency = 0;
  // Up to which `depth` a wait counts as outermost: more than 0 in a function that is executed
  // in a task, or that another thread has delegated; less for who takes nothing that is enqueued.
  std::int32_t outermost_depth = 0;
  static constexpr std::int32_t kNeverOutermost = -1;
  // How many functions the thread executes here that it called while it was here already.
  std::int32_t executions = 0;
  // The innermost task that runs; not beside the context, as in Task.
  Task* innermost = nullptr;
  std::int32_t index = 0;
  // How many tasks run on top of each other in this slot.
  std::int32_t depth = 0;
  // Tasks of the current isolation lie above this index of the own deque, or above
  // came_down_from.
  std::int64_t isolation_floor = 0;
  // Below this stack address the thread runs nothing but its own subtree.
  std::uintptr_t stack_floor = 0;
  FastRandom random{0};
  // How the thread was bound before it came, if the arena binds it.
  CpuSet cpus_before;
  // The number of the newest hook that was told of this stay, or did not want to be.
  std::uint64_t hooks_told = 0;
  // Other threads read these two at each task of a group that was made here, so they are
  // not beside what this thread writes at each of its own.
  Arena* arena = nullptr;
  // Of the task groups that are made here.
  GroupSignals* const group_signals = &GroupSignalsOf(this);
  // The number of the newest hook that may want to hear of a stay.
  const HookNumber* newest_hook = &newest_hooks[0];
  TaskCache memory;
  SlotStats stats;
  // Null if the pool is not traced.
  std::unique_ptr<TraceBuffer> trace;
  // Null if nobody is nearer than others.
  std::unique_ptr<VictimSelector> victims;
  EagerSharing eager_sharing;
  // Where a worker has stolen last, since it looked in vain or waited for something; null:
  // nowhere.
  const SplitDeque<Task*>* stolen_from = nullptr;
  StolenEnds stolen_ends;
  // Of an arena where several thieves may come: one was served since the thread, while it
  // waits, began with a task of its own.
  bool thieves_came = false;
  // Until the thread has looked for work in vain: what it does next is on its way to it
  // (ExpectWork).
  bool expects_work = false;
  // Until then, in ticks, thieves that ask for what the thread pushes get nothing (Withholding).
  std::uint64_t withheld_until = 0;
  // The thread was called, or has called one, and calls so many more when it has something for
  // them.
  int calls_to_spread = 0;
  // What other threads have left here lies below this index of the own deque; 0: nothing.
  std::int64_t inherited = 0;
  // Tasks of the own deque have come down from this index on, or were pushed after it had come
  // down to it, for which no floor was lowered.
  std::int64_t came_down_from = std::numeric_limits<std::int64_t>::max();
  // For any thread, and here because this one writes it all the time while it looks around as a
  // worker.
  Looker looker;

  // --- any thread
  alignas(kCacheLineSize) TaskQueue mailbox;
  Parker parker;
  // Whether a thread is in the slot; whether it sleeps and cannot be called here.
  std::atomic<bool> occupied{false};
  std::atomic<bool> away{false};
  // Of the thread in the slot, here, where there is room: whether what it runs was called from
  // outside of the arena, and is no task that came here.
  bool in_call = false;
  // Whether a hook was told of this stay, or of another one of the thread in its place.
  bool hooks_heard = false;
  // StepsIntoTasks() where what is executed now (OutermostScope) begins.
  std::int32_t steps_into_tasks = 0;
  // Where the thread was before, in another arena, and will be again.
  Slot* outer = nullptr;
  // For any thread that waits for a group which was made here.
  HomeSpawns home_spawns;

  // Thieves ask for work, or sleepers for a wake-up.
  bool NeedsAttention() const {
    // One branch for both: nearly always neither is the case.
    return (deque.request_word() | need_wake->word()) != 0;
  }

  // The same, but for what the thread asks itself.
  bool WorkIsWanted() const {
    return (deque.request_word() > decltype(deque)::kByOwner && !Withholds()) ||
           need_wake->IsAsked();
  }

  // Whether the thread is so deep in its stack that its waits run nothing but its own subtree.
  bool IsDeep() const {
    return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) < stack_floor;
  }

  // Whether the thread puts tasks into the mailboxes of other slots and leaves them there until
  // somebody comes.  Nobody may come, and a wait deep in the stack does not find them again.
  bool SendsMail() const { return !IsDeep(); }
  // The same for a task that wishes for the slot with that number, if there is one.
  bool SendsMailTo(int wished) const {
    return wished >= 0 && wished != index && wished < concurrency && SendsMail();
  }

  // How often the thread, on its way to where it is, has gone into a task here from outside of
  // all tasks, or from a function that is executed as if it was there.
  std::int32_t StepsIntoTasks() const {
    return steps_into_tasks + (depth > outermost_depth ? 1 : 0);
  }

  // Whether the thread in the slot does nothing here: it is in no task, loop, region or function
  // that it executes.
  bool IsAtRest() const {
    return depth == 0 && context == nullptr && isolation == 0 && executions == 0;
  }

  // Whether thieves get nothing yet.
  bool Withholds() const {
    return __builtin_expect(withheld_until != 0, 0) && Ticks() < withheld_until;
  }

  // Ends a process in which nobody may come to a slot any more.
  static void CheckProcess() { ForkedChild::MustNotBeThisProcess(); }

  // Gives the thieves what they asked for, and the sleepers their wake-up.
  void Attend();
  // The same after a push, of which those who sleep in the task's isolation hear, too.
  void AttendToPush(std::uint64_t of_task);
  // The same, as the thread begins with what it has spawned itself.
  bool NeedsAttentionBeforeOwn() const { return NeedsAttention() || thieves_came; }
  void AttendBeforeOwn();
  // The former alone.
  void ExposeIfAsked() {
    // Thieves write the request; where there is nothing to share it is not looked at.
    if (deque.private_size() > 0 && deque.exposure_requested() && !Withholds()) AnswerThieves();
  }
  // Does so, unless what was shared before is still there.
  void AnswerThieves();
  // Shares some of what only the thread itself could take, if there is something, whoever
  // has asked.
  void ShareSome();
  // Shares what is spawned next unasked for a while: somebody was called and will want tasks.
  void ShareEagerly();

  // Makes the task the newest of the own deque.  Throws std::bad_alloc, and
  // then nothing has changed.
  void Spawn(Task& task) {
    deque.Push(&task, isolation);
    AfterPush(isolation);
  }
  // The same in another isolation.
  void SpawnIn(std::uint64_t other_isolation, Task& task) {
    deque.Push(&task, other_isolation);
    AfterPush(other_isolation);
  }
  // As Spawn, for a task that nobody else would have: if there is no memory for it, it comes
  // by mail.
  void SpawnSurely(Task& task) noexcept {
    if (__builtin_expect(!TrySpawn(task), 0)) SpawnOrMail(task);
  }
  // As Spawn; false: the deque needs memory for it, and nothing has changed.
  bool TrySpawn(Task& task) {
    if (!deque.TryPush(&task, isolation)) return false;
    AfterPush(isolation);
    return true;
  }

  // Any thread.  Puts a task of this isolation into the mailbox, and tells who sleeps in the
  // isolation.
  void Deliver(Task& task, std::uint64_t of_task);

  // Any thread.  A number that is another one if, since the last call, the thread here
  // has run a task that it looked for, has pushed one, or has gone on in a loop: these two
  // answer the request for an exposure, which the call leaves.
  std::int64_t LookForSteps() {
    deque.RequestExposure();
    return stats.dispatched.Read() + stats.exposures.Read() + stats.answers.Read();
  }

  // A number from 0 to bound - 1.
  int Random(int bound) {
    return static_cast<int>(random.Below(static_cast<std::uint32_t>(bound)));
  }

  // Another slot than this one among the first `used`, of which there are two at least.
  int RandomOther(int used) {
    const int others = index < used ? used - 1 : used;
    const int other = Random(others);
    return other < index ? other : other + 1;
  }

 private:
  void SpawnOrMail(Task& task) noexcept;
  void AfterPush(std::uint64_t of_task) {
    NeedWake::AfterPush();
    if (__builtin_expect(NeedsAttention(), 0)) AttendToPush(of_task);
  }
};

// The slot of the calling thread in the arena where it is now, or null before
// its first contact with a pool.  Constant-initialised and trivially destroyed,
// so an access compiles to one load.
extern __thread Slot* current_slot __attribute__((tls_model("initial-exec")));
// The slot that the calling thread was given for the rest of its life (current_slot.h), or null.  A
// thread that has only made groups has one, and is in none.
extern __thread Slot* attached_slot;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_SLOT_H_
