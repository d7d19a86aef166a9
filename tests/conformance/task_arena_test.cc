#define __TBB_EXTRA_DEBUG 1  // for what task_arena has for tests of schedulers

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/deep_in_stack.h"
#include "tests/conformance/on_onetbb.h"
#include "tests/conformance/parallelism_fixture.h"
#include "tests/yield_for_a_while.h"

namespace {

static_assert(tbb::task_arena::automatic == -1);
static_assert(tbb::task_arena::not_initialized == -2);

// Programs name it to pass a priority on.
using ArenaBase = tbb::detail::d1::task_arena_base;
static_assert(std::is_base_of_v<ArenaBase, tbb::task_arena>);
static_assert(ArenaBase::automatic == -1 && ArenaBase::not_initialized == -2);
static_assert(std::is_same_v<ArenaBase::priority, tbb::task_arena::priority>);
static_assert(std::is_same_v<ArenaBase::constraints, tbb::task_arena::constraints>);
static_assert(ArenaBase::priority::low < ArenaBase::priority::normal &&
              ArenaBase::priority::normal < ArenaBase::priority::high);
static_assert(!std::is_default_constructible_v<ArenaBase>);
static_assert(std::is_copy_constructible_v<tbb::task_arena>);

using TaskArenaTest = ParallelismTest;
INSTANTIATE_TEST_SUITE_P(Limits, TaskArenaTest, kLimits);

TEST_P(TaskArenaTest, ExecuteReturnsWhatTheFunctorReturns) {
  tbb::task_arena arena(2);
  EXPECT_EQ(arena.execute([] { return 42; }), 42);
  EXPECT_EQ(*arena.execute([] { return std::make_unique<std::string>("moved"); }), "moved");
  bool ran = false;
  arena.execute([&] { ran = true; });
  EXPECT_TRUE(ran);
}

TEST_P(TaskArenaTest, TestsOfSchedulersWaitUntilItIsEmpty) {
  tbb::task_arena arena(3, 2);
  std::atomic<int> runs{0};
  for (int i = 0; i < 100; ++i) arena.enqueue([&] { ++runs; });
  arena.debug_wait_until_empty();
  EXPECT_EQ(runs, 100);
  EXPECT_EQ(arena.debug_max_concurrency(), 3);
  EXPECT_EQ(arena.debug_reserved_slots(), 2);
}

TEST_P(TaskArenaTest, ExecuteRethrows) {
  tbb::task_arena arena(2);
  EXPECT_THROW(arena.execute([] { throw std::overflow_error("x"); }), std::overflow_error);
  EXPECT_THROW(arena.execute([]() -> int { throw 3; }), int);
  EXPECT_EQ(arena.execute([] { return 1; }), 1);
}

TEST_P(TaskArenaTest, ExecuteRunsAlgorithmsInTheArena) {
  tbb::task_arena arena(2);
  std::atomic<int> ran{0};
  std::atomic<bool> outside{false};
  arena.execute([&] {
    tbb::parallel_for(0, 500, [&](int) {
      ++ran;
      const int index = tbb::this_task_arena::current_thread_index();
      if (index < 0 || index >= tbb::this_task_arena::max_concurrency()) outside = true;
    });
  });
  EXPECT_EQ(ran, 500);
  EXPECT_FALSE(outside);
}

TEST_P(TaskArenaTest, KnowsItsMaximalConcurrency) {
  tbb::task_arena three(3);
  EXPECT_EQ(three.max_concurrency(), 3);
  three.execute([] { EXPECT_EQ(tbb::this_task_arena::max_concurrency(), 3); });
  tbb::task_arena one(1);
  EXPECT_EQ(one.execute([] { return tbb::this_task_arena::max_concurrency(); }), 1);
  tbb::task_arena automatic;
  EXPECT_GE(automatic.max_concurrency(), 1);
  // As half the number of cpus may be.
  for (const int size : {0, -7}) {
    tbb::task_arena arena(size);
    EXPECT_EQ(arena.max_concurrency(), automatic.max_concurrency());
    EXPECT_EQ(arena.execute([] { return tbb::this_task_arena::max_concurrency(); }),
              automatic.max_concurrency());
  }
}

TEST_P(TaskArenaTest, AnArenaOfOneHasRoomForAnotherWhileItRunsWhatWasEnqueued) {
  tbb::task_arena arena(1);
  arena.initialize();
  EXPECT_EQ(arena.max_concurrency(), 1);
  std::atomic<int> seen{0};
  std::atomic<bool> leave{false};
  arena.enqueue([&] {
    seen = tbb::this_task_arena::max_concurrency();
    while (!leave) std::this_thread::yield();
  });
  while (seen == 0) std::this_thread::yield();
  EXPECT_EQ(seen, 2);
  EXPECT_EQ(arena.max_concurrency(), 2);
  EXPECT_EQ(arena.execute([] { return tbb::this_task_arena::max_concurrency(); }), 2);
  leave = true;
  while (arena.max_concurrency() != 1) std::this_thread::yield();
}

TEST_P(TaskArenaTest, ANewArenaOfOneHasRoomForNoOther) {
  for (int round = 0; round < 50; ++round) {
    tbb::task_arena arena(1);
    arena.initialize();
    ASSERT_EQ(arena.max_concurrency(), 1) << round;
    std::atomic<bool> ran{false};
    arena.enqueue([&] { ran = true; });
    while (!ran) std::this_thread::yield();
  }
}

TEST_P(TaskArenaTest, ThreadsFromOutsideAreNoReasonForAnotherPlace) {
  for (const unsigned reserved : {0u, 1u}) {
    tbb::task_arena arena(1, reserved);
    std::atomic<int> inside{0};
    std::atomic<int> too_many{0};
    const auto enter = [&] {
      arena.execute([&] {
        if (arena.max_concurrency() != 1) ++too_many;
        if (tbb::this_task_arena::max_concurrency() != 1) ++too_many;
        ++inside;
      });
    };
    for (int round = 0; round < 50; ++round) {
      std::thread first(enter);
      std::thread second(enter);
      first.join();
      second.join();
    }
    EXPECT_EQ(inside, 100);
    EXPECT_EQ(too_many, 0) << reserved << " reserved";
  }
}

// Whether the calling thread has a place in a table with one for each thread.
bool HasPlaceInTables() {
  return tbb::this_task_arena::current_thread_index() < tbb::this_task_arena::max_concurrency();
}

TEST_P(TaskArenaTest, TasksOfAnArenaOfOneHaveAPlaceWhoeverRunsThem) {
  tbb::task_arena arena(1);
  std::atomic<int> ran{0};
  std::atomic<int> without_place{0};
  const auto check = [&] {
    if (!HasPlaceInTables()) ++without_place;
    arena.execute([&] {  // as part of the task
      if (!HasPlaceInTables()) ++without_place;
    });
    ++ran;
  };
  for (int round = 0; round < 20; ++round) {
    ran = 0;
    tbb::task_group left;
    arena.execute([&] { left.run(check); });
    tbb::task_group beside;
    std::atomic<bool> spawned{false};
    std::thread inside([&] {
      arena.execute([&] {
        beside.run(check);
        spawned = true;
        beside.wait();
      });
    });
    while (!spawned) std::this_thread::yield();
    beside.wait();
    inside.join();
    arena.execute([&] { left.wait(); });
    EXPECT_EQ(ran, 2);
  }
  EXPECT_EQ(without_place, 0);
}

// Who is inside of what must not run at the same time.
class OneAtATime {
 public:
  void operator()() const {
    if (++inside_ > 1) met_ = true;
    // Somebody who could come has time for it.
    filch::YieldForAWhile([this] { return met_.load(); });
    ++runs_;
    --inside_;
  }
  bool met() const { return met_; }
  int runs() const { return runs_; }

