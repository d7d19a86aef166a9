#include "filch/pool/pool.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "filch/pool/current_arena.h"
#include "filch/pool/enqueue.h"
#include "filch/pool/execute.h"
#include "filch/pool/join.h"
#include "filch/pool/task_group.h"
#include "gtest/gtest.h"
#include "tests/pool/pool_shapes.h"

namespace filch {
namespace {

class PoolLifeTest : public PoolTest {};

std::int64_t Fib(int n) {
  if (n < 2) return n;
  std::int64_t a = 0;
  std::int64_t b = 0;
  Join([&] { a = Fib(n - 1); }, [&] { b = Fib(n - 2); });
  return a + b;
}

TEST_P(PoolLifeTest, StartsNoMoreWorkersThanItsLimit) {
  for (int round = 0; round < 5; ++round) pool_.Execute([] { Fib(18); });
  EXPECT_LE(pool_.Stats().workers, GetParam().concurrency - 1);
}

TEST_P(PoolLifeTest, CountsEveryTask) {
  const std::int64_t before = pool_.Stats().tasks;
  pool_.Execute([] {
    TaskGroup group;
    for (int i = 0; i < 100; ++i) group.Run([] {});
    group.Wait();
  });
  EXPECT_EQ(pool_.Stats().tasks - before, 100);
}

TEST_P(PoolLifeTest, TheLimitMayChangeWhileWorkIsGoingOn) {
  const int cpus = static_cast<int>(std::thread::hardware_concurrency());
  std::atomic<bool> over{false};
  std::thread changer([&] {
    while (!over.load()) {
      for (const int limit : {0, 1, 2, 8 * cpus, cpus, 0, 8 * cpus}) {
        pool_.SetWorkerLimit(limit);
        std::this_thread::yield();
      }
    }
  });
  for (int round = 0; round < 20; ++round) {
    EXPECT_EQ(pool_.Execute([] { return Fib(17); }), 1597);
    std::atomic<bool> ran{false};
    pool_.Execute([&] { Enqueue(CurrentArena(), [&] { ran = true; }); });
    while (!ran.load()) std::this_thread::yield();
  }
  over = true;
  changer.join();
}

TEST_P(PoolLifeTest, WithLimitZeroEnqueuedFunctionsStillRun) {
  pool_.SetWorkerLimit(0);
  Arena& arena = pool_.AcquireArena({2, 1, Priority::kNormal});
  for (int round = 0; round < 20; ++round) {
    std::atomic<bool> ran{false};
    Enqueue(arena, [&] { ran = true; });
    while (!ran.load()) std::this_thread::yield();
  }
  pool_.ReleaseArena(arena);
}

TEST_P(PoolLifeTest, RaisingTheLimitBringsWorkersToWaitingWork) {
  if (GetParam().concurrency == 1) return;  // the pool's own arena has no slot for a worker
  pool_.SetWorkerLimit(0);
  pool_.Execute([&] {
    TaskGroup group;
    std::atomic<bool> ran{false};
    group.Run([&] { ran = true; });
    pool_.SetWorkerLimit(1);
    // This thread does not help.
    while (!ran.load()) std::this_thread::yield();
    group.Wait();
  });
}

TEST_P(PoolLifeTest, DestructionRunsWhatIsQueued) {
  std::atomic<int> runs{0};
  for (int round = 0; round < 10; ++round) {
    PoolOptions options = Options();
    Pool pool(options);
    Arena& arena = pool.AcquireArena({2, 1, Priority::kNormal});
    for (int i = 0; i < 20; ++i) Enqueue(arena, [&] { ++runs; });
  }
  EXPECT_EQ(runs.load(), 200);
}

TEST_P(PoolLifeTest, SeveralPoolsWorkInsideEachOther) {
  Pool other(Options());
  EXPECT_EQ(pool_.Execute([&] {
    std::int64_t a = 0;
    std::int64_t b = 0;
    Join([&] { a = other.Execute([] { return Fib(14); }); },
         [&] { b = other.Execute([] { return Fib(15); }); });
    return a + b;
  }),
            987);
}

TEST_P(PoolLifeTest, IsIdleWhenEveryThreadHasLeft) {
  pool_.Execute([&] {
    EXPECT_FALSE(pool_.IsIdle());
    Fib(15);
  });
  // The workers leave by themselves; if they did not, this would not end.
  while (!pool_.IsIdle()) std::this_thread::yield();
  std::atomic<bool> end{false};
  Enqueue(pool_.AcquireArena({1, 0, Priority::kNormal}), [&end] {
    while (!end.load()) std::this_thread::yield();
  });
  EXPECT_FALSE(pool_.IsIdle());
  end = true;
  while (!pool_.IsIdle()) std::this_thread::yield();
}

TEST_P(PoolLifeTest, RetiredWorkersAreGoneAndOthersCome) {
  pool_.RetireWorkers();
  for (int round = 0; round < 5; ++round) {
    pool_.Execute([] { Fib(15); });
    pool_.RetireWorkers();
    EXPECT_EQ(pool_.Stats().workers, 0);
  }
  // Nobody but a worker runs this.
  std::atomic<bool> done{false};
  Enqueue(pool_.AcquireArena({1, 0, Priority::kNormal}), [&] { done = true; });
  while (!done.load()) std::this_thread::yield();
}

TEST_P(PoolLifeTest, WhoeverWasCalledAndMustNotComeIsCalledAgain) {
  Arena& arena = pool_.AcquireArena({4, 1, Priority::kNormal});
  const int limit = pool_.worker_limit();
  for (int round = 0; round < 100; ++round) {
    ExecuteIn(arena, [] { EXPECT_EQ(Fib(5), 5); });
    pool_.SetWorkerLimit(0);
    pool_.RetireWorkers();
    pool_.SetWorkerLimit(limit);
    std::atomic<bool> done{false};
    Enqueue(arena, [&] { done = true; });
    while (!done.load()) std::this_thread::yield();
  }
}

TEST_P(PoolLifeTest, NothingIsLostWhileWorkersRetire) {
  std::atomic<bool> stop{false};
  std::atomic<int> enqueued{0};
  std::atomic<int> ran{0};
  Arena& arena = pool_.AcquireArena({2, 1, Priority::kNormal});
  std::thread busy([&] {
    while (!stop.load()) EXPECT_EQ(pool_.Execute([] { return Fib(10); }), 55);
  });
  std::thread sender([&] {
    while (!stop.load()) {
      ++enqueued;
      Enqueue(arena, [&] { ++ran; });
      while (ran.load() != enqueued.load()) std::this_thread::yield();
    }
  });
  for (int i = 0; i < 50; ++i) pool_.RetireWorkers();
  stop = true;
  busy.join();
  sender.join();
  EXPECT_EQ(ran, enqueued);
}

TEST_P(PoolLifeTest, KnowsHowManyArenasAreInUse) {
  const int before = pool_.arenas_in_use();
  Arena& arena = pool_.AcquireArena({3, 1, Priority::kNormal});
  EXPECT_EQ(pool_.arenas_in_use(), before + 1);
  pool_.ReleaseArena(arena);
  EXPECT_EQ(pool_.arenas_in_use(), before);
}

TEST_P(PoolLifeTest, WorkersHaveTheStackThatIsAskedFor) {
  constexpr std::size_t kStack = std::size_t{24} << 20;
  pool_.SetWorkerStackSize(kStack);
  std::atomic<std::size_t> stack{0};
  Enqueue(pool_.AcquireArena({1, 0, Priority::kNormal}), [&] {
    pthread_attr_t attributes;
    pthread_getattr_np(pthread_self(), &attributes);
    std::size_t size = 0;
    pthread_attr_getstacksize(&attributes, &size);
    pthread_attr_destroy(&attributes);
    stack = size;
  });
  while (stack.load() == 0) std::this_thread::yield();
  EXPECT_GE(stack, kStack);
}

FILCH_INSTANTIATE_POOL_TEST(PoolLifeTest);

TEST(PoolTest, TakesNoMoreCpusThanItMayHaveWorkers) {
  const char* const before = std::getenv("FILCH_NUM_THREADS");
  const std::string usual = before == nullptr ? "" : before;
  setenv("FILCH_NUM_THREADS", "2000", 1);
  {
    Pool pool;
    EXPECT_EQ(pool.concurrency(), Pool::kMaxWorkers);
    EXPECT_LT(pool.worker_limit(), Pool::kMaxWorkers);
    EXPECT_EQ(pool.Execute([] { return Fib(15); }), 610);
  }
  if (before == nullptr) {
    unsetenv("FILCH_NUM_THREADS");
  } else {
    setenv("FILCH_NUM_THREADS", usual.c_str(), 1);
  }
}

}  // namespace
}  // namespace filch
