// Waits for tasks in other arenas, whose threads do not wait for anything: nobody
// but the waiting thread can run them.  A task that it overlooks leaves it blocked,
// and the test does not end.
#include "filch/pool/wait_group.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "filch/pool/current_slot.h"
#include "filch/pool/enqueue.h"
#include "filch/pool/execute.h"
#include "filch/pool/fork_join_task.h"
#include "filch/pool/helping.h"
#include "filch/pool/isolate.h"
#include "filch/pool/pool.h"
#include "filch/pool/slot.h"
#include "filch/pool/task_group.h"
#include "gtest/gtest.h"
#include "tests/pool/held_wait.h"
#include "tests/pool/of_threads.h"
#include "tests/pool/yield_until.h"
#include "tests/yield_for_a_while.h"

namespace filch {
namespace {

PoolOptions NoWorkers() {
  PoolOptions options;
  options.concurrency = 1;
  options.spin = std::chrono::nanoseconds(0);
  return options;
}

// A task of a group that knows whether it ran.
class FlagTask final : public Task {
 public:
  explicit FlagTask(WaitGroup& group) : Task(&FlagTask::Run, &group.context()), group_(group) {}
  WaitGroup& group() const { return group_; }
  bool ran() const { return ran_; }

 private:
  static Task* Run(Task& task, Execution& execution) noexcept {
    auto& self = static_cast<FlagTask&>(task);
    self.ran_ = true;
    self.group_.Done(execution);
    return nullptr;
  }