 private:
  mutable std::atomic<int> inside_{0};
  mutable std::atomic<int> runs_{0};
  mutable std::atomic<bool> met_{false};
};

TEST_P(TaskArenaTest, WhatAnArenaOfOneSpawnsIsSerial) {
  tbb::task_arena arena(1);
  const OneAtATime task;
  for (int round = 0; round < 5; ++round) {
    tbb::task_group group;
    arena.execute([&] {
      for (int i = 0; i < 4; ++i) group.run([&task] { task(); });
    });
    // The group's tasks are left in the arena.
    filch::YieldForAWhile();
    arena.execute([&] { task(); });
    arena.execute([&] { group.wait(); });
  }
  EXPECT_EQ(task.runs(), 25);
  EXPECT_FALSE(task.met());
}

TEST_P(TaskArenaTest, WhatANewArenaOfOneSpawnsIsSerialWhateverWasEnqueuedInTheLastOne) {
  for (int round = 0; round < 300; ++round) {
    {
      tbb::task_arena last(1);
      std::atomic<bool> ran{false};
      last.enqueue([&] { ran = true; });
      while (!ran) std::this_thread::yield();
    }
    tbb::task_arena arena(1);
    std::set<std::thread::id> runners;
    std::mutex mutex;
    arena.execute([&] {
      tbb::task_group group;
      // So many that a worker that was still there would get some.
      for (int i = 0; i < 500; ++i) {
        group.run([&] {
          const std::lock_guard<std::mutex> lock(mutex);
          runners.insert(std::this_thread::get_id());
        });
      }
      group.wait();
    });
    ASSERT_EQ(runners.size(), 1u) << round;
  }
}

TEST_P(TaskArenaTest, WhatIsLeftInAnArenaOfOneRunsWhereverItIsWaitedFor) {
  if (kOnOneTbb) GTEST_SKIP() << "Nobody comes for it.";
  const OneAtATime task;
  for (int round = 0; round < 5; ++round) {
    tbb::task_arena arena(1);
    tbb::task_group made_outside;
    std::optional<tbb::task_group> made_inside;
    arena.execute([&] {
      made_inside.emplace();
      for (int i = 0; i < 4; ++i) {
        made_inside->run([&task] { task(); });
        made_outside.run([&task] { task(); });
      }
    });
    if (round == 1) arena.terminate();
    if (round < 3) {
      made_outside.wait();
      made_inside->wait();
      continue;
    }
    std::thread other([&] { made_outside.wait(); });
    made_inside->wait();
    other.join();
  }
  EXPECT_EQ(task.runs(), 40);
  EXPECT_FALSE(task.met());
}

TEST_P(TaskArenaTest, WhoWaitsOutsideOfAnArenaOfOneDoesNotComeBesideAThreadInside) {
  tbb::task_arena arena(1);
  const OneAtATime task;
  for (int round = 0; round < 5; ++round) {
    tbb::task_group group;
    std::atomic<bool> spawned{false};
    std::thread inside([&] {
      arena.execute([&] {
        for (int i = 0; i < 3; ++i) group.run([&task] { task(); });
        spawned = true;
        task();
        if (kOnOneTbb) group.wait();  // nobody else does it
      });
    });
    while (!spawned) std::this_thread::yield();
    group.wait();
    inside.join();
  }
  EXPECT_EQ(task.runs(), 20);
  EXPECT_FALSE(task.met());
}

TEST_P(TaskArenaTest, WhatIsLeftInAnArenaOfOneRunsForWhoIsDeepInItsStack) {
  if (kOnOneTbb) GTEST_SKIP() << "Nobody comes for it.";
  tbb::task_arena arena(1);
  std::optional<tbb::task_group> made_inside;
  tbb::task_group made_outside;
  std::atomic<int> runs{0};
  arena.execute([&] {
    made_inside.emplace();
    made_inside->run([&runs] { ++runs; });
    made_outside.run([&runs] { ++runs; });
  });
  DeepInStack([&] {
    made_outside.wait();
    made_inside->wait();
  });
  EXPECT_EQ(runs, 2);
}

TEST_P(TaskArenaTest, WhatIsLeftInAnArenaOfOneRunsForWhoIsDeepInItsStackThere) {
  tbb::task_arena arena(1);
  std::optional<tbb::task_group> group;
  std::atomic<int> runs{0};
  arena.execute([&] {
    group.emplace();
    for (int i = 0; i < 3; ++i) group->run([&runs] { ++runs; });
  });
  arena.execute([&] { DeepInStack([&] { group->wait(); }); });
  EXPECT_EQ(runs, 3);
}

TEST_P(TaskArenaTest, WhatIsEnqueuedInAnArenaOfOneMaySpawnWhatNobodyWaitsFor) {
  if (limit() == 1) return;  // the worker goes when it has run what was enqueued
  tbb::task_arena arena(1);
  tbb::task_group group;
  std::atomic<bool> ran{false};
  arena.execute([&] {
    arena.enqueue([&] { group.run([&ran] { ran = true; }); });
    while (!ran) std::this_thread::yield();
  });
  group.wait();
}

TEST_P(TaskArenaTest, ACallByAWorkerOfElsewhereIsNoReasonForAnotherPlace) {
  for (const unsigned reserved : {0u, 1u}) {
    tbb::task_arena elsewhere(2);
    tbb::task_arena arena(1, reserved);
    tbb::task_group until_called;
    tbb::task_handle last = until_called.defer([] {});
    std::atomic<bool> is_inside{false};
    std::thread inside([&] {
      arena.execute([&] {
        is_inside = true;
        until_called.wait();
      });
    });
    while (!is_inside) std::this_thread::yield();
    int places = 0;
    elsewhere.enqueue([&] {
      arena.execute([&] { places = tbb::this_task_arena::max_concurrency(); });
      until_called.run(std::move(last));
    });
    inside.join();
    EXPECT_EQ(places, 1) << reserved << " reserved";
  }
}

TEST_P(TaskArenaTest, ThreadIndexIsStableInsideAndRestoredAfterNesting) {
  tbb::task_arena outer(2);
  tbb::task_arena inner(2);
  outer.execute([&] {
    const int before = tbb::this_task_arena::current_thread_index();
    EXPECT_GE(before, 0);
    EXPECT_LT(before, 2);
    inner.execute([&] {
      const int nested = tbb::this_task_arena::current_thread_index();
      EXPECT_GE(nested, 0);
      EXPECT_LT(nested, 2);
      outer.execute([] { EXPECT_GE(tbb::this_task_arena::current_thread_index(), 0); });
      EXPECT_EQ(tbb::this_task_arena::current_thread_index(), nested);
    });
    EXPECT_EQ(tbb::this_task_arena::current_thread_index(), before);
  });
}

TEST_P(TaskArenaTest, AThreadThatNeverWorkedHasNoIndex) {
  int index = 0;
  std::thread([&] { index = tbb::this_task_arena::current_thread_index(); }).join();
  EXPECT_EQ(index, int{tbb::task_arena::not_initialized});
}

TEST_P(TaskArenaTest, EnqueuedWorkRunsWithoutAnyoneWaiting) {
  tbb::task_arena arena(2);
  std::atomic<int> ran{0};
  for (int i = 0; i < 100; ++i) arena.enqueue([&] { ++ran; });
  while (ran.load() != 100) std::this_thread::yield();
  EXPECT_EQ(ran, 100);
}

TEST_P(TaskArenaTest, EnqueueDoesNotRunInTheCaller) {
  tbb::task_arena arena(1);
  std::atomic<bool> done{false};
  std::thread::id runner;
  arena.enqueue([&] {
    runner = std::this_thread::get_id();
    done = true;
  });
  while (!done.load()) std::this_thread::yield();
  EXPECT_NE(runner, std::this_thread::get_id());
}

// Programs index arrays by the number.
TEST_P(TaskArenaTest, AThreadThatUsedOneHasANumberOutsideToo) {
  const auto number_after = [](const auto& use) {
    int index = tbb::task_arena::not_initialized;
    std::thread([&] {
      tbb::task_arena arena(2);
      use(arena);
      index = tbb::this_task_arena::current_thread_index();
    }).join();
    return index;
  };
  EXPECT_EQ(number_after([](tbb::task_arena&) {}), int{tbb::task_arena::not_initialized});
  EXPECT_EQ(number_after([](tbb::task_arena& arena) { arena.initialize(); }), 0);
  EXPECT_EQ(number_after([](tbb::task_arena& arena) { arena.execute([] {}); }), 0);
  tbb::task_arena made_elsewhere(2);
  made_elsewhere.initialize();
  EXPECT_EQ(number_after([&](tbb::task_arena&) { made_elsewhere.execute([] {}); }), 0);
  std::atomic<int> ran{0};
  EXPECT_EQ(number_after([&](tbb::task_arena&) { made_elsewhere.enqueue([&ran] { ran = 1; }); }),
            0);
  while (ran == 0) std::this_thread::yield();
}

TEST_P(TaskArenaTest, ANewArenaHasItsPlacesThoughATaskOfADeadOneStillRuns) {
  std::atomic<bool> begun{false};
  std::atomic<bool> go{false};
  std::atomic<bool> over{false};
  // No other test leaves one like it.
  const tbb::task_arena like(2, 1, tbb::task_arena::priority::high);
  {
    tbb::task_arena dead(like);
    dead.enqueue([&] {
      begun = true;
      while (!go) std::this_thread::yield();
      over = true;
    });
    while (!begun) std::this_thread::yield();
  }
  tbb::task_arena arena(like);
  std::atomic<int> inside{0};
  const auto meet = [&] {
    arena.execute([&] {
      ++inside;
      while (inside < 2) std::this_thread::yield();
    });
  };
  std::thread other(meet);
  meet();
  other.join();
  go = true;
  while (!over) std::this_thread::yield();
}

TEST_P(TaskArenaTest, EnqueueFromInsideMakesProgressWhileTheCallerSpins) {
  tbb::task_arena arena(1);
  arena.execute([&] {
    std::atomic<bool> done{false};
    tbb::this_task_arena::enqueue([&] { done = true; });
    while (!done.load()) std::this_thread::yield();
  });
}

TEST_P(TaskArenaTest, AWorkerInTheOnlyPlaceKeepsNobodyOut) {
  // What is enqueued while the thread spins inside may wait for ever there.
  if (kOnOneTbb) GTEST_SKIP();
  tbb::task_arena arena(1, 0);
  for (int i = 0; i < 50; ++i) {
    std::atomic<bool> ran{false};
    arena.enqueue([&] { ran = true; });
    while (!ran) std::this_thread::yield();
    // The worker may still be there. It must not be the one who runs this, for it may be
    // the only one.
    ran = false;
    arena.execute([&] {
      tbb::this_task_arena::enqueue([&] { ran = true; });
      while (!ran) std::this_thread::yield();
    });
  }
}

// Programs size arrays by the one and index them by the other.
TEST_P(TaskArenaTest, NumbersAreBelowTheConcurrencyThoughAWorkerHasTheOnlyPlace) {
  // What is enqueued has the number 1 there, of 1.
  if (kOnOneTbb) GTEST_SKIP();
  tbb::task_arena arena(1, 0);
  EXPECT_EQ(arena.max_concurrency(), 1);
  for (int i = 0; i < 50; ++i) {
    std::atomic<bool> began{false};
    std::atomic<bool> over{false};
    std::atomic<bool> ended{false};
    arena.enqueue([&] {
      EXPECT_LT(tbb::this_task_arena::current_thread_index(),
                tbb::this_task_arena::max_concurrency());
      began = true;
      while (!over) std::this_thread::yield();
      ended = true;
    });
    while (!began) std::this_thread::yield();
    const int before = arena.max_concurrency();
    arena.execute([&] {
      const int index = tbb::this_task_arena::current_thread_index();
      EXPECT_LT(index, before);
      EXPECT_LT(index, tbb::this_task_arena::max_concurrency());
      over = true;
    });
    while (!ended) std::this_thread::yield();
  }
}

TEST_P(TaskArenaTest, AWorkerInTheOnlyPlaceCountsOne) {
  // What is enqueued has the number 1 there, of 1.
  if (kOnOneTbb) GTEST_SKIP();
  tbb::task_arena arena(1, 0);
  for (int i = 0; i < 50; ++i) {
    std::promise<std::pair<int, int>> number_and_count;
    arena.enqueue([&] {
      number_and_count.set_value(
          {tbb::this_task_arena::current_thread_index(), arena.max_concurrency()});
    });
    // The worker of the last call may still have the place: then this is another one.
    const auto [number, count] = number_and_count.get_future().get();
    EXPECT_EQ(count, number + 1);
  }
}

TEST_P(TaskArenaTest, EnqueueTakesMoveOnlyFunctorsAndHandles) {
  tbb::task_arena arena(2);
  std::atomic<int> sum{0};
  auto owned = std::make_unique<int>(3);
  arena.enqueue([&sum, owned = std::move(owned)] { sum += *owned; });
  tbb::task_group group;
  arena.enqueue(group.defer([&] { sum += 4; }));
  while (sum.load() != 7) std::this_thread::yield();
  EXPECT_EQ(group.wait(), tbb::complete);
}

TEST_P(TaskArenaTest, AnEnqueuedFunctionIsATaskWithAContext) {
  tbb::task_arena arena(2);
  std::promise<bool> in_group;
  arena.enqueue([&] {
    tbb::task_group_context* const context = tbb::task::current_context();
    in_group.set_value(context != nullptr && !context->is_group_execution_cancelled());
  });
  EXPECT_TRUE(in_group.get_future().get());
}

TEST_P(TaskArenaTest, IsInitializedLazilyAndMayBeTerminatedAndReused) {
  tbb::task_arena arena(2);
  EXPECT_FALSE(arena.is_active());
  arena.initialize();
  EXPECT_TRUE(arena.is_active());
  arena.terminate();
  EXPECT_FALSE(arena.is_active());
  arena.initialize(3);
  EXPECT_TRUE(arena.is_active());
  EXPECT_EQ(arena.max_concurrency(), 3);
  EXPECT_EQ(arena.execute([] { return 5; }), 5);
  arena.terminate();
  EXPECT_EQ(arena.execute([] { return 6; }), 6);
  EXPECT_TRUE(arena.is_active());
}

TEST_P(TaskArenaTest, ACopyHasTheSettingsNotTheThreads) {
  tbb::task_arena arena(3, 0, tbb::task_arena::priority::low);
  arena.initialize();
  tbb::task_arena copy(arena);
  EXPECT_FALSE(copy.is_active());
  EXPECT_EQ(copy.max_concurrency(), 3);
  EXPECT_EQ(copy.execute([] { return 1; }), 1);
}

TEST_P(TaskArenaTest, AttachJoinsTheArenaOfTheCaller) {
  tbb::task_arena outer(3);
  outer.execute([] {
    tbb::task_arena attached{tbb::task_arena::attach()};
    EXPECT_TRUE(attached.is_active());
    EXPECT_EQ(attached.max_concurrency(), 3);
    std::atomic<bool> ran{false};
    attached.execute([&] { ran = true; });
    EXPECT_TRUE(ran);
  });
}

TEST_P(TaskArenaTest, ReservedSlotsMayExceedTheConcurrency) {
  tbb::task_arena arena(1, 4);
  EXPECT_EQ(arena.execute([] { return 2; }), 2);
  tbb::task_arena none(2, 0);
  EXPECT_EQ(none.execute([] { return 3; }), 3);
}

TEST_P(TaskArenaTest, AFullArenaTakesTheFunctorToAThreadInside) {
  tbb::task_arena arena(1);
  std::atomic<int> ran{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        EXPECT_EQ(arena.execute([&] {
          ++ran;
          return t * 100 + i;
        }),
                  t * 100 + i);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ran, 200);
}

// Programs that index arrays by the number make them as long as the concurrency.
TEST_P(TaskArenaTest, WhatFoundTheArenaFullHasANumberBelowItsConcurrency) {
  for (const unsigned reserved : {1u, 2u}) {
    tbb::task_arena arena(2, reserved);
    std::vector<std::atomic<int>> in_use(2);
    std::atomic<int> clashes{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 5; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 20; ++i) {
          arena.execute([&] {
            tbb::parallel_for(0, 4, [&](int) {
              const int number = tbb::this_task_arena::current_thread_index();
              if (number < 0 || number > 1 || in_use[static_cast<std::size_t>(number)]++ != 0) {
                ++clashes;
              } else {
                std::this_thread::yield();
                --in_use[static_cast<std::size_t>(number)];
              }
            });
          });
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(clashes, 0);
  }
}

TEST_P(TaskArenaTest, ArenasOfEveryPriorityMakeProgress) {
  std::atomic<int> ran{0};
  tbb::task_arena low(2, 1, tbb::task_arena::priority::low);
  tbb::task_arena normal(2, 1, tbb::task_arena::priority::normal);
  tbb::task_arena high(2, 1, tbb::task_arena::priority::high);
  for (int i = 0; i < 50; ++i) {
    low.enqueue([&] { ++ran; });
    normal.enqueue([&] { ++ran; });
    high.enqueue([&] { ++ran; });
  }
  while (ran.load() != 150) std::this_thread::yield();
  EXPECT_EQ(ran, 150);
}

TEST_P(TaskArenaTest, IsolateReturnsResultsAndRethrows) {
  EXPECT_EQ(tbb::this_task_arena::isolate([] { return 9; }), 9);
  EXPECT_THROW(tbb::this_task_arena::isolate([] { throw 1; }), int);
  std::atomic<int> ran{0};
  tbb::this_task_arena::isolate([&] { tbb::parallel_for(0, 100, [&](int) { ++ran; }); });
  EXPECT_EQ(ran, 100);
}

TEST_P(TaskArenaTest, WaitingInsideIsolateTakesNoOuterTask) {
  thread_local int depth = 0;
  std::atomic<int> violations{0};
  tbb::parallel_for(
      0, 200,
      [&](int) {
        if (depth != 0) ++violations;
        ++depth;
        tbb::this_task_arena::isolate(
            [&] { tbb::parallel_for(0, 20, [](int) { std::this_thread::yield(); }); });
        --depth;
      },
      tbb::simple_partitioner());
  EXPECT_EQ(violations, 0);
}

TEST_P(TaskArenaTest, IsolatesNest) {
  std::atomic<int> ran{0};
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(0, 10, [&](int) {
      tbb::this_task_arena::isolate([&] { tbb::parallel_for(0, 10, [&](int) { ++ran; }); });
    });
  });
  EXPECT_EQ(ran, 100);
}

