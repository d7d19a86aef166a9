// Completions of a task group against threads that wait for it: the production
// source of group_count.h, context_word.h, noted_arenas.h, group_signals.h, home_spawns.h,
// vacancy.h and wait_table.h, put together as wait_group.cc and context.cc do.
#ifndef FILCH_TESTS_MODEL_POOL_GROUP_SCENARIOS_H_
#define FILCH_TESTS_MODEL_POOL_GROUP_SCENARIOS_H_

#include <memory>

#include "filch/pool/context_word.h"
#include "filch/pool/group_count.h"
#include "filch/pool/group_signals.h"
#include "filch/pool/home_spawns.h"
#include "filch/pool/noted_arenas.h"
#include "filch/pool/parker.h"
#include "filch/pool/wait_table.h"
#include "tests/model/pool/model_sleep.h"
#include "tests/model/pool/one_slot_arena.h"

namespace filch {
namespace model {

// What stands for an arena: a task is in it or not.
struct ElsewhereArena {
  Atomic<int> tasks;
};

using ModelGroup = pool_internal::BasicGroupCount<ElsewhereArena, PoolModelAtomics>;
using ModelSignals = pool_internal::BasicGroupSignals<PoolModelAtomics>;
using ModelHomeSpawns = pool_internal::BasicHomeSpawns<PoolModelAtomics>;
using ModelWaitTable = pool_internal::BasicWaitTable<ModelParker, ModelMutex, 1>;

struct GroupFixture {
  FutexBed bed;
  ModelSignals signals;
  ModelHomeSpawns home_spawns;
  ModelWaitTable table;
  ModelParker parker;
  // Freed as soon as its waiter learns that it is complete: whoever touches it
  // afterwards is caught.
  std::unique_ptr<ModelGroup> group;
  Plain<int> results[3];

  void SetUp(int tasks_at_home = 0) {
    ModelFutex::Use(&bed);
    group = std::make_unique<ModelGroup>();
    for (int i = 0; i < tasks_at_home; ++i) group->SpawnedAtHome();
  }
  void DoneAtHome(int task) {
    results[task] = 1;
    const void* const key = group.get();
    if (group->DoneAtHome(signals)) table.WakeAll(key);
  }
  void DoneRemotely(int task) {
    results[task] = 1;
    CountRemotely(1);
  }
  // As a thief that has run them one after the other.
  void BothDoneRemotely(int task, int another) {
    results[task] = 1;
    results[another] = 1;
    CountRemotely(2);
  }
  void CountRemotely(std::uint32_t tasks) {
    const void* const key = group.get();
    if (group->DoneRemotely(signals, tasks)) table.WakeAll(key);
  }
  std::uint32_t TasksElsewhere() const { return signals.spawned_elsewhere() + home_spawns.count(); }
  // As WaitFor with a GroupCompletion, without work to do meanwhile.  `for_tasks`: not for the end
  // of the group, of which it is to see only where its tasks are.
  void ParkFor(bool at_home, std::uint32_t seen, bool for_tasks = false) {
    ParkOn(parker, at_home, seen, for_tasks);
  }
  void ParkOn(ModelParker& own, bool at_home, std::uint32_t seen, bool for_tasks) {
    ModelWaitTable::Waiter waiter;
    table.Enlist(waiter, group.get(), own);
    signals.AnnounceWaiter(at_home);
    if (!for_tasks) group->Recount();
    if (!group->IsComplete() && TasksElsewhere() == seen) own.Park();
    signals.WithdrawWaiter();
    table.Delist(waiter);
  }
  void Wait(bool at_home, int tasks) {
    while (!group->IsComplete()) ParkFor(at_home, 0);
    for (int task = 0; task < tasks; ++task) RL_ASSERT(results[task] == 1);
    group.reset();
  }
};

// G3: the thread at home waits for a task that ran in another slot.
struct HomeWaits : rl::test_suite<HomeWaits, 2>, GroupFixture {
  void before() { SetUp(1); }
  void thread(unsigned index) {
    if (index == 0) {
      Wait(true, 1);
    } else {
      DoneRemotely(0);
    }
  }
};

// Two of them; the counts of both are in one place.
struct HomeWaitsForTwo : rl::test_suite<HomeWaitsForTwo, 3>, GroupFixture {
  void before() { SetUp(2); }
  void thread(unsigned index) {
    if (index == 0) {
      Wait(true, 2);
    } else {
      DoneRemotely(static_cast<int>(index) - 1);
    }
  }
};

// G8: it has run one of the two itself, and who runs the other one may have counted before.
struct HomeRunsOne : rl::test_suite<HomeRunsOne, 2>, GroupFixture {
  void before() { SetUp(2); }
  void thread(unsigned index) {
    if (index == 0) {
      DoneAtHome(0);
      Wait(true, 2);
    } else {
      DoneRemotely(1);
    }
  }
};

// G4: a waiter from elsewhere, and the task runs at home, without a fence.
struct RemoteWaits : rl::test_suite<RemoteWaits, 2>, GroupFixture {
  void before() { SetUp(1); }
  void thread(unsigned index) {
    if (index == 0) {
      Wait(false, 1);
    } else {
      DoneAtHome(0);
    }
  }
};

// G8: two tasks, one of which runs at home: who does the other one may have counted the former
// when it was over.
struct RemoteWaitsForBoth : rl::test_suite<RemoteWaitsForBoth, 3>, GroupFixture {
  void before() { SetUp(2); }
  void thread(unsigned index) {
    if (index == 0) {
      Wait(false, 2);
    } else if (index == 1) {
      DoneAtHome(0);
    } else {
      DoneRemotely(1);
    }
  }
};

// G2, G8: the same with one task more, for who counts two at once.
struct RemoteWaitsForThree : rl::test_suite<RemoteWaitsForThree, 3>, GroupFixture {
  void before() { SetUp(3); }
  void thread(unsigned index) {
    if (index == 0) {
      Wait(false, 3);
    } else if (index == 1) {
      DoneAtHome(0);
    } else {
      BothDoneRemotely(1, 2);
    }
  }
};

// G8: two wait for one task.  What either does before it parks says nothing of the task to the
// other, nor to who ends it.
struct TwoWait : rl::test_suite<TwoWait, 3>, GroupFixture {
  ModelParker others;
  Atomic<int> waiting;

