// Pushes, mail, enqueued tasks and waits against threads that go to sleep, on the
// pool of pool_model.h.  A task that nobody runs leaves a thread blocked, which is
// reported as a deadlock.
#ifndef FILCH_TESTS_MODEL_POOL_POOL_SCENARIOS_H_
#define FILCH_TESTS_MODEL_POOL_POOL_SCENARIOS_H_

#include "tests/model/pool/pool_model.h"

namespace filch {
namespace model {

// A pool with one arena; `Tasks` tasks are waited for.
template <int Tasks, int Limit, int Slots = 2, int Reserved = 1>
struct PoolFixture {
  FutexBed bed;
  ModelTask tasks[Tasks];
  ModelCompletion completion{Tasks};
  ModelPool pool{Limit, completion};
  ModelArena arena{pool, Slots, Reserved};
  ModelParker blocked;  // the main thread sleeps here when it does not help

  void SetUp() {
    ModelFutex::Use(&bed);
    pool.AddArena(arena);
    for (ModelTask& task : tasks) task.Prepare();
  }
  // Waits without helping, leaves the slot, if any, and ends the pool.
  void BlockAndShutDown(ModelSlot* slot) {
    completion.Block(blocked);
    if (slot != nullptr) arena.Vacate(*slot);
    pool.Shutdown();
  }
  void Wait(ModelSlot& slot, ModelCompletion& what, bool serves_queue = false) {
    ModelThread thread(slot, serves_queue, completion);
    pool_internal::WaitUntilComplete(thread, what, true, serves_queue);
  }
};

// Tasks of a thread that never looks at its deque again.
template <int Tasks, int Workers>
struct SpawnAndBlock : rl::test_suite<SpawnAndBlock<Tasks, Workers>, 1 + Workers>,
                       PoolFixture<Tasks, Workers, 1 + Workers> {
  void before() { this->SetUp(); }
  void thread(unsigned index) {
    if (index > 0) return this->pool.WorkerMain(static_cast<int>(index) - 1);
    ModelSlot* const slot = this->arena.Occupy(0);
    for (ModelTask& task : this->tasks) slot->Spawn(task);
    this->BlockAndShutDown(slot);
  }
};

// Enqueued tasks, from a thread outside; with limit 0 the mandatory worker comes.
template <int Tasks, int Limit>
struct EnqueueAndBlock : rl::test_suite<EnqueueAndBlock<Tasks, Limit>, 2>,
                         PoolFixture<Tasks, Limit> {
  void before() { this->SetUp(); }
  void thread(unsigned index) {
    if (index > 0) return this->pool.WorkerMain(0);
    for (ModelTask& task : this->tasks) this->arena.Enqueue(task);
    this->BlockAndShutDown(nullptr);
  }
};

// An arena without workers' slots: every task takes the extra one.
struct EnqueueIntoFull : rl::test_suite<EnqueueIntoFull, 2>, PoolFixture<2, 1, 1, 1> {
  void before() { SetUp(); }
  void thread(unsigned index) {
    if (index > 0) return pool.WorkerMain(0);
    ModelSlot* const slot = arena.Occupy(0);
    for (ModelTask& task : tasks) arena.Enqueue(task);
    BlockAndShutDown(slot);
  }
};

// Mail for a slot where nobody is.
struct PostAndBlock : rl::test_suite<PostAndBlock, 2>, PoolFixture<2, 1> {
  void before() { SetUp(); }
  void thread(unsigned index) {
    if (index > 0) return pool.WorkerMain(0);
    for (ModelTask& task : tasks) arena.Post(task, 1);
    BlockAndShutDown(nullptr);
  }
};

// The joint model: a push, mail and an enqueued task, against workers that come,
// steal, and go to sleep.
template <int Workers>
struct Joint : rl::test_suite<Joint<Workers>, 1 + Workers>, PoolFixture<3, Workers, 1 + Workers> {
  void before() { this->SetUp(); }
  void thread(unsigned index) {
    if (index > 0) return this->pool.WorkerMain(static_cast<int>(index) - 1);
    ModelSlot* const slot = this->arena.Occupy(0);
    slot->Spawn(this->tasks[0]);
    this->arena.Post(this->tasks[1], 1);
    this->arena.Enqueue(this->tasks[2]);
    this->BlockAndShutDown(slot);
  }
};

// The same where hooks hear of a worker before it takes anything, if there is something.
template <typename Scenario>
struct WithHooks : Scenario {
  void before() {
    Scenario::before();
    this->arena.set_has_hooks();
  }
};

// The joint model with a thread that waits and helps, which a worker races with.
struct JointWait : rl::test_suite<JointWait, 2>, PoolFixture<3, 1> {
  void before() { SetUp(); }
  void thread(unsigned index) {
    if (index > 0) return pool.WorkerMain(0);
    ModelSlot* const slot = arena.Occupy(0);
    slot->Spawn(tasks[0]);
    arena.Post(tasks[1], 1);
    arena.Enqueue(tasks[2]);
    Wait(*slot, completion, true);
    arena.Vacate(*slot);
    pool.Shutdown();
  }
};

// No workers: a thread that waits is called for another's tasks.
template <int Tasks>
struct WaiterIsCalled : rl::test_suite<WaiterIsCalled<Tasks>, 2>, PoolFixture<Tasks, 0, 2, 2> {
  void before() { this->SetUp(); }
  void thread(unsigned index) {
    ModelSlot* const slot = this->arena.Occupy(static_cast<int>(index));
    if (index == 0) {
      this->Wait(*slot, this->completion);
    } else {
      for (ModelTask& task : this->tasks) slot->Spawn(task);
    }
  }
};

// Two threads wait, one of them for something that is over at the same time as it
// is called for the task: the call goes on to the other one.
struct CallIsForwarded : rl::test_suite<CallIsForwarded, 3>, PoolFixture<1, 0, 3, 3> {
  ModelCompletion other{1};

