// Who gives its cpu up to others, told by the calls of the system. Who hands a task over to a
// sleeping worker does so once, for Linux may have put the worker behind it on the same cpu; who
// hands it over to one that is awake does not; and who looks for work does all the while.
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include "filch/pool/arena.h"
#include "filch/pool/enqueue.h"
#include "filch/pool/pool.h"
#include "gtest/gtest.h"
#include "tests/pool/yield_until.h"

namespace {
thread_local int yields = 0;
// Of all threads that have not said that they are none.
std::atomic<int> worker_yields{0};
thread_local bool is_worker = true;
}  // namespace

// In the place of the C library's.
extern "C" int sched_yield() noexcept {
  ++yields;
  if (is_worker) ++worker_yields;
  return static_cast<int>(syscall(SYS_sched_yield));
}

namespace filch {
namespace {

// Until the worker has gone to sleep more often than so many times.
void UntilMoreParksThan(std::int64_t parks, const Pool& pool) {
  while (pool.Stats().parks <= parks) std::this_thread::yield();
}

TEST(HandOverTest, WhoWakesAWorkerForAQueuedTaskGivesWayOnce) {
  std::atomic<int> ran{0};
  std::atomic<int> runs{0};
  std::atomic<int> leave{0};
  PoolOptions options;
  options.concurrency = 2;
  options.spin = std::chrono::nanoseconds(0);
  Pool pool(options);
  Arena& arena = pool.AcquireArena({2, 1, Priority::kNormal});
  std::int64_t parks = pool.Stats().parks;
  Enqueue(arena, [&] { ++ran; });  // starts the worker
  for (int round = 1; round <= 20; ++round) {
    YieldUntil(ran, round);
    UntilMoreParksThan(parks, pool);
    yields = 0;
    Enqueue(arena, [&, round] {
      ++runs;
      while (leave < round) std::this_thread::yield();
    });
    EXPECT_EQ(yields, 1);
    YieldUntil(runs, round);
    parks = pool.Stats().parks;
    yields = 0;
    Enqueue(arena, [&] { ++ran; });  // the worker that is awake will look
    EXPECT_EQ(yields, 0);
    leave = round;
  }
  YieldUntil(ran, 21);
  pool.ReleaseArena(arena);
}

TEST(HandOverTest, AWorkerThatLooksForWorkGivesWay) {
  is_worker = false;
  PoolOptions options;
  options.concurrency = 2;
  options.spin = std::chrono::milliseconds(20);
  Pool pool(options);
  Arena& arena = pool.AcquireArena({2, 1, Priority::kNormal});
  std::atomic<int> ran{0};
  std::atomic<int> before{0};
  std::int64_t parks = 0;
  Enqueue(arena, [&] {
    parks = pool.Stats().parks;
    before = worker_yields.load();
    ++ran;
  });
  YieldUntil(ran, 1);
  UntilMoreParksThan(parks, pool);
  EXPECT_GT(worker_yields, before);
  pool.ReleaseArena(arena);
}

}  // namespace
}  // namespace filch