// As data-analysis frameworks do who keep their tasks from the waits of others.
__attribute__((noinline)) void RunIsolated(const std::function<void()>& function) {
  tbb::this_task_arena::isolate([&] { function(); });
}

TEST_P(TaskArenaTest, WhatOneIsolateStartsTheNextOneInItsPlaceMayWaitFor) {
  tbb::task_group group;
  std::atomic<int> ran{0};
  for (int round = 1; round <= 3; ++round) {
    for (int i = 0; i < 10; ++i) {
      RunIsolated([&] { group.run([&] { ++ran; }); });
    }
    RunIsolated([&] { group.wait(); });
    EXPECT_EQ(ran, 10 * round);
  }
}

TEST_P(TaskArenaTest, WhatIsExecutedInAnIsolatedRegionIsNotIsolated) {
  tbb::task_arena arena(1);
  tbb::task_arena other(1);
  // By way of another arena, too.
  for (const bool around : {false, true}) {
    if (around && kOnOneTbb) continue;  // which waits for itself
    std::atomic<int> ran{0};
    arena.execute([&] {
      tbb::task_group outer;
      for (int i = 0; i < 3; ++i) outer.run([&] { ++ran; });
      tbb::this_task_arena::isolate([&] {
        const auto wait = [&] { arena.execute([&] { EXPECT_EQ(outer.wait(), tbb::complete); }); };
        if (around) {
          other.execute(wait);
        } else {
          wait();
        }
        EXPECT_EQ(ran, 3);
        // The region is as it was.
        tbb::task_group inner;
        inner.run([&] { ++ran; });
        EXPECT_EQ(inner.wait(), tbb::complete);
        EXPECT_EQ(ran, 4);
      });
    });
  }
}