  void before() { SetUp(); }
  void thread(unsigned index) {
    ModelSlot* const slot = arena.Occupy(static_cast<int>(index));
    if (index == 0) {
      slot->Spawn(tasks[0]);
      other.Done();
    } else {
      Wait(*slot, index == 1 ? other : completion);
    }
  }
};

// The same for an enqueued task: a call that was meant for both kinds of work.
struct QueueCallIsForwarded : rl::test_suite<QueueCallIsForwarded, 3>, PoolFixture<1, 0, 2, 2> {
  ModelCompletion other{1};

  void before() {
    SetUp();
    pool.RefuseWorkers();
  }
  void thread(unsigned index) {
    if (index == 0) {
      arena.Enqueue(tasks[0]);
      other.Done();
    } else {
      Wait(*arena.Occupy(static_cast<int>(index) - 1), index == 1 ? other : completion, true);
    }
  }
};

// A task is enqueued, and maybe another one spawned before, by a thread that does not help.
// Of two that wait only the second serves the queue; the first one may be called for nothing.
// What it waits for is over when the tasks are, or any time.
template <int Tasks, bool Early>
struct CalledInVain : rl::test_suite<CalledInVain<Tasks, Early>, 3>, PoolFixture<Tasks, 0, 3, 3> {
  ModelCompletion other{1};

  void before() {
    this->SetUp();
    this->pool.RefuseWorkers();
  }
  void thread(unsigned index) {
    if (index == 0) {
      this->Wait(*this->arena.Occupy(0), other);
    } else if (index == 1) {
      this->Wait(*this->arena.Occupy(1), this->completion, true);
      if (!Early) other.Done();
    } else {
      if (Tasks > 1) this->arena.Occupy(2)->Spawn(this->tasks[1]);
      this->arena.Enqueue(this->tasks[0]);
      if (Early) other.Done();
    }
  }
};

// W6: what a thread leaves in its deque needs a worker, even where none may have a slot.
struct LeftBehind : rl::test_suite<LeftBehind, 2>, PoolFixture<1, 1, 1, 1> {
  void before() { SetUp(); }
  void thread(unsigned index) {
    if (index > 0) return pool.WorkerMain(0);
    ModelSlot* const slot = arena.Occupy(0);
    slot->Spawn(tasks[0]);
    arena.Vacate(*slot);
    BlockAndShutDown(nullptr);
  }
};

// P8: what a thread leaves there while another one falls asleep in a wait for it, in another
// arena.  There are no workers but the one that comes for it, or soon will be none.
template <int Limit>
struct LeftForWait : rl::test_suite<LeftForWait<Limit>, 3>, PoolFixture<1, Limit, 1, 1> {
  ModelArena other{this->pool, 1, 1};
  ModelSlot* waiting = nullptr;

