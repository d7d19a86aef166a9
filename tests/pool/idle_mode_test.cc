// What idle workers do in each mode, told from what they have counted.
#include "filch/pool/idle_mode.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <thread>

#include "filch/pool/current_arena.h"
#include "filch/pool/enqueue.h"
#include "filch/pool/pool.h"
#include "filch/pool/stats.h"
#include "filch/pool/workforce.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

using pool_internal::IdleTimes;
using pool_internal::IdleTimesOf;

TEST(IdleModeTest, EveryModeIsBoundedInTime) {
  EXPECT_EQ(IdleTimesOf(IdleMode::kPower).spin.count(), 0);
  EXPECT_EQ(IdleTimesOf(IdleMode::kPower).lookout.count(), 0);
  EXPECT_EQ(IdleTimesOf(IdleMode::kPower).most_in_waits, 1);
  EXPECT_EQ(IdleTimesOf(IdleMode::kPower).most_in_stays, 1);
  constexpr IdleTimes balanced = IdleTimesOf(IdleMode::kBalanced);
  EXPECT_GT(balanced.spin.count(), 0);
  EXPECT_LE(balanced.spin, std::chrono::microseconds(100));
  EXPECT_LE(balanced.spin * balanced.most_in_waits, std::chrono::milliseconds(1));
  EXPECT_LE(balanced.spin * balanced.most_in_stays, std::chrono::microseconds(200));
  EXPECT_EQ(balanced.lookout.count(), 0);
  constexpr IdleTimes latency = IdleTimesOf(IdleMode::kLatency);
  EXPECT_EQ(latency.spin, balanced.spin);
  EXPECT_EQ(latency.most_in_waits, balanced.most_in_waits);
  EXPECT_EQ(latency.most_in_stays, balanced.most_in_stays);
  EXPECT_GE(latency.lookout, std::chrono::milliseconds(10));
  EXPECT_LE(latency.lookout, std::chrono::milliseconds(20));
}

class IdleModePoolTest : public testing::TestWithParam<IdleMode> {
 protected:
  // Runs a task on each of `workers` workers at the same time, from outside.
  static void MeetOnWorkers(Pool& pool, int workers) {
    pool.Execute([&] {
      std::atomic<int> come{0};
      std::atomic<int> gone{0};
      for (int i = 0; i < workers; ++i) {
        Enqueue(CurrentArena(), [&] {
          ++come;
          while (come.load() < workers) std::this_thread::yield();
          ++gone;
        });
      }
      while (gone.load() < workers) std::this_thread::yield();
    });
  }

  // Until they sleep; if they did not, this would not end.
  static PoolStats WhenParked(Pool& pool, std::int64_t parks) {
    PoolStats stats = pool.Stats();
    while (stats.parks < parks) {
      std::this_thread::yield();
      stats = pool.Stats();
    }
    return stats;
  }
};

TEST_P(IdleModePoolTest, WorkersSleepInTheEndAndOneOfThemIsOnTheLookoutIfAsked) {
  PoolOptions options;
  options.concurrency = 4;
  options.idle = GetParam();
  Pool pool(options);
  MeetOnWorkers(pool, 3);
  const PoolStats stats = WhenParked(pool, 3);
  if (GetParam() == IdleMode::kLatency) {
    EXPECT_GE(stats.lookouts, 1);
  } else {
    EXPECT_EQ(stats.lookouts, 0);
  }
}

TEST_P(IdleModePoolTest, WorkArrivesAgainAndAgain) {
  PoolOptions options;
  options.concurrency = 3;
  options.idle = GetParam();
  Pool pool(options);
  for (int round = 0; round < 200; ++round) MeetOnWorkers(pool, round % 2 + 1);
}

TEST_P(IdleModePoolTest, WhoIsIdleHearsOfTheLimitAndOfTheEnd) {
  PoolOptions options;
  options.concurrency = 3;
  options.idle = GetParam();
  Pool pool(options);
  for (int round = 0; round < 3; ++round) {
    MeetOnWorkers(pool, 2);
    pool.SetWorkerLimit(0);
    MeetOnWorkers(pool, 1);  // mandatory
    pool.SetWorkerLimit(2);
    MeetOnWorkers(pool, 2);
    pool.RetireWorkers();
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, IdleModePoolTest,
                         testing::Values(IdleMode::kPower, IdleMode::kBalanced,
                                         IdleMode::kLatency));

TEST(IdleModeTest, AnExplicitSpinReplacesTheMode) {
  PoolOptions options;
  options.concurrency = 2;
  options.idle = IdleMode::kLatency;
  options.spin = std::chrono::nanoseconds(0);
  Pool pool(options);
  pool.Execute([] {
    std::atomic<bool> ran{false};
    Enqueue(CurrentArena(), [&] { ran = true; });
    while (!ran.load()) std::this_thread::yield();
  });
  while (pool.Stats().parks < 1) std::this_thread::yield();
  EXPECT_EQ(pool.Stats().lookouts, 0);
}

TEST(IdleModeTest, AnExplicitSpinIsExact) {
  PoolOptions options;
  options.concurrency = 1;
  options.spin = std::chrono::microseconds(30);
  Pool pool(options);
  pool.Execute([] {
    EXPECT_EQ(CurrentArena().spin(), std::chrono::microseconds(30));
    EXPECT_EQ(CurrentArena().idle_times().most_in_waits, 1);
    EXPECT_EQ(CurrentArena().idle_times().most_in_stays, 1);
  });
}

// What Workforce works for; nobody serves anything.
struct NoArena {
  struct Wanted {
    static bool Call(std::uint32_t /*most*/ = 1) { return true; }
    static void TakeBack() {}
    static int ApproximateComing() { return 0; }
  };
  static Wanted wanted() { return {}; }
  static bool InsistsOnWorker() { return false; }
  static bool HasLeftBehind() { return false; }
  static bool NeedsWorker() { return false; }
  static bool HasWorkerSlots() { return true; }
  static bool HasSlotForWorker() { return true; }
  static int FreeWorkerSlots() { return 1; }
  static int priority() { return 0; }
};
struct NoPool {
  std::mutex& mutex() { return mutex_; }
  static bool AddWorker(int) { return true; }
  void Wake(int number) { woken = number; }
  static void WakeWaiter(NoArena&) {}

  std::mutex mutex_;
  int woken = -1;
};

TEST(IdleModeTest, WhoIsOnTheLookoutIsCalledFirstAndThereIsOne) {
  pool_internal::Workforce workforce(8, 8);
  for (const int number : {1, 3, 5}) workforce.AnnounceSleep(number);
  EXPECT_TRUE(workforce.BeginLookout(3));
  EXPECT_FALSE(workforce.BeginLookout(5));
  NoPool pool;
  NoArena arena;
  workforce.Recruit(pool, arena);
  EXPECT_EQ(pool.woken, 3);
  // It has been called already: the next one is another.
  workforce.Recruit(pool, arena);
  EXPECT_EQ(pool.woken, 1);
  workforce.EndLookout();
  EXPECT_TRUE(workforce.BeginLookout(5));
  workforce.Recruit(pool, arena);
  EXPECT_EQ(pool.woken, 5);
}

}  // namespace
}  // namespace filch