TEST_P(TaskArenaTest, AGroupMayBeFilledAndWaitedForInDifferentArenas) {
  tbb::task_arena a(2);
  tbb::task_arena b(2);
  std::atomic<int> ran{0};
  tbb::task_group group;
  a.execute([&] {
    for (int i = 0; i < 100; ++i) group.run([&] { ++ran; });
    group.wait();
  });
  EXPECT_EQ(ran, 100);
  b.execute([&] {
    for (int i = 0; i < 100; ++i) group.run([&] { ++ran; });
    group.wait();
  });
  EXPECT_EQ(ran, 200);
}

TEST_P(TaskArenaTest, ManyShortLivedArenas) {
  std::atomic<int> ran{0};
  for (int i = 0; i < 200; ++i) {
    tbb::task_arena arena(2);
    arena.execute([&] { tbb::parallel_for(0, 10, [&](int) { ++ran; }); });
  }
  EXPECT_EQ(ran, 2000);
}

struct TwoArenas {
  tbb::task_arena first = {};
  tbb::task_arena second = 3;
};

TEST_P(TaskArenaTest, IsMadeOfASettingWithoutNamingTheType) {
  TwoArenas arenas;
  EXPECT_FALSE(arenas.first.is_active());
  EXPECT_EQ(arenas.second.max_concurrency(), 3);
}