  void before() {
    this->SetUp();
    this->pool.AddArena(other);
    waiting = other.Occupy(0);
  }
  void thread(unsigned index) {
    if (index == 0) {
      this->Wait(*waiting, this->completion);
      other.Vacate(*waiting);
      this->pool.Shutdown();
    } else if (index == 1) {
      this->pool.WorkerMain(0);
    } else {
      ModelSlot* const slot = this->arena.Occupy(0);
      slot->Spawn(this->tasks[0]);
      this->arena.Vacate(*slot);
      if (Limit > 0) this->pool.SetLimit(0);
    }
  }
};

// The limit is lowered while workers steal what was spawned, which they may give back.  Who
// has spawned it waits for it, and can be called for it or not.
template <int Workers, int NewLimit, bool Callable>
struct GivenBack : rl::test_suite<GivenBack<Workers, NewLimit, Callable>, 1 + Workers>,
                   PoolFixture<1, Workers, 3, 1> {
  void before() { this->SetUp(); }
  void thread(unsigned index) {
    if (index > 0) return this->pool.WorkerMain(static_cast<int>(index) - 1);
    ModelSlot* const slot = this->arena.Occupy(0);
    slot->Spawn(this->tasks[0]);
    this->pool.SetLimit(NewLimit);
    ModelThread thread(*slot, false, this->completion);
    pool_internal::WaitUntilComplete(thread, this->completion, Callable, false);
    this->arena.Vacate(*slot);
    this->pool.Shutdown();
  }
};

// LeftBehind twice: the second task is left while the worker for the first one goes
// to sleep.
struct LeftBehindAgain : rl::test_suite<LeftBehindAgain, 2>, PoolFixture<2, 1, 1, 1> {
  void before() { SetUp(); }
  void thread(unsigned index) {
    if (index > 0) return pool.WorkerMain(0);
    for (ModelTask& task : tasks) {
      ModelSlot* const slot = arena.Occupy(0);
      slot->Spawn(task);
      arena.Vacate(*slot);
    }
    BlockAndShutDown(nullptr);
  }
};

// W7: a thread waits for a task that another one spawns and leaves where it is, and does
// not help.  There are no workers but the one that comes for it.
template <int Tasks>
struct AbstainerWaits : rl::test_suite<AbstainerWaits<Tasks>, 3>, PoolFixture<Tasks, 0, 2, 2> {
  ModelSlot* slots[2] = {};

  void before() {
    this->SetUp();
    for (int i = 0; i < 2; ++i) slots[i] = this->arena.Occupy(i);
  }
  void thread(unsigned index) {
    if (index == 0) {
      this->arena.AddAbstainer();
      this->completion.Block(slots[0]->parker);
      this->arena.RemoveAbstainer();
      this->pool.Shutdown();
    } else if (index == 1) {
      this->pool.WorkerMain(0);
    } else {
      for (ModelTask& task : this->tasks) slots[1]->Spawn(task);
    }
  }
};

// W4: the worker that was called finds the arena full, until a thread leaves.
struct SlotBecomesFree : rl::test_suite<SlotBecomesFree, 3>, PoolFixture<1, 1, 2, 0> {
  ModelSlot* slots[2] = {};

  void before() {
    SetUp();
    slots[0] = arena.Occupy(0);
    slots[1] = arena.Occupy(1);
  }
  void thread(unsigned index) {
    if (index == 0) {
      slots[0]->Spawn(tasks[0]);
      BlockAndShutDown(slots[0]);
    } else if (index == 1) {
      pool.WorkerMain(0);
    } else {
      arena.Vacate(*slots[1]);
    }
  }
};

// W4: the worker that was called finds the arena full, and so again, because the thread that
// leaves meanwhile has made room for another one from outside.
struct SlotIsTakenAgain : rl::test_suite<SlotIsTakenAgain, 2>, PoolFixture<1, 1, 2, 0> {
  ModelSlot* slots[2] = {};