  void before() {
    SetUp(1);
    waiting.store(2, std::memory_order_relaxed);
  }
  void thread(unsigned index) {
    if (index == 2) {
      DoneRemotely(0);
      return;
    }
    while (!group->IsComplete()) ParkOn(index == 0 ? parker : others, false, 0, false);
    RL_ASSERT(results[0] == 1);
    if (waiting.fetch_sub(1, std::memory_order_acq_rel) == 1) group.reset();
  }
};

// A task that runs at home spawns another one, which runs elsewhere once it is
// there: a waiter never sees the group complete between the two.
struct TaskSpawnsTask : rl::test_suite<TaskSpawnsTask, 3>, GroupFixture {
  ModelParker stolen;

  void before() { SetUp(1); }
  void thread(unsigned index) {
    if (index == 0) {
      Wait(false, 2);
    } else if (index == 1) {
      group->SpawnedAtHome();
      stolen.Unpark();  // as the deque does, it publishes the task
      DoneAtHome(0);
    } else {
      stolen.Park();
      DoneRemotely(1);
    }
  }
};

// The same spawned elsewhere: counted before the task that spawns it is done.
struct TaskSpawnsRemotely : rl::test_suite<TaskSpawnsRemotely, 2>, GroupFixture {
  void before() { SetUp(1); }
  void thread(unsigned index) {
    if (index == 0) {
      Wait(true, 2);
    } else {
      group->SpawnedRemotely();
      DoneRemotely(0);
      DoneRemotely(1);
    }
  }
};

// C2, C4: two tasks throw; the exception of one of them is kept, for the waiter, and for
// whoever has waited for the task and looks while the others are at work.
struct GroupThrows : rl::test_suite<GroupThrows, 3>, GroupFixture {
  pool_internal::BasicContextWord<PoolModelAtomics> context;
  Plain<int> exception;

  void before() { SetUp(2); }
  // As Context::Capture.
  void Throw(int task) {
    if (context.BeginCapture()) {
      RL_ASSERT(exception == 0);
      exception = task + 1;
      context.EndCapture();
    }
    context.Cancel();
  }
  void thread(unsigned index) {
    if (index > 0) {
      const int task = static_cast<int>(index) - 1;
      Throw(task);
      RL_ASSERT(context.is_captured());
      if (context.HasException()) RL_ASSERT(exception != 0);
      DoneRemotely(task);
      return;
    }
    Wait(true, 2);
    RL_ASSERT(!context.untouched() && context.is_captured() && context.HasException());
    RL_ASSERT(context.ForgetException());
    RL_ASSERT(exception != 0);
    exception = 0;
    RL_ASSERT(!context.ForgetException());
    RL_ASSERT(context.Resume());
    RL_ASSERT(context.untouched());
  }
};

// G6, G9: a task is spawned in an arena where nobody is; the waiter goes there.  `kFromHome`: by
// the thread in the home slot, and the waiter is another one.
template <bool kFromHome>
struct SpawnedElsewhere : rl::test_suite<SpawnedElsewhere<kFromHome>, 2>, GroupFixture {
  ElsewhereArena arena;