TEST_P(TaskArenaTest, AttachingFindsNoArenaOnANewThread) {
  std::thread([] {
    tbb::task_arena made(tbb::task_arena::attach{});
    EXPECT_FALSE(made.is_active());
    made.initialize(tbb::task_arena::attach{});  // a new one, then
    EXPECT_TRUE(made.is_active());
    EXPECT_EQ(made.execute([] { return 7; }), 7);
  }).join();
}

// Old programs make their groups first, and then an arena of the size that they need unless
// there is one.
TEST_P(TaskArenaTest, AttachingFindsNoArenaWhereOnlyAGroupWasMade) {
  std::thread([] {
    tbb::task_group group;
    tbb::task_arena made(tbb::task_arena::attach{});
    EXPECT_FALSE(made.is_active());
    made.initialize(3, 1);
    EXPECT_EQ(made.max_concurrency(), 3);
    std::atomic<bool> ran{false};
    made.execute([&] { group.run([&] { ran = true; }); });
    made.execute([&] { group.wait(); });
    EXPECT_TRUE(ran);
  }).join();
}

TEST_P(TaskArenaTest, WhoHasOnlyMadeAGroupIsInNoArena) {
  const auto number = [] { return tbb::this_task_arena::current_thread_index(); };
  constexpr int kNone = tbb::task_arena::not_initialized;
  std::thread([&] {
    tbb::task_group_context context;
    {
      const tbb::task_group group;
      const tbb::task_group with_context(context);
      EXPECT_EQ(number(), kNone);
    }
    const tbb::task_group another;
    EXPECT_EQ(number(), kNone);
    EXPECT_GE(tbb::this_task_arena::max_concurrency(), 1);
    EXPECT_EQ(number(), kNone);
  }).join();
}