  WaitGroup& group_;
  bool ran_ = false;
};

// A single line: kCacheLineSize may be that of two, which are fetched together.
std::uintptr_t CacheLineOf(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) / 64;
}

// A thief that asked while the waiting thread worked itself need not wait for a task more.
TEST(WaitGroupTest, TheThreadOfTheHomeSlotCountsThereFromAnArenaThatItHasEntered) {
  Pool pool(NoWorkers());
  Arena& here = pool.AcquireArena({1, 1, Priority::kNormal});
  Arena& elsewhere = pool.AcquireArena({1, 1, Priority::kNormal});
  Arena& further = pool.AcquireArena({1, 1, Priority::kNormal});
  ExecuteIn(here, [&] {
    constexpr int kTasks = 100;
    Context context;
    WaitGroup group(context);
    int ran = 0;
    const auto run_all = [&] {
      for (int i = 0; i < kTasks; ++i) group.Run([&ran] { ++ran; });
    };
    ExecuteIn(elsewhere, [&] {
      run_all();
      // That is so of what is counted at home alone.
      EXPECT_TRUE(group.HasMany());
      group.WaitForTasks();
      EXPECT_EQ(ran, kTasks);
      EXPECT_FALSE(group.HasMany());
      // Two arenas away it counts as any other thread; both ways in one group.
      ExecuteIn(further, run_all);
      EXPECT_FALSE(group.HasMany());
      run_all();
      EXPECT_TRUE(group.HasMany());
    });
    group.WaitForTasks();
    EXPECT_TRUE(group.IsComplete());
    EXPECT_EQ(ran, 3 * kTasks);
  });
  for (Arena* const arena : {&here, &elsewhere, &further}) pool.ReleaseArena(*arena);
}

TEST(WaitGroupTest, AWaitAnswersThievesBeforeItsFirstTask) {
  Pool pool(NoWorkers());
  pool.Execute([] {
    auto& deque = pool_internal::CurrentSlot().deque;
    Context context;
    WaitGroup group(context);
    std::vector<std::int64_t> shared;
    for (int i = 0; i < 3; ++i) {
      group.Run([&] { shared.push_back(deque.ApproximateSizes().shared); });
    }
    const std::int64_t before = deque.ApproximateSizes().shared;
    ASSERT_GT(deque.private_size(), 0);
    deque.RequestExposure();
    group.WaitForTasks();
    ASSERT_EQ(shared.size(), 3u);
    EXPECT_GT(shared[0], before);
  });
}

// Tasks that keep coming where the thread is do not keep it from one elsewhere that nobody
// else can run.
TEST(WaitGroupTest, AWaitThatWasBusyHereLooksElsewhere) {
  std::atomic<bool> busy{false};
  std::atomic<bool> reached{false};
  Pool pool(NoWorkers());
  Arena& here = pool.AcquireArena({2, 2, Priority::kNormal});
  Arena& elsewhere = pool.AcquireArena({1, 1, Priority::kNormal});
  // Even the worker that comes when there are none is busy.
  Enqueue(pool.AcquireArena({1, 1, Priority::kNormal}), [&] {
    busy = true;
    YieldUntil(reached);
  });
  YieldUntil(busy);
  ExecuteIn(here, [&] {
    TaskGroup group;
    group.Add();
    std::atomic<bool> started{false};
    const std::function<void()> again = [&] {
      started = true;
      if (!reached) group.Run(again);
    };
    std::thread other([&] {
      UntilOneSleeps(pool);
      ExecuteIn(here, [&] {
        group.Run(again);
        YieldUntil(started);
      });
      ExecuteIn(elsewhere, [&] { group.Run([&] { reached = true; }); });
      YieldUntil(reached);
      group.Withdraw();
    });
    group.Wait();
    EXPECT_TRUE(reached);
    other.join();
  });
}

// One look is into the slot of one thread; the visit of an arena is into all of them.
TEST(WaitGroupTest, AVisitFindsTheTaskWhicheverThreadHasIt) {
  for (const bool spawner_comes_first : {false, true}) {
    Pool pool(NoWorkers());
    pool.SetWorkerLimit(0);
    Arena& here = pool.AcquireArena({2, 2, Priority::kNormal});
    Arena& elsewhere = pool.AcquireArena({3, 3, Priority::kNormal});
    std::atomic<bool> inside{false};
    std::atomic<bool> spawned{false};
    std::atomic<bool> over{false};
    ExecuteIn(here, [&] {
      std::atomic<bool> ran{false};
      TaskGroup group;
      const auto stay = [&](bool spawns) {
        return std::thread([&, spawns] {
          ExecuteIn(elsewhere, [&] {
            if (spawns) group.Run([&] { ran = true; });
            (spawns ? spawned : inside) = true;
            YieldUntil(over);
          });
        });
      };
      std::thread first = stay(spawner_comes_first);
      YieldUntil(spawner_comes_first ? spawned : inside);
      std::thread second = stay(!spawner_comes_first);
      YieldUntil(spawner_comes_first ? inside : spawned);
      group.Wait();
      EXPECT_TRUE(ran);
      over = true;
      first.join();
      second.join();
    });
  }
}

// The thread in the home slot counts it without an atomic addition, and runs none of it here.
TEST(WaitGroupTest, WhoWaitsHearsOfWhatTheHomeThreadSpawnsElsewhere) {
  Pool pool(NoWorkers());
  pool.SetWorkerLimit(0);
  Arena& here = pool.AcquireArena({2, 2, Priority::kNormal});
  Arena& elsewhere = pool.AcquireArena({2, 2, Priority::kNormal});
  for (int round = 0; round < 200; ++round) {
    ExecuteIn(here, [&] {
      TaskGroup group;
      group.Add();
      std::atomic<bool> waits{false};
      std::thread other([&] {
        ExecuteIn(here, [&] {
          waits = true;
          group.Wait();
        });
      });
      if (round % 2 == 0) {
        UntilOneSleeps(pool);
      } else {
        YieldUntil(waits);  // it is about to
      }
      ExecuteIn(elsewhere, [&] {
        std::atomic<bool> ran{false};
        group.Run([&] { ran = true; });
        YieldUntil(ran);
      });
      group.Withdraw();
      other.join();
    });
  }
  pool.ReleaseArena(elsewhere);
  pool.ReleaseArena(here);
}

// What the threads elsewhere look up in the home slot at each task of a group is not
// where the thread there writes at each of its own.
TEST(WaitGroupTest, OtherThreadsReadWhatTheHomeThreadLeavesAlone) {
  const pool_internal::Slot& home = pool_internal::CurrentSlot();
  const void* const read_remotely[] = {&home.arena, &home.group_signals};
  const void* const written_at_home[] = {&home.deque,     &home.isolation, &home.context,
                                         &home.innermost, &home.depth,     &home.isolation_floor,
                                         &home.memory,    &home.stats,     &home.home_spawns};
  for (const void* const read : read_remotely) {
    for (const void* const written : written_at_home) {
      EXPECT_NE(CacheLineOf(read), CacheLineOf(written));
    }
  }
}

// How deep a thread nests others' tasks does not depend on how quickly it finds them.
TEST(WaitGroupTest, ATaskCostsAsMuchStackWhereverAWaitFindsIt) {
  constexpr int kTasks = 40;
  Pool pool(OfThreads(2));
  std::vector<std::uintptr_t> stack(kTasks);  // in the order of nesting, on the worker
  std::atomic<int> started{0};
  pool.Execute([&] {
    TaskGroup held;
    held.Add();
    TaskGroup tasks;
    const auto nest = [&] {
      stack[static_cast<std::size_t>(started)] =
          reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
      ++started;
      held.Wait();
    };
    for (int i = 0; i < kTasks / 2; ++i) {  // the worker searches for each, or sleeps
      tasks.Run(nest);
      YieldUntil(started, i + 1);
    }
    for (int i = kTasks / 2; i < kTasks; ++i) tasks.Run(nest);
    YieldUntil(started, kTasks);
    held.Withdraw();
    tasks.Wait();
  });
  for (std::size_t i = 3; i < stack.size(); ++i) {
    EXPECT_EQ(stack[i - 1] - stack[i], stack[1] - stack[2]) << i;
  }
}

// What a thread has left behind is stolen, in a way, by the next one in its slot.
TEST(WaitGroupTest, TasksThatWereLeftBehindAreNotNestedWithoutEnd) {
  constexpr int kTasks = 50000;  // several times as many as fit into a stack
  Pool pool(NoWorkers());
  std::unique_ptr<TaskGroup> held;
  std::unique_ptr<TaskGroup> left_behind;
  std::atomic<int> executed{0};
  pool.Execute([&] {
    held = std::make_unique<TaskGroup>();
    held->Add();
    left_behind = std::make_unique<TaskGroup>();
    for (int i = 0; i < kTasks; ++i) {
      left_behind->Run([&] {
        volatile char frame[1000] = {};
        ++executed;
        held->Wait();
        static_cast<void>(frame[0]);
      });
    }
  });
  std::thread next([&] { pool.Execute([&] { left_behind->Wait(); }); });
  UntilOneSleeps(pool);
  EXPECT_LT(executed, kTasks);
  held->Withdraw();
  next.join();
  EXPECT_EQ(executed, kTasks);
}

// They are run for all that, by whoever may steal.
TEST(WaitGroupTest, WhatWasLeftBehindAndWhatIsOwnComeFromOneDeque) {
  std::atomic<bool> is_busy{false};
  std::atomic<bool> leave{false};
  Pool pool(NoWorkers());
  // The worker that comes for what is left behind has something else to do.
  Arena& elsewhere = pool.AcquireArena({1, 0, Priority::kNormal});
  Enqueue(elsewhere, [&] {
    is_busy = true;
    YieldUntil(leave);
  });
  YieldUntil(is_busy);
  std::unique_ptr<TaskGroup> left_behind;
  std::vector<int> order;
  pool.Execute([&] {
    left_behind = std::make_unique<TaskGroup>();
    for (int i = 0; i < 3; ++i) left_behind->Run([&order, i] { order.push_back(i); });
  });
  std::thread next([&] {
    pool.Execute([&] {
      TaskGroup own;
      own.Run([&] { order.push_back(10); });
      own.Wait(Helping::kOwnTasks);
      EXPECT_EQ(order, std::vector<int>({10}));
      Isolate([&] {
        TaskGroup isolated;
        isolated.Run([&] { order.push_back(11); });
        isolated.Wait();
      });
      EXPECT_EQ(order, std::vector<int>({10, 11}));
      left_behind->Wait();
      EXPECT_EQ(order, std::vector<int>({10, 11, 2, 1, 0}));
      own.Run([&] { order.push_back(12); });
      own.Wait();
    });
  });
  next.join();
  EXPECT_EQ(order, std::vector<int>({10, 11, 2, 1, 0, 12}));
  leave = true;
  pool.ReleaseArena(elsewhere);
}

TEST(WaitGroupTest, EveryArenaWithTasksIsVisited) {
  Pool pool(NoWorkers());
  for (int arenas = 1; arenas <= 12; ++arenas) {
    TaskGroup group;
    std::atomic<int> submitted{0};
    std::atomic<int> runs{0};
    std::vector<std::thread> submitters;
    for (int i = 0; i < arenas; ++i) {
      submitters.emplace_back([&] {
        Arena& arena = pool.AcquireArena({1, 1, Priority::kNormal});
        ExecuteIn(arena, [&] {
          group.Run([&] { ++runs; });
          ++submitted;
          YieldUntil([&] { return runs.load() == arenas; });  // does not help
        });
        pool.ReleaseArena(arena);
      });
    }
    YieldUntil([&] { return submitted.load() == arenas; });
    group.Wait();
    EXPECT_EQ(runs.load(), arenas);
    for (std::thread& submitter : submitters) submitter.join();
  }
}

// The group has many tasks, but few of them are in the deque of the thread that waits.
// What it runs beyond them, it runs one at a time.
TEST(WaitGroupTest, AGroupOfManyIsAskedAfterEachTaskOfOthers) {
  Pool pool(NoWorkers());
  pool.Execute([] {
    int run_of_others = 0;
    int run = 0;
    TaskGroup others;
    TaskGroup group;
    constexpr int kElsewhere = 1000;
    for (int i = 0; i < 100; ++i) {
      others.Run([&] {
        // The last of the group's other tasks ends meanwhile.
        if (++run_of_others != 3) return;
        for (int j = 0; j < kElsewhere; ++j) group.Withdraw();
      });
    }
    for (int i = 0; i < 200; ++i) group.Run([&] { ++run; });
    for (int i = 0; i < kElsewhere; ++i) group.Add();
    group.Wait();
    EXPECT_EQ(run, 200);
    EXPECT_EQ(run_of_others, 3);
    others.Wait();
    EXPECT_EQ(run_of_others, 100);
  });
}

// A group's own tasks that start others of it, and many of them.
TEST(WaitGroupTest, AGroupOfManyEndsWithItsLastTask) {
  Pool pool(NoWorkers());
  pool.Execute([] {
    for (int tasks = 1; tasks <= 200; ++tasks) {
      int run_of_others = 0;
      int run = 0;
      TaskGroup others;
      others.Run([&] { ++run_of_others; });
      TaskGroup group;
      for (int i = 0; i < tasks; ++i) {
        group.Run([&] {
          ++run;
          group.Run([&] { ++run; });
        });
      }
      group.Wait();
      EXPECT_EQ(run, 2 * tasks);
      EXPECT_EQ(run_of_others, 0) << tasks;
      others.Wait();
    }
  });
}

// The thread comes back, by way of other arenas, to the one where it is isolated.
TEST(WaitGroupTest, AWaitInAnotherArenaKeepsTheIsolation) {
  Pool pool(NoWorkers());
  for (const int slots : {1, 2}) {
    Arena& home = pool.AcquireArena({slots, slots, Priority::kNormal});
    Arena& there = pool.AcquireArena({1, 1, Priority::kNormal});
    Arena& elsewhere = pool.AcquireArena({1, 1, Priority::kNormal});
    std::atomic<bool> inside{false};
    bool other_ran_inside = false;
    std::atomic<int> runs{0};
    const std::thread::id waiter = std::this_thread::get_id();
    ExecuteIn(home, [&] {
      TaskGroup others;
      // Somebody may be called who runs it beside the wait.
      others.Run([&] { other_ran_inside = inside && std::this_thread::get_id() == waiter; });
      Isolate([&] {
        inside = true;
        TaskGroup group;
        group.Run([&] { ++runs; });
        ExecuteIn(there, [&] { group.Run([&] { ++runs; }); });
        ExecuteIn(elsewhere, [&] { group.Wait(); });
        inside = false;
      });
      others.Wait();
    });
    EXPECT_EQ(runs, 2);
    EXPECT_FALSE(other_ran_inside);
    for (Arena* const arena : {&home, &there, &elsewhere}) pool.ReleaseArena(*arena);
  }
}

// The wait begins in an arena where nobody else can come, for a group that was made
// elsewhere, and the thread sleeps there when a task of the group is enqueued here.
TEST(WaitGroupTest, WhatIsEnqueuedWhereAWaitBeganIsRun) {
  std::atomic<bool> at_work{false};
  std::atomic<bool> over{false};
  PoolOptions options = NoWorkers();
  options.concurrency = 2;
  Pool pool(options);
  Arena& busy = pool.AcquireArena({2, 1, Priority::kNormal});
  // The worker is busy with something else until all is over.
  Enqueue(busy, [&] {
    at_work = true;
    YieldUntil(over);
  });
  YieldUntil(at_work);
  for (const int slots : {1, 2}) {
    Arena& arena = pool.AcquireArena({slots, 1, Priority::kNormal});
    std::unique_ptr<FlagTask> task;
    std::atomic<bool> made{false};
    std::thread waiter([&] {
      pool.Execute([&] {
        Context context;
        WaitGroup group(context);
        group.Add();
        task = std::make_unique<FlagTask>(group);
        made = true;
        ExecuteIn(arena, [&] { group.Wait(); });
      });
    });
    YieldUntil(made);
    UntilOneSleeps(pool);
    task->group().EnqueueIn(arena, *task);
    waiter.join();
    EXPECT_TRUE(task->ran());
    pool.ReleaseArena(arena);
  }
  over = true;
  pool.ReleaseArena(busy);
}

// A part of the group's tasks is over before the others, which are not run; the task
// goes where nobody works when the waiting thread may be asleep.
TEST(WaitGroupTest, APartOfTheTasksIsWaitedFor) {
  Pool pool(NoWorkers());
  for (int round = 0; round < 100; ++round) {
    Context context;
    WaitGroup group(context);
    group.Add();  // not over before the wait is
    WaitGroup part(context);
    part.Add();
    std::atomic<bool> over{false};
    std::thread submitter([&] {
      Arena& arena = pool.AcquireArena({1, 1, Priority::kNormal});
      ExecuteIn(arena, [&] {
        group.Run([&part] { part.Withdraw(); });
        YieldUntil([&] { return over.load(); });  // does not help
      });
      pool.ReleaseArena(arena);
    });
    group.WaitForPart(part);
    EXPECT_FALSE(group.IsComplete());
    over = true;
    submitter.join();
    group.Withdraw();
    group.Wait();
  }
}

// By others, none of which it could run.
TEST(WaitGroupTest, AWaitSleepsUntilTheLastTaskIsOver) {
  constexpr int kTasks = 100;
  Pool pool(NoWorkers());
  std::atomic<WaitGroup*> awaited{nullptr};
  std::thread waiter([&] {
    pool.Execute([&] {
      Context context;
      WaitGroup group(context);
      for (int i = 0; i < kTasks; ++i) group.Add();
      awaited = &group;
      Isolate([&] { group.WaitForTasks(); });
    });
  });
  UntilOneSleeps(pool);
  const std::int64_t parks = pool.Stats().parks;
  for (int i = 1; i < kTasks; ++i) awaited.load()->Withdraw();
  YieldForAWhile();
  EXPECT_EQ(pool.Stats().parks, parks);
  awaited.load()->Withdraw();
  waiter.join();
}

// One thread is in the arena, blocked; another one, which helps there for its own
// reasons, takes the last slot and leaves it as soon as it can.  The third one was
// kept out, and sleeps by then.
class KeptOutTest : public testing::Test {
 protected:
  // `submit` makes, in the arena, what `wait`, from elsewhere, waits for.
  void Check(const std::function<void()>& submit, const std::function<void()>& wait) {
    std::atomic<bool> submitted{false};
    std::atomic<bool> helping{false};
    std::atomic<bool> over{false};
    TaskGroup first;
    std::thread submitter([&] {
      ExecuteIn(arena_, [&] {
        first.Run([&] {
          helping = true;
          UntilOneSleeps(pool_);
        });
        submit();
        submitted = true;
        YieldUntil([&] { return over.load(); });  // does not help
      });
    });
    YieldUntil([&] { return submitted.load(); });
    std::thread kept_out([&] {
      YieldUntil([&] { return helping.load(); });
      ExecuteIn(other_, wait);
      over = true;
    });
    first.Wait();
    kept_out.join();
    submitter.join();
  }