  void before() {
    SetUp(kFromHome ? 1 : 0);
    if (!kFromHome) group->SpawnedRemotely();
  }
  void thread(unsigned index) {
    if (index == 0) {
      WaitThere();
    } else {
      Spawn();
    }
  }
  // As WaitGroup::SpawnElsewhere.
  void Spawn() {
    const void* const key = group.get();
    group->elsewhere().Note(&arena);
    arena.tasks.store(1, std::memory_order_relaxed);
    if (kFromHome ? home_spawns.Note(signals) : signals.NoteSpawnedElsewhere()) {
      table.WakeAll(key);
    }
  }
  void WaitThere() {
    while (!group->IsComplete()) {
      const std::uint32_t seen = TasksElsewhere();
      for (int i = 0; ElsewhereArena* const place = group->elsewhere().At(i); ++i) {
        if (place->tasks.load(std::memory_order_relaxed) == 0) continue;
        place->tasks.store(0, std::memory_order_relaxed);
        DoneRemotely(0);
      }
      if (!group->IsComplete()) ParkFor(!kFromHome, seen, true);
    }
    group.reset();
  }
};

// G5: two spawners note the same arena and another one; both places are found.
struct PlacesAreNoted : rl::test_suite<PlacesAreNoted, 2>, GroupFixture {
  ElsewhereArena arenas[2];

  void before() { SetUp(); }
  void thread(unsigned index) {
    group->elsewhere().Note(&arenas[0]);
    group->elsewhere().Note(&arenas[index]);
  }
  void after() {
    int places = 0;
    while (group->elsewhere().At(places) != nullptr) ++places;
    RL_ASSERT(places == 2);
    RL_ASSERT(group->elsewhere().At(0) == &arenas[0]);
    RL_ASSERT(group->elsewhere().At(1) == &arenas[1]);
  }
};

// G7: three arenas: nothing is forgotten, and who
// looks meanwhile finds whole lists.
struct FurtherPlaces : rl::test_suite<FurtherPlaces, 3> {
  pool_internal::BasicNotedArenas<ElsewhereArena, PoolModelAtomics> noted;
  ElsewhereArena arenas[3];

  void thread(unsigned index) {
    if (index < 2) {
      noted.Note(&arenas[index]);
      noted.Note(&arenas[2]);
      return;
    }
    for (int i = 0; ElsewhereArena* const arena = noted.At(i); ++i) {
      RL_ASSERT(arena >= arenas && arena < arenas + 3);
    }
  }
  void after() {
    bool found[3] = {};
    int places = 0;
    while (ElsewhereArena* const arena = noted.At(places)) {
      found[arena - arenas] = true;
      ++places;
    }
    RL_ASSERT(places == 3 && found[0] && found[1] && found[2]);
  }
};

// G5: an arena that was made for the task, and is found by who was told of another one.
struct NewArenaIsNoted : rl::test_suite<NewArenaIsNoted, 2> {
  pool_internal::BasicNotedArenas<Plain<int>, PoolModelAtomics> noted;
  Plain<int> arena;

  void thread(unsigned index) {
    if (index == 0) {
      arena = 1;
      noted.Note(&arena);
    } else if (Plain<int>* const found = noted.At(0); found != nullptr) {
      RL_ASSERT(*found == 1);
    }
  }
};

// W5: the group's only task is where a helper has the last slot, who leaves it
// when its own wait is over; the waiter was kept out.
struct HelperLeaves : rl::test_suite<HelperLeaves, 2>, GroupFixture {
  OneSlotArena arena;
  // Apart: whether two keys share a bucket depends on addresses, and an execution
  // has to be the same each time.
  ModelWaitTable slot_table;

  // What an arena does for its Vacancy.
  struct Host {
    HelperLeaves& test;
    static bool HasSlotForWorker() { return true; }
    static void ShowNote() {}
    void WakeSeekers() { test.slot_table.WakeAll(&test.arena); }
  };

  void before() {
    SetUp();
    group->SpawnedRemotely();
    arena.Occupy();
  }
  void thread(unsigned index) {
    if (index == 1) {
      arena.vacancy.Vacate(arena.slot, arena.idle, Host{*this});
      return;
    }
    while (!group->IsComplete()) {
      if (arena.Occupy()) {
        DoneRemotely(0);
        arena.vacancy.Vacate(arena.slot, arena.idle, Host{*this});
      } else {
        ParkForSlot();
      }
    }
  }
  // As WaitFor with a FreeSlotCompletion around a GroupCompletion.
  void ParkForSlot() {
    ModelWaitTable::Waiter for_group;
    ModelWaitTable::Waiter for_slot;
    table.Enlist(for_group, group.get(), parker);
    signals.AnnounceWaiter(true);
    group->Recount();
    slot_table.Enlist(for_slot, &arena, parker);
    arena.vacancy.AddSeeker();
    const bool occupied = arena.slot.occupied.load(std::memory_order_relaxed);
    if (!group->IsComplete() && occupied) parker.Park();
    arena.vacancy.RemoveSeeker();
    slot_table.Delist(for_slot);
    signals.WithdrawWaiter();
    table.Delist(for_group);
  }
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_POOL_GROUP_SCENARIOS_H_