// One that was made before is a thread's own from its first task on, whoever runs that.
TEST_P(TaskArenaTest, WhoUsesAGroupOrALoopAfterwardsIsInAnArena) {
  const auto number = [] { return tbb::this_task_arena::current_thread_index(); };
  std::thread([&] {
    tbb::task_group group;
    group.run([&] { EXPECT_GE(number(), 0); });
    EXPECT_GE(number(), 0);
    group.wait();
    EXPECT_GE(number(), 0);
  }).join();
  std::thread([&] {
    tbb::task_group group;
    group.run_and_wait([&] { EXPECT_GE(number(), 0); });
    EXPECT_GE(number(), 0);
  }).join();
  std::thread([&] {
    tbb::task_group group;
    tbb::parallel_for(0, 1, [&](int) { EXPECT_GE(number(), 0); });
    EXPECT_GE(number(), 0);
  }).join();
  std::thread([&] {
    tbb::task_group group;
    auto task = group.defer([&] { EXPECT_GE(number(), 0); });
    EXPECT_GE(number(), 0);
    group.run(std::move(task));
    group.wait();
  }).join();
}

TEST_P(TaskArenaTest, OthersUseTheGroupOfAThreadThatIsInNoArena) {
  std::thread([] {
    tbb::task_group group;
    std::atomic<int> ran{0};
    std::thread([&] {
      for (int i = 0; i < 100; ++i) group.run([&] { ++ran; });
      group.wait();
    }).join();
    EXPECT_EQ(ran, 100);
    EXPECT_LT(tbb::this_task_arena::current_thread_index(), 0);
    for (int i = 0; i < 100; ++i) group.run([&] { ++ran; });
    group.wait();
    EXPECT_EQ(ran, 200);
  }).join();
}

