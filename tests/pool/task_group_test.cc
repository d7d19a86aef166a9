#include "filch/pool/task_group.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "filch/pool/default_pool.h"
#include "filch/pool/execute.h"
#include "filch/pool/pool.h"
#include "gtest/gtest.h"
#include "tests/pool/pool_shapes.h"

namespace filch {
namespace {

class TaskGroupTest : public PoolTest {};

std::int64_t Fib(int n) {
  if (n < 2) return n;
  std::int64_t a = 0;
  TaskGroup group;
  group.Run([&a, n] { a = Fib(n - 1); });
  const std::int64_t b = Fib(n - 2);
  group.Wait();
  return a + b;
}

TEST_P(TaskGroupTest, RunsEveryTaskOnce) {
  pool_.Execute([] {
    std::vector<std::atomic<int>> runs(1000);
    TaskGroup group;
    for (auto& run : runs) group.Run([&run] { ++run; });
    EXPECT_FALSE(group.Wait());
    for (const auto& run : runs) EXPECT_EQ(run.load(), 1);
  });
}

TEST_P(TaskGroupTest, RecursionGivesTheSerialAnswer) {
  for (int round = 0; round < 10; ++round) {
    EXPECT_EQ(pool_.Execute([] { return Fib(18); }), 2584);
  }
}

TEST_P(TaskGroupTest, TasksMayAddTasks) {
  pool_.Execute([] {
    std::atomic<int> leaves{0};
    TaskGroup group;
    struct Tree {
      TaskGroup& group;
      std::atomic<int>& leaves;
      void Grow(int depth) const {
        if (depth == 0) {
          ++leaves;
          return;
        }
        group.Run([this, depth] { Grow(depth - 1); });
        group.Run([this, depth] { Grow(depth - 1); });
      }
    };
    const Tree tree{group, leaves};
    tree.Grow(10);
    group.Wait();
    EXPECT_EQ(leaves.load(), 1024);
  });
}

TEST_P(TaskGroupTest, IsReusableAfterAWait) {
  pool_.Execute([] {
    TaskGroup group;
    std::atomic<int> runs{0};
    for (int round = 1; round <= 50; ++round) {
      group.Run([&] { ++runs; });
      group.Run([&] { ++runs; });
      group.Wait();
      EXPECT_EQ(runs.load(), 2 * round);
    }
  });
}

TEST_P(TaskGroupTest, TheFirstExceptionArrivesAndTheGroupIsAsNew) {
  pool_.Execute([] {
    TaskGroup group;
    for (int round = 0; round < 20; ++round) {
      std::atomic<int> destroyed{0};
      for (int i = 0; i < 20; ++i) {
        const std::shared_ptr<void> witness(nullptr, [&](void*) { ++destroyed; });
        group.Run([witness, i] {
          if (i == 7) throw std::runtime_error("seven");
        });
      }
      EXPECT_THROW(group.Wait(), std::runtime_error);
      EXPECT_EQ(destroyed.load(), 20);
      bool ran = false;
      group.Run([&] { ran = true; });
      EXPECT_FALSE(group.Wait());
      EXPECT_TRUE(ran);
    }
  });
}

TEST_P(TaskGroupTest, CancelDropsWhatHasNotStarted) {
  pool_.Execute([] {
    TaskGroup group;
    int ran = 0;
    std::atomic<int> destroyed{0};
    group.Cancel();
    for (int i = 0; i < 100; ++i) {
      const std::shared_ptr<void> witness(nullptr, [&](void*) { ++destroyed; });
      group.Run([&ran, witness] { ++ran; });
    }
    EXPECT_TRUE(group.Wait());
    EXPECT_EQ(ran, 0);
    EXPECT_EQ(destroyed.load(), 100);
  });
}

TEST_P(TaskGroupTest, CancellingAGroupCancelsTheGroupsOfItsTasks) {
  pool_.Execute([] {
    TaskGroup outer;
    std::atomic<bool> inner_cancelled{false};
    outer.Run([&] {
      TaskGroup inner;
      outer.Cancel();
      bool ran = false;
      inner.Run([&] { ran = true; });
      inner_cancelled = inner.Wait() && !ran;
    });
    EXPECT_TRUE(outer.Wait());
    EXPECT_TRUE(inner_cancelled.load());
  });
}

TEST_P(TaskGroupTest, DestructionWithTasksLeftCancelsAndWaits) {
  pool_.Execute([] {
    std::atomic<int> alive{0};
    {
      TaskGroup group;
      for (int i = 0; i < 100; ++i) {
        ++alive;
        const std::shared_ptr<void> witness(nullptr, [&](void*) { --alive; });
        group.Run([witness] {});
      }
    }
    EXPECT_EQ(alive.load(), 0);
  });
}

TEST_P(TaskGroupTest, AnyThreadMayRunAndAnyThreadMayWait) {
  // The thread that fills the group does nothing more for it, and the group's
  // pool may have no worker: the waiting thread has to go where the tasks are.
  for (int round = 0; round < 50; ++round) {
    std::unique_ptr<TaskGroup> group;
    std::atomic<int> runs{0};
    std::atomic<bool> over{false};
    std::atomic<bool> filled{false};
    std::thread filler([&] {
      Arena& arena = pool_.AcquireArena({2, 1, Priority::kNormal});
      ExecuteIn(arena, [&] {
        group = std::make_unique<TaskGroup>();
        for (int i = 0; i < 10; ++i) group->Run([&] { ++runs; });
        filled = true;
        while (!over.load()) std::this_thread::yield();
      });
      pool_.ReleaseArena(arena);
    });
    while (!filled.load()) std::this_thread::yield();
    pool_.Execute([&] { group->Wait(); });
    EXPECT_EQ(runs.load(), 10);
    over = true;
    filler.join();
  }
}

TEST_P(TaskGroupTest, AGroupMadeHereMayBeFilledElsewhere) {
  for (int round = 0; round < 50; ++round) {
    pool_.Execute([&] {
      TaskGroup group;
      std::atomic<int> runs{0};
      std::atomic<bool> over{false};
      std::atomic<bool> filled{false};
      std::thread filler([&] {
        Arena& arena = pool_.AcquireArena({2, 1, Priority::kNormal});
        ExecuteIn(arena, [&] {
          for (int i = 0; i < 10; ++i) group.Run([&] { ++runs; });
          filled = true;
          while (!over.load()) std::this_thread::yield();
        });
        pool_.ReleaseArena(arena);
      });
      while (!filled.load()) std::this_thread::yield();
      group.Wait();
      EXPECT_EQ(runs.load(), 10);
      over = true;
      filler.join();
    });
  }
}

TEST_P(TaskGroupTest, SeveralThreadsFillAndWaitAtOnce) {
  for (int round = 0; round < 10; ++round) {
    TaskGroup group;
    std::atomic<int> runs{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        pool_.Execute([&] {
          for (int i = 0; i < 50; ++i) group.Run([&] { ++runs; });
          group.Wait();
        });
      });
    }
    for (std::thread& thread : threads) thread.join();
    group.Wait();
    EXPECT_EQ(runs.load(), 200);
  }
}

