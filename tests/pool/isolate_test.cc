#include "filch/pool/isolate.h"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "filch/pool/context.h"
#include "filch/pool/default_pool.h"
#include "filch/pool/pool.h"
#include "filch/pool/task_group.h"
#include "filch/pool/wait_group.h"
#include "gtest/gtest.h"
#include "tests/pool/held_wait.h"
#include "tests/pool/of_threads.h"
#include "tests/yield_for_a_while.h"

namespace filch {
namespace {

// Without workers, so that everything runs here and in a known order.
class IsolationTest : public testing::Test {
 protected:
  IsolationTest() { DefaultPool().SetWorkerLimit(0); }
};

TEST_F(IsolationTest, AWaitInARegionFindsItsTasksBelowOthers) {
  const Isolation region = Isolation::Make();
  TaskGroup inside;
  TaskGroup outside;
  std::vector<int> order;
  for (int i = 0; i < 3; ++i) {
    {
      const IsolationReentry scope(region);
      inside.Run([&order, i] { order.push_back(i); });
    }
    outside.Run([&order, i] { order.push_back(10 + i); });
  }
  {
    const IsolationReentry scope(region);
    inside.Wait();
  }
  EXPECT_EQ(order, (std::vector<int>{2, 1, 0}));
  outside.Wait();
  EXPECT_EQ(order, (std::vector<int>{2, 1, 0, 12, 11, 10}));
}

// A thread that sleeps in a region wakes for what another one spawns there; that one does
// not run it.
TEST(IsolationWaitTest, HelpsWithWhatIsSpawnedWhileItSleeps) {
  PoolOptions options;
  options.concurrency = 2;
  options.spin = std::chrono::nanoseconds(0);
  Pool pool(options);
  pool.Execute([] {
    const Isolation region = Isolation::Make();
    Context context;
    WaitGroup work(context);
    work.Add();
    std::atomic<bool> waits{false};
    TaskGroup waiters;
    waiters.Run([&] {
      const IsolationReentry reentry(region);
      waits = true;
      work.WaitForTasks();
    });
    while (!waits.load()) std::this_thread::yield();
    for (int round = 0; round < 1000; ++round) {
      std::atomic<bool> ran{false};
      const IsolationReentry reentry(region);
      work.Run([&ran] { ran = true; });
      while (!ran.load()) std::this_thread::yield();
    }
    work.Withdraw();
    waiters.Wait();
  });
}

// A task of a region that a wait outside of it runs waits there for what lies below.
TEST_F(IsolationTest, ATaskThatComesBackToItsRegionFindsWhatIsLeftThere) {
  TaskGroup inside;
  TaskGroup outside;
  bool ran = false;
  Isolate([&] {
    inside.Run([&] { ran = true; });
    outside.Run([&] { inside.Wait(); });
  });
  outside.Wait();
  EXPECT_TRUE(ran);
}

// The owner of both sleeps in a third region until the other thread has found the one behind.
TEST(IsolationWaitTest, FindsTheTaskBehindThoseOfOthers) {
  Pool pool(OfThreads(2));
  pool.Execute([] {
    TaskGroup awaited;
    TaskGroup others;
    std::atomic<int> others_ran{0};
    std::atomic<bool> begun{false};
    std::atomic<bool> all_is_there{false};
    Isolate([&] {
      TaskGroup of_worker;
      of_worker.Run([&] {
        begun = true;
        while (!all_is_there.load()) std::this_thread::yield();
        awaited.Wait();
      });
      while (!begun.load()) std::this_thread::yield();
      Isolate([&] {
        for (int i = 0; i < 10; ++i) others.Run([&] { ++others_ran; });
      });
      awaited.Run([] {});
      all_is_there = true;
      Isolate([&] { of_worker.Wait(); });
    });
    others.Wait();
    EXPECT_EQ(others_ran, 10);
    awaited.Wait();
  });
}

// What one thread has for itself does not hide what another one has.
TEST(IsolationWaitTest, FindsTheTaskThatABusyThreadHasNotShared) {
  Pool pool(OfThreads(2));
  pool.Execute([] {
    TaskGroup foreign;
    foreign.Run([] {});
    Isolate([&] {
      std::atomic<bool> pushed{false};
      std::atomic<bool> ran{false};
      TaskGroup group;
      group.Run([&] {
        TaskGroup own;
        own.Run([&] { ran = true; });
        pushed = true;
        while (!ran.load()) std::this_thread::yield();  // it computes, and does not look
        own.Wait();
      });
      while (!pushed.load()) std::this_thread::yield();
      group.Wait();
    });
    foreign.Wait();
  });
}

// Each thread looks once more before it sleeps, and asks the other one for tasks.
TEST(IsolationWaitTest, SleepsWhileThereIsNothing) {
  Pool pool(OfThreads(2));
  HeldWait waits[2];
  std::vector<std::thread> threads;
  for (HeldWait& wait : waits) {
    threads.emplace_back([&] { pool.Execute([&] { Isolate([&] { wait.Begin(); }); }); });
  }
  while (pool.Stats().parks < 2) std::this_thread::yield();
  YieldForAWhile();
  EXPECT_LE(pool.Stats().parks, 4);
  for (HeldWait& wait : waits) wait.End();
  for (std::thread& thread : threads) thread.join();
}

TEST_F(IsolationTest, ARegionIsNotAnother) {
  const Isolation one = Isolation::Make();
  const Isolation two = Isolation::Make();
  TaskGroup first;
  TaskGroup second;
  int runs = 0;
  {
    const IsolationReentry scope(one);
    first.Run([&runs] { ++runs; });
    second.Run([&runs] { ++runs; });
    const IsolationReentry inner(two);
    first.Run([&runs] { runs += 10; });
  }
  {
    // What is left of the first group belongs to the other region.
    const IsolationReentry scope(one);
    second.Wait();
    EXPECT_EQ(runs % 10, 1);
  }
  first.Wait();
  EXPECT_EQ(runs, 12);
}

}  // namespace
}  // namespace filch