TEST_P(TaskArenaTest, AttachingFindsTheArenaOfAThreadThatHasDoneMore) {
  const auto finds_one = [] { return tbb::task_arena(tbb::task_arena::attach{}).is_active(); };
  std::thread([&] {
    tbb::task_group group;
    group.run([] {});
    EXPECT_TRUE(finds_one());
    group.wait();
    EXPECT_TRUE(finds_one());
  }).join();
  std::thread([&] {
    tbb::task_group group;
    group.run_and_wait([] {});
    EXPECT_TRUE(finds_one());
  }).join();
  std::thread([&] {
    tbb::task_group group;
    tbb::task_arena other(2);
    other.execute([] {});
    EXPECT_TRUE(finds_one());
  }).join();
  // A loop that nobody joins leaves no trace but that.
  std::thread([&] {
    tbb::task_group group;
    tbb::parallel_for(0, 1, [](int) {});
    EXPECT_TRUE(finds_one());
  }).join();
}

// An enqueued task may have a place beyond those of an arena that has none for workers;
// who makes a table of places finds room for it.
TEST_P(TaskArenaTest, OneThatIsAttachedKeepsItsArena) {
  const auto number = [] {
    tbb::parallel_for(0, 1, [](int) {});  // at the latest now it has one
    return tbb::this_task_arena::current_thread_index();
  };
  EXPECT_EQ(number(), 0);
  std::optional<tbb::task_arena> kept;
  std::thread([&] {
    EXPECT_EQ(number(), 0);
    kept.emplace(tbb::task_arena::attach());
  }).join();
  kept->execute([&] {
    EXPECT_EQ(number(), 0);
    std::thread([&] { EXPECT_EQ(number(), 0); }).join();
  });
}