TEST_P(TaskGroupTest, TakesClosuresOfAnySizeAndAlignment) {
  pool_.Execute([] {
    TaskGroup group;
    struct Large {
      char bytes[3000];
    } large = {};
    large.bytes[2999] = 'x';
    struct alignas(256) Aligned {
      int value;
    } aligned = {5};
    std::atomic<int> right{0};
    group.Run([large, &right] { right += large.bytes[2999] == 'x'; });
    group.Run([aligned, &right] {
      right += aligned.value == 5 && reinterpret_cast<std::uintptr_t>(&aligned) % 256 == 0;
    });
    group.Run([only = std::make_unique<int>(7), &right] { right += *only == 7; });
    group.Wait();
    EXPECT_EQ(right.load(), 3);
  });
}

TEST_P(TaskGroupTest, ATaskThatIsNeverPolledForStillRuns) {
  if (GetParam().concurrency < 2) return;
  // The spawning thread waits for its task by other means than the pool's.
  for (int round = 0; round < 30; ++round) {
    pool_.Execute([] {
      TaskGroup group;
      std::atomic<bool> ran{false};
      group.Run([&] { ran = true; });
      while (!ran.load()) std::this_thread::yield();
      group.Wait();
    });
  }
}

FILCH_INSTANTIATE_POOL_TEST(TaskGroupTest);

}  // namespace
}  // namespace filch