  void before() {
    SetUp();
    slots[0] = arena.Occupy(0);
    slots[1] = arena.Occupy(1);
    arena.Enqueue(tasks[0]);
  }
  void thread(unsigned index) {
    if (index > 0) return pool.WorkerMain(0);
    arena.Vacate(*slots[1]);
    if (ModelSlot* const again = arena.Occupy(1)) arena.Vacate(*again);
    BlockAndShutDown(slots[0]);
  }
};

// An arena of one slot, which is taken, and a thread from outside that waits for it.
template <int Tasks>
struct SeekerFixture : PoolFixture<Tasks, 0, 1, 1> {
  ModelSlot* taken = nullptr;
  ModelParker seeker;

  void SetUpSeeker() {
    this->SetUp();
    taken = this->arena.Occupy(0);
    this->arena.set_seeker(&seeker);
  }
  ModelSlot* Seek() {
    this->arena.slots().vacancy().AddSeeker();
    ModelSlot* found = nullptr;
    while ((found = this->arena.Occupy(0)) == nullptr) seeker.Park();
    this->arena.slots().vacancy().RemoveSeeker();
    return found;
  }
};

// W5: a thread from outside waits for a slot.
struct SeekerGetsSlot : rl::test_suite<SeekerGetsSlot, 2>, SeekerFixture<1> {
  void before() { SetUpSeeker(); }
  void thread(unsigned index) {
    if (index == 0) {
      arena.Vacate(*taken);
    } else {
      Seek();
    }
  }
};

// W5: a thread from outside helps with what another one leaves in a serial arena, where nobody
// else comes for it.
struct LeftForHelper : rl::test_suite<LeftForHelper, 2>, SeekerFixture<1> {
  void before() {
    SetUpSeeker();
    arena.slots().numbers().CountOn();
  }
  void thread(unsigned index) {
    if (index == 0) {
      taken->Spawn(tasks[0]);
      arena.Vacate(*taken);
      return;
    }
    auto& slots = arena.slots();
    ModelSlot* there = nullptr;
    while ((there = slots.OccupyToHelp()) == nullptr) {
      slots.vacancy().AddSeeker();
      if (!slots.HasSlotToHelp()) seeker.Park();
      slots.vacancy().RemoveSeeker();
    }
    RL_ASSERT(there->index == 0);
    ModelThread thread(*there, false, completion);
    thread.Run(thread.Next(), [] { return false; });
    RL_ASSERT(completion.IsComplete());
  }
};

// O1: a thread goes on with the deque that another one has left with a task in it.
struct SlotChangesHands : rl::test_suite<SlotChangesHands, 2>, SeekerFixture<2> {
  void before() { SetUpSeeker(); }
  void thread(unsigned index) {
    if (index == 0) {
      taken->Spawn(tasks[0]);
      arena.Vacate(*taken);
      return;
    }
    ModelSlot& mine = *Seek();
    mine.Spawn(tasks[1]);
    ModelThread thread(mine, false, completion);
    thread.Run(thread.Next(), [] { return false; });
    RL_ASSERT(completion.IsComplete());
  }
};

// W8, W4: one thread of a full arena sleeps inside another task; the other one does so,
// too, or leaves a slot that a worker may not take, when somebody enqueues a task.
template <bool Leaves>
struct NobodyIsLeft : rl::test_suite<NobodyIsLeft<Leaves>, 3>,
                      PoolFixture<1, 1, 2, Leaves ? 1 : 2> {
  ModelSlot* other = nullptr;

  void before() {
    this->SetUp();
    other = this->arena.Occupy(0);
    this->arena.GoAway(*this->arena.Occupy(1));
  }
  void thread(unsigned index) {
    if (index == 0) {
      this->arena.Enqueue(this->tasks[0]);
      this->BlockAndShutDown(nullptr);
    } else if (index == 1) {
      this->pool.WorkerMain(0);
    } else if (Leaves) {
      this->arena.Vacate(*other);
    } else {
      this->arena.GoAway(*other);
    }
  }
};

// W8: all are away, and the worker in the extra slot has two tasks to run, when one of
// them comes back, and leaves its slot or goes away again.  The worker leaves meanwhile,
// and what is left is for somebody all the same.
template <bool Leaves>
struct OneComesBack : rl::test_suite<OneComesBack<Leaves>, 3>, PoolFixture<2, 1, 2, 2> {
  ModelSlot* other = nullptr;