TEST_P(TaskArenaTest, EveryThreadHasANumberBelowTheConcurrencyThatItSees) {
  // The numbers are too high there too, and what is enqueued in an arena that has reserved all
  // of its places never runs.
  if (kOnOneTbb) GTEST_SKIP();
  for (const unsigned reserved : {0u, 1u, 2u}) {
    for (const int concurrency : {1, 2}) {
      tbb::task_arena arena(concurrency, reserved);
      std::atomic<int> outside{0};
      std::atomic<int> left{20};
      for (int i = 0; i < 20; ++i) {
        arena.enqueue([&] {
          const int number = tbb::this_task_arena::current_thread_index();
          if (number < 0 || number >= tbb::this_task_arena::max_concurrency()) ++outside;
          --left;
        });
      }
      while (left > 0) std::this_thread::yield();
      EXPECT_EQ(outside, 0) << concurrency << " places, " << reserved << " reserved";
    }
  }
}

TEST_P(TaskArenaTest, SoDoThreadsThatComeForWhatWasSpawned) {
  if (kOnOneTbb) GTEST_SKIP();  // as above
  for (int round = 0; round < 20; ++round) {
    tbb::task_arena arena(1);
    tbb::task_group group;
    std::atomic<int> outside{0};
    std::atomic<int> left{0};
    const auto check = [&] {
      const int number = tbb::this_task_arena::current_thread_index();
      if (number < 0 || number >= tbb::this_task_arena::max_concurrency()) ++outside;
      --left;
    };
    // What a thread leaves there, and waits for elsewhere.
    arena.execute([&] { group.run(check); });
    group.wait();
    // What a worker steals after a call from outside, if it comes so far.
    arena.execute([&] {
      left = 1;
      arena.enqueue(check);
      while (left > 0) std::this_thread::yield();
      std::thread([&] { arena.execute([] {}); }).join();
      left = 100;
      for (int i = 0; i < 100; ++i) group.run(check);
      group.wait();
    });
    EXPECT_EQ(outside, 0);
  }
}

TEST_P(TaskArenaTest, NumbersStayBelowTheConcurrencyWhileThreadsWaitInside) {
  // The only worker of the arena waits inside a task, and what comes next may not have a
  // number beyond a table with a place for each.
  tbb::task_arena arena(2, 1);
  for (int round = 0; round < 20; ++round) {
    std::atomic<bool> over{false};
    std::atomic<bool> left{false};
    std::atomic<int> number{-1};
    std::atomic<tbb::task_group*> awaited{nullptr};
    tbb::task_handle held;
    arena.enqueue([&] {
      tbb::task_group group;
      held = group.defer([] {});
      awaited = &group;
      group.wait();
      left = true;
    });
    while (awaited.load() == nullptr) std::this_thread::yield();
    arena.enqueue([&] {
      number = tbb::this_task_arena::current_thread_index();
      over = true;
    });
    // A while in which one too many would come.
    filch::YieldForAWhile([&] { return over.load(); });
    held = tbb::task_handle();
    while (!over || !left) std::this_thread::yield();
    EXPECT_EQ(number, 1);
  }
}

// Who waits for tasks that wait for a thread on its way into the arena leaves it its place.
TEST_P(TaskArenaTest, ReservedPlacesAreLeftToThoseWhoExecute) {
  tbb::task_arena arena(2, 1);
  for (int round = 0; round < 20; ++round) {
    tbb::task_group group;
    std::mutex mutex;
    std::atomic<bool> begun{false};
    std::unique_lock<std::mutex> lock(mutex);
    arena.execute([&] {
      for (int i = 0; i < 2; ++i) {
        group.run([&] {
          begun = true;
          const std::lock_guard<std::mutex> other_lock(mutex);
        });
      }
    });
    std::thread first([&] { group.wait(); });
    std::thread second([&] { group.wait(); });
    // With oneTBB only workers run them.
    if (tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism) > 1) {
      while (!begun) std::this_thread::yield();
      filch::YieldForAWhile();  // for the other one
    }
    arena.execute([] {});
    lock.unlock();
    arena.execute([&] { group.wait(); });
    first.join();
    second.join();
  }
}

// The isolated wait looks through the thread's own tasks for those of its region; the
// others are still found by the joins that they belong to.
TEST_P(TaskArenaTest, JoinsAroundAnIsolatedRegionKeepTheirTasks) {
  for (int round = 0; round < 1000; ++round) {
    std::atomic<int> calls[4] = {};
    const auto call = [&calls](int which) {
      for (volatile int i = 0; i < 500; i = i + 1) {
      }
      ++calls[which];
    };
    tbb::parallel_invoke(
        [&] {
          tbb::this_task_arena::isolate([&] {
            tbb::parallel_invoke([&] { call(0); },
                                 [&] {
                                   tbb::parallel_for(
                                       0, 10, [&](int) { call(1); }, tbb::static_partitioner());
                                 },
                                 [&] { call(2); });
          });
        },
        [&] { call(3); });
    ASSERT_EQ(calls[0], 1);
    ASSERT_EQ(calls[1], 10);
    ASSERT_EQ(calls[2], 1);
    ASSERT_EQ(calls[3], 1);
  }
}

}  // namespace
