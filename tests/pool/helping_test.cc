// What runs on the stack of a thread that waits.
#include "filch/pool/helping.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#include "filch/pool/arena.h"
#include "filch/pool/enqueue.h"
#include "filch/pool/execute.h"
#include "filch/pool/join.h"
#include "filch/pool/pool.h"
#include "filch/pool/task_group.h"
#include "gtest/gtest.h"
#include "tests/pool/held_wait.h"
#include "tests/pool/pool_shapes.h"

namespace filch {
namespace {

PoolOptions WithoutWorkers() {
  PoolOptions options;
  options.concurrency = 1;
  return options;
}

// A thread in the arena that waits for a group until it is released, with kOwnTasks.
class Waiter {
 public:
  // `wait` waits for the group.
  template <typename Wait>
  Waiter(Arena& arena, const Wait& wait)
      : thread_([this, &arena, wait] { ExecuteIn(arena, [&] { wait_.Begin(wait); }); }) {}
  ~Waiter() { thread_.join(); }

  std::thread::id id() const { return thread_.get_id(); }
  void Release() { wait_.End(); }

 private:
  HeldWait wait_;
  std::thread thread_;
};

// A task of this thread's beside the waiter is not the waiter's, awake or asleep.
template <typename Wait>
void ExpectNoStrangers(const Wait& wait) {
  Pool pool(WithoutWorkers());
  Arena& arena = pool.AcquireArena({2, 2, Priority::kNormal});
  Waiter waiter(arena, wait);
  UntilOneSleeps(pool);
  ExecuteIn(arena, [&] {
    std::thread::id ran_on;
    TaskGroup group;
    group.Run([&] { ran_on = std::this_thread::get_id(); });
    // Nobody can call it.
    EXPECT_NE(pool.Dump().find("sleeping waiters 0"), std::string::npos);
    group.Wait();
    EXPECT_NE(ran_on, waiter.id());  // but this thread's or a worker's
  });
  waiter.Release();
}

TEST(HelpingTest, AWaitForOwnTasksRunsNoOthers) {
  ExpectNoStrangers([](TaskGroup& group) { group.Wait(Helping::kOwnTasks); });
}

TEST(HelpingTest, NeitherDoesOneInside) {
  ExpectNoStrangers([](TaskGroup& group) {
    WithHelping(Helping::kOwnTasks, [&] {
      group.Wait(Helping::kAnything);
      return 0;
    });
  });
}

TEST(HelpingTest, AWaitForAnythingDoes) {
  Pool pool(WithoutWorkers());
  Arena& arena = pool.AcquireArena({2, 2, Priority::kNormal});
  Waiter waiter(arena, [](TaskGroup& group) { group.Wait(); });
  ExecuteIn(arena, [&] {
    std::atomic<bool> ran{false};
    TaskGroup group;
    group.Run([&] { ran = true; });
    while (!ran.load()) std::this_thread::yield();  // on the waiter
    group.Wait();
  });
  waiter.Release();
}

TEST(HelpingTest, WhatIsEnqueuedBesideItRunsElsewhere) {
  // There is nobody else, and no worker within the limit: one comes all the same.
  Pool pool(WithoutWorkers());
  Arena& arena = pool.AcquireArena({1, 1, Priority::kNormal});
  Waiter waiter(arena, [](TaskGroup& group) { group.Wait(Helping::kOwnTasks); });
  for (int round = 0; round < 100; ++round) {
    std::atomic<bool> ran{false};
    Enqueue(arena, [&] {
      EXPECT_NE(std::this_thread::get_id(), waiter.id());
      ran = true;
    });
    while (!ran.load()) std::this_thread::yield();
  }
  waiter.Release();
}

TEST(HelpingTest, WhatTheGroupHasInAnotherArenaIsDoneThere) {
  Pool pool(WithoutWorkers());
  Arena& arena = pool.AcquireArena({1, 1, Priority::kNormal});
  pool.Execute([&] {
    for (int round = 0; round < 100; ++round) {
      std::atomic<bool> ran{false};
      TaskGroup group;
      // The thread leaves it behind, and does not come back for it.
      ExecuteIn(arena, [&] { group.Run([&] { ran = true; }); });
      group.Wait(Helping::kOwnTasks);
      EXPECT_TRUE(ran.load());
    }
  });
}

TEST(HelpingTest, WhatAnotherThreadHasSpawnedIsDoneByAWorker) {
  // It neither waits nor leaves, and the limit of workers is 0.
  Pool pool(WithoutWorkers());
  Arena& arena = pool.AcquireArena({2, 2, Priority::kNormal});
  for (const bool before_the_wait : {true, false}) {
    std::atomic<TaskGroup*> group{nullptr};
    std::atomic<bool> spawned{false};
    std::atomic<bool> over{false};
    std::thread other([&] {
      ExecuteIn(arena, [&] {
        while (group.load() == nullptr) std::this_thread::yield();
        if (!before_the_wait) UntilOneSleeps(pool);
        group.load()->Run([] {});
        spawned = true;
        if (!before_the_wait) group.load()->Withdraw();
        while (!over.load()) std::this_thread::yield();
      });
    });
    ExecuteIn(arena, [&] {
      TaskGroup tasks;
      if (!before_the_wait) tasks.Add();
      group = &tasks;
      while (before_the_wait && !spawned.load()) std::this_thread::yield();
      tasks.Wait(Helping::kOwnTasks);
      over = true;
    });
    other.join();
  }
}

class HelpingPoolTest : public PoolTest {};

std::int64_t Fib(int n) {
  if (n < 2) return n;
  std::int64_t a = 0;
  std::int64_t b = 0;
  if (n % 2 == 0) {
    TaskGroup group;
    group.Run([&] { a = Fib(n - 1); });
    b = Fib(n - 2);
    group.Wait(n % 4 == 0 ? Helping::kOwnTasks : Helping::kAnything);
  } else {
    WithHelping(n % 3 == 0 ? Helping::kOwnTasks : Helping::kAnything,
                [&] { Join([&] { a = Fib(n - 1); }, [&] { b = Fib(n - 2); }); });
  }
  return a + b;
}

TEST_P(HelpingPoolTest, EveryWaitEnds) {
  for (int round = 0; round < 10; ++round) {
    EXPECT_EQ(pool_.Execute([] { return Fib(16); }), 987);
  }
}

FILCH_INSTANTIATE_POOL_TEST(HelpingPoolTest);

}  // namespace
}  // namespace filch