  void before() {
    this->SetUp();
    this->arena.GoAway(*this->arena.Occupy(0));
    other = this->arena.Occupy(1);
    this->arena.GoAway(*other);
  }
  void thread(unsigned index) {
    if (index == 0) {
      for (ModelTask& task : this->tasks) this->arena.Enqueue(task);
      this->BlockAndShutDown(nullptr);
    } else if (index == 1) {
      this->pool.WorkerMain(0);
    } else {
      pool_internal::ComeBack(*other);
      if (Leaves) {
        this->arena.Vacate(*other);
      } else {
        this->arena.GoAway(*other);
      }
    }
  }
};

// The limit is lowered while a task is queued, and before a called worker comes.
struct LimitIsLowered : rl::test_suite<LimitIsLowered, 3>, PoolFixture<2, 2> {
  void before() { SetUp(); }
  void thread(unsigned index) {
    if (index > 0) return pool.WorkerMain(static_cast<int>(index) - 1);
    arena.Enqueue(tasks[0]);
    pool.SetLimit(0);
    arena.Enqueue(tasks[1]);
    BlockAndShutDown(nullptr);
  }
};

// The limit is raised while a task is pushed that relies on a thread that stops
// searching: nobody can come for it before that.
struct LimitIsRaised : rl::test_suite<LimitIsRaised, 3>, PoolFixture<1, 0> {
  ModelSlot* slots[2] = {};

  void before() {
    SetUp();
    slots[0] = arena.Occupy(0);
    slots[1] = arena.Occupy(1);
    arena.StartSearching(false);
  }
  void thread(unsigned index) {
    if (index == 0) {
      slots[0]->Spawn(tasks[0]);
      BlockAndShutDown(slots[0]);
    } else if (index == 1) {
      pool.WorkerMain(0);
    } else {
      arena.StopSearching(*slots[1], false);
      pool.SetLimit(1);
      arena.Vacate(*slots[1]);
    }
  }
};

// The limit is lowered and raised again, while a call for a task looks at it.
struct LimitGoesDownAndUp : rl::test_suite<LimitGoesDownAndUp, 3>, PoolFixture<1, 1> {
  ModelSlot* slot = nullptr;

  void before() {
    SetUp();
    slot = arena.Occupy(0);
  }
  void thread(unsigned index) {
    if (index == 0) {
      pool.SetLimit(0);
      pool.SetLimit(1);
      BlockAndShutDown(nullptr);
    } else if (index == 1) {
      pool.WorkerMain(0);
    } else {
      slot->Spawn(tasks[0]);
    }
  }
};

// The worker is retired while it is called for one task, and another is enqueued: the
// next worker comes for what the first one did not see.
template <bool Spawned>
struct Retirement : rl::test_suite<Retirement<Spawned>, 3>, PoolFixture<2, 1> {
  ModelSlot* slot = nullptr;

  void before() {
    this->SetUp();
    if (Spawned) slot = this->arena.Occupy(0);
  }
  void thread(unsigned index) {
    if (index == 0) {
      this->arena.Enqueue(this->tasks[0]);
      this->pool.Retire();
      this->completion.Block(this->blocked);
      this->pool.ShutDownLives();
    } else if (index == 1) {
      this->pool.WorkerLives(0);
    } else if (Spawned) {
      slot->Spawn(this->tasks[1]);
    } else {
      this->arena.Enqueue(this->tasks[1]);
    }
  }
};

// The same for a thread that leaves the slot at once: what it spawned is left behind.
struct RetirementAndLeft : rl::test_suite<RetirementAndLeft, 3>, PoolFixture<1, 1> {
  ModelSlot* slot = nullptr;