  Pool pool_{NoWorkers()};
  Arena& arena_ = pool_.AcquireArena({1, 1, Priority::kNormal});
  Arena& other_ = pool_.AcquireArena({1, 1, Priority::kNormal});
  std::unique_ptr<TaskGroup> group_;
};

TEST_F(KeptOutTest, AWaitForTasksInTheArenaHearsOfTheFreeSlot) {
  bool ran = false;
  ExecuteIn(other_, [&] { group_ = std::make_unique<TaskGroup>(); });
  Check([&] { group_->Run([&] { ran = true; }); }, [&] { group_->Wait(); });
  EXPECT_TRUE(ran);
}

TEST_F(KeptOutTest, SoDoesAWaitForAGroupOfTheArenaItself) {
  bool ran = false;
  Check(
      [&] {
        group_ = std::make_unique<TaskGroup>();
        group_->Run([&] { ran = true; });
      },
      [&] { group_->Wait(); });
  EXPECT_TRUE(ran);
}

class Answer final : public ForkJoinTask<int> {
 private:
  int Compute() override { return 42; }
};

TEST_F(KeptOutTest, SoDoesTheJoinOfATaskThatWasForkedInTheArena) {
  Answer answer;
  int result = 0;
  Check([&] { answer.Fork(); }, [&] { result = answer.Join(); });
  EXPECT_EQ(result, 42);
}

}  // namespace
}  // namespace filch
