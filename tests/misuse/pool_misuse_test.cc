// What a program that breaks a contract of the pool is told.
#include <atomic>
#include <cstdint>
#include <limits>
#include <thread>

#include "filch/pool/arena.h"
#include "filch/pool/enqueue.h"
#include "filch/pool/execute.h"
#include "filch/pool/index_loop.h"
#include "filch/pool/parallel_for.h"
#include "filch/pool/pool.h"
#include "filch/pool/task.h"
#include "filch/pool/unit_places.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

class PoolMisuseDeathTest : public testing::Test {
 protected:
  // Each check runs in a process of its own, since this one may have workers.
  PoolMisuseDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

PoolOptions OptionsFor(int concurrency) {
  PoolOptions options;
  options.concurrency = concurrency;
  return options;
}

TEST_F(PoolMisuseDeathTest, APoolHasAPossibleNumberOfThreads) {
  EXPECT_DEATH(Pool pool(OptionsFor(-1)), "the concurrency is negative");
  EXPECT_DEATH(Pool pool(OptionsFor(Pool::kMaxWorkers + 1)), "above filch::Pool::kMaxWorkers");
  EXPECT_DEATH(
      {
        Pool pool;
        pool.SetWorkerLimit(-1);
      },
      "the limit is negative");
}

TEST_F(PoolMisuseDeathTest, AWorkerMustNotDestroyItsPool) {
  EXPECT_DEATH(
      {
        auto* const pool = new Pool(OptionsFor(2));
        Enqueue(pool->AcquireArena({1, 0, Priority::kNormal}), [pool] { delete pool; });
        for (;;) std::this_thread::yield();
      },
      "must not be destroyed by one of its own workers");
}

TEST_F(PoolMisuseDeathTest, AWorkerMustNotRetireItself) {
  EXPECT_DEATH(
      {
        Pool pool(OptionsFor(2));
        Enqueue(pool.AcquireArena({1, 0, Priority::kNormal}), [&pool] { pool.RetireWorkers(); });
        for (;;) std::this_thread::yield();
      },
      "a worker cannot wait for its own end");
}

TEST_F(PoolMisuseDeathTest, APoolMustNotBeDestroyedWithAThreadInside) {
  EXPECT_DEATH(
      {
        auto* const pool = new Pool(OptionsFor(1));
        Arena& arena = pool->AcquireArena({1, 1, Priority::kNormal});
        std::atomic<bool> inside{false};
        std::thread other([&] {
          ExecuteIn(arena, [&] {
            inside = true;
            for (;;) std::this_thread::yield();
          });
        });
        while (!inside.load()) std::this_thread::yield();
        delete pool;
      },
      "a pool was destroyed with a thread inside");
}

TEST_F(PoolMisuseDeathTest, AnArenaHasSlots) {
  EXPECT_DEATH(
      {
        Pool pool;
        pool.AcquireArena({0, 0, Priority::kNormal});
      },
      "an arena needs at least one slot");
  EXPECT_DEATH(
      {
        Pool pool;
        pool.AcquireArena({1, -1, Priority::kNormal});
      },
      "the number of reserved slots is negative");
}

class NoTask final : public Task {
 public:
  NoTask() : Task([](Task&, Execution&) noexcept -> Task* { return nullptr; }, nullptr) {}
};

TEST_F(PoolMisuseDeathTest, MailNeedsASlot) {
  EXPECT_DEATH(
      {
        Pool pool;
        NoTask task;
        pool.AcquireArena({2, 1, Priority::kNormal}).Post(task, 2, 0);
      },
      "there is no such slot");
}

class NoPlaces final : public UnitPlaces {
 public:
  void Begin(std::uint32_t) override {}
  std::uint32_t PlaceOf(std::uint32_t) const override { return 0; }
  void Note(std::uint32_t, std::uint32_t) override {}
};

TEST_F(PoolMisuseDeathTest, OnlyALoopThatIsSharedByStealingHasExactGrains) {
  const char* const sentence = "exact_grain is for kStealing, and without places";
  ParallelForOptions options;
  options.exact_grain = true;
  ParallelFor(
      0, 10, [](int) {}, options);
  NoPlaces places;
  options.places = &places;
  EXPECT_DEATH(ParallelFor(
                   0, 10, [](int) {}, options),
               sentence);
  options.places = nullptr;
  options.schedule = LoopSchedule::kStatic;
  EXPECT_DEATH(ParallelFor(
                   0, 10, [](int) {}, options),
               sentence);
}

TEST_F(PoolMisuseDeathTest, ATaskHasAPossibleNumberOfPredecessors) {
  constexpr std::int32_t kMost = (std::int32_t{1} << 30) - 1;
  const char* const sentence = "the number of predecessors is negative, or 2\\^30 or more";
  NoTask task;
  EXPECT_DEATH(task.set_predecessors(-1), sentence);
  EXPECT_DEATH(task.set_predecessors(kMost + 1), sentence);
  task.set_predecessors(kMost - 2);
  EXPECT_DEATH(task.AddPredecessors(3), sentence);
  EXPECT_DEATH(task.AddPredecessors(std::numeric_limits<std::int32_t>::max()), sentence);
  EXPECT_EQ(task.AddPredecessors(2), kMost);
  EXPECT_TRUE(task.HasPredecessors(kMost));
  task.AnnounceWaiter();
  EXPECT_EQ(task.predecessors(), kMost);
  EXPECT_EQ(task.AddPredecessors(-kMost + 1), 1);
  EXPECT_EQ(task.AddPredecessors(kMost - 1), kMost);
  EXPECT_DEATH(task.AddPredecessors(2), sentence);
}

}  // namespace
}  // namespace filch