  void before() {
    SetUp();
    slot = arena.Occupy(0);
  }
  void thread(unsigned index) {
    if (index == 0) {
      pool.Retire();
      completion.Block(blocked);
      pool.ShutDownLives();
    } else if (index == 1) {
      pool.WorkerLives(0);
    } else {
      slot->Spawn(tasks[0]);
      arena.Vacate(*slot);
    }
  }
};

// The worker sleeps already when it is called, and retired at the same time.
struct RetirementOfOneThatIsCalled : rl::test_suite<RetirementOfOneThatIsCalled, 3>,
                                     PoolFixture<2, 1> {
  ModelSlot* slot = nullptr;

  void before() {
    SetUp();
    slot = arena.Occupy(0);
    tasks[0].set_unparks(&blocked);
  }
  void thread(unsigned index) {
    if (index == 0) {
      arena.Enqueue(tasks[0]);
      blocked.Park();
      pool.Retire();
      completion.Block(blocked);
      pool.ShutDownLives();
    } else if (index == 1) {
      pool.WorkerLives(0);
    } else {
      slot->Spawn(tasks[1]);
    }
  }
};

// The worker is called, and the limit is lowered before it comes and raised after it was
// retired.
struct RetirementOfOneThatMustNotCome : rl::test_suite<RetirementOfOneThatMustNotCome, 3>,
                                        PoolFixture<1, 1> {
  ModelSlot* slot = nullptr;

  void before() {
    SetUp();
    slot = arena.Occupy(0);
  }
  void thread(unsigned index) {
    if (index == 0) {
      blocked.Park();
      pool.SetLimit(0);
      pool.Retire();
      pool.SetLimit(1);
      completion.Block(blocked);
      pool.ShutDownLives();
    } else if (index == 1) {
      pool.WorkerLives(0);
    } else {
      slot->Spawn(tasks[0]);
      blocked.Unpark();
    }
  }
};

// Two arenas, one worker: it is called to one of them while it is in the other.
struct TwoArenas : rl::test_suite<TwoArenas, 2>, PoolFixture<2, 1> {
  ModelArena second{pool, 2, 1};

  void before() {
    SetUp();
    pool.AddArena(second);
  }
  void thread(unsigned index) {
    if (index > 0) return pool.WorkerMain(0);
    ModelSlot* const first_slot = arena.Occupy(0);
    ModelSlot* const second_slot = second.Occupy(0);
    first_slot->Spawn(tasks[0]);
    second_slot->Spawn(tasks[1]);
    completion.Block(blocked);
    second.Vacate(*second_slot);
    arena.Vacate(*first_slot);
    pool.Shutdown();
  }
};

// A pusher relies on a thread that searches, which then has something else to do
// because a task in the other arena completes what it waits for; the only worker is
// still there.  When it becomes free, it has to hear of the pusher's task.
struct WorkerIsElsewhere : rl::test_suite<WorkerIsElsewhere, 3>, PoolFixture<2, 1> {
  ModelArena second{pool, 2, 1};
  ModelSlot* slots[2] = {};
  ModelParker searcher;

  void before() {
    SetUp();
    pool.AddArena(second);
    slots[0] = arena.Occupy(0);
    slots[1] = arena.Occupy(1);
    arena.StartSearching(false);
    tasks[1].set_unparks(&searcher);
  }
  void thread(unsigned index) {
    if (index == 0) {
      slots[0]->Spawn(tasks[0]);
      second.Enqueue(tasks[1]);
      BlockAndShutDown(slots[0]);
    } else if (index == 1) {
      pool.WorkerMain(0);
    } else {
      searcher.Park();
      arena.StopSearching(*slots[1], false);
      arena.Vacate(*slots[1]);
    }
  }
};

// P7: the only worker is in an arena with two tasks, and may leave for one of higher
// priority in between: nothing of either is lost.
struct LeavesForHigher : rl::test_suite<LeavesForHigher, 2>, PoolFixture<3, 1> {
  ModelArena second{pool, 2, 1, 1};

  void before() {
    SetUp();
    pool.AddArena(second);
  }
  void thread(unsigned index) {
    if (index > 0) return pool.WorkerMain(0);
    ModelSlot* const slot = arena.Occupy(0);
    slot->Spawn(tasks[0]);
    slot->Spawn(tasks[1]);
    second.Enqueue(tasks[2]);
    BlockAndShutDown(slot);
  }
};

// Two arenas, two workers and a task in each.
struct TwoCalls : rl::test_suite<TwoCalls, 3>, PoolFixture<2, 2> {
  ModelArena second{pool, 2, 1};

  void before() {
    SetUp();
    pool.AddArena(second);
  }
  void thread(unsigned index) {
    if (index > 0) return pool.WorkerMain(static_cast<int>(index) - 1);
    arena.Enqueue(tasks[0]);
    second.Enqueue(tasks[1]);
    BlockAndShutDown(nullptr);
  }
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_POOL_POOL_SCENARIOS_H_
