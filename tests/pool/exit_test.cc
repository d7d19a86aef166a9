// A process may end while its pools are busy.
#include <atomic>
#include <cstdlib>
#include <thread>

#include "filch/pool/default_pool.h"
#include "filch/pool/enqueue.h"
#include "filch/pool/join.h"
#include "filch/pool/pool.h"
#include "filch/pool/task_group.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

void SpawnForEver() {
  for (;;) {
    TaskGroup group;
    for (int i = 0; i < 10; ++i) group.Run([] {});
    group.Wait();
    Join([] {}, [] {});
  }
}

// Threads of the default pool that never stop, one more of the program's own, and
// this one.
void MakeTheDefaultPoolBusy() {
  Pool& pool = DefaultPool();
  pool.SetWorkerLimit(3);
  Arena& arena = pool.AcquireArena({4, 1, Priority::kNormal});
  static std::atomic<int> busy{0};
  for (int i = 0; i < 3; ++i) {
    Enqueue(arena, [] {
      ++busy;
      SpawnForEver();
    });
  }
  std::thread([] {
    ++busy;
    SpawnForEver();
  }).detach();
  while (busy.load() < 4) std::this_thread::yield();
}

class ExitTest : public testing::Test {
 protected:
  // Each check runs in a process of its own, since this one may have workers.
  ExitTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(ExitTest, WithABusyDefaultPool) {
  EXPECT_EXIT(
      {
        MakeTheDefaultPoolBusy();
        std::exit(3);
      },
      testing::ExitedWithCode(3), "");
}

TEST_F(ExitTest, FromATask) {
  EXPECT_EXIT(
      {
        MakeTheDefaultPoolBusy();
        TaskGroup group;
        group.Run([] { std::exit(4); });
        group.Wait();
      },
      testing::ExitedWithCode(4), "");
}

TEST_F(ExitTest, FromAWorker) {
  EXPECT_EXIT(
      {
        Pool& pool = DefaultPool();
        pool.SetWorkerLimit(1);
        Enqueue(pool.AcquireArena({1, 0, Priority::kNormal}), [] { std::exit(5); });
        for (;;) std::this_thread::yield();
      },
      testing::ExitedWithCode(5), "");
}

// The destructor of a pool that is a static runs what is queued.
TEST_F(ExitTest, WithWorkQueuedInAStaticPool) {
  EXPECT_EXIT(
      {
        static std::atomic<int> runs{0};
        std::atexit([] {
          if (runs.load() == 100) std::quick_exit(6);
        });
        PoolOptions options;
        options.concurrency = 3;
        static Pool pool(options);
        Arena& arena = pool.AcquireArena({3, 1, Priority::kNormal});
        for (int i = 0; i < 100; ++i) Enqueue(arena, [] { ++runs; });
        std::exit(7);
      },
      testing::ExitedWithCode(6), "");
}

}  // namespace
}  // namespace filch
