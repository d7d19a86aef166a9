// An enqueued task runs, whatever the threads of the pool are doing.
#include "filch/pool/queue_guard.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "filch/pool/arena.h"
#include "filch/pool/enqueue.h"
#include "filch/pool/execute.h"
#include "filch/pool/join.h"
#include "filch/pool/parallel_for.h"
#include "filch/pool/share_spawned.h"
#include "filch/pool/task_group.h"
#include "gtest/gtest.h"
#include "tests/pool/held_wait.h"
#include "tests/pool/pool_shapes.h"

namespace filch {
namespace {

class QueueGuardTest : public PoolTest {
 protected:
  QueueGuardTest()
      : threads_(GetParam().concurrency),
        arena_(pool_.AcquireArena({threads_, 1, Priority::kNormal})) {}
  ~QueueGuardTest() override { pool_.ReleaseArena(arena_); }

  // Every thread of the arena runs `spawn` again and again until `stop`, and so
  // has something of its own to do always.  Calls `then` when all are at it.
  template <typename Spawn, typename Then>
  void WhileAllSpawn(const std::atomic<bool>& stop, const Spawn& spawn, const Then& then) {
    std::atomic<int> busy{0};
    std::thread observer([&] {
      while (busy.load() < threads_) std::this_thread::yield();
      then();
    });
    ExecuteIn(arena_, [&] {
      TaskGroup all;
      for (int i = 0; i < threads_; ++i) {
        all.Run([&] {
          ++busy;
          while (busy.load() < threads_) std::this_thread::yield();
          while (!stop.load()) spawn();
        });
      }
      all.Wait();
    });
    observer.join();
  }

  const int threads_;
  Arena& arena_;
};

TEST_P(QueueGuardTest, AnEnqueuedTaskRunsThoughEveryThreadSpawnsForEver) {
  for (int round = 0; round < 3; ++round) {
    std::atomic<bool> ran{false};
    WhileAllSpawn(
        ran,
        [] {
          TaskGroup group;
          for (int i = 0; i < 3; ++i) group.Run([] {});
          group.Wait();
        },
        [&] { Enqueue(arena_, [&] { ran = true; }); });
  }
}

TEST_P(QueueGuardTest, AlsoIfTheyAreJoins) {
  std::atomic<bool> ran{false};
  WhileAllSpawn(
      ran, [] { Join([] {}, [] {}); }, [&] { Enqueue(arena_, [&] { ran = true; }); });
}

// The guard asks for tasks, and is answered by what is shared already.
TEST_P(QueueGuardTest, AlsoIfSomethingIsSharedAllTheTime) {
  std::atomic<bool> ran{false};
  WhileAllSpawn(
      ran,
      [&] {
        Join(
            [&] {
              ShareSpawned();
              while (!ran.load()) Join([] {}, [] {});
            },
            [] {});
      },
      [&] { Enqueue(arena_, [&] { ran = true; }); });
}

TEST_P(QueueGuardTest, AllThatIsEnqueuedRunsAndWhatItSpawnsToo) {
  std::atomic<int> runs{0};
  std::atomic<bool> stop{false};
  WhileAllSpawn(
      stop, [] { Join([] {}, [] {}); },
      [&] {
        for (int i = 0; i < 100; ++i) {
          Enqueue(arena_, [&] {
            TaskGroup group;
            for (int k = 0; k < 5; ++k) group.Run([&] { ++runs; });
            group.Wait();
          });
        }
        while (runs.load() < 500) std::this_thread::yield();
        stop = true;
      });
}

TEST_P(QueueGuardTest, NeedsOneThreadMoreAtMost) {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  std::atomic<int> runs{0};
  std::atomic<bool> stop{false};
  WhileAllSpawn(
      stop, [] { Join([] {}, [] {}); },
      [&] {
        for (int i = 0; i < 20; ++i) {
          Enqueue(arena_, [&] {
            {
              const std::lock_guard<std::mutex> lock(mutex);
              threads.insert(std::this_thread::get_id());
            }
            ++runs;  // from here on the lock may be gone
          });
        }
        while (runs.load() < 20) std::this_thread::yield();
        stop = true;
      });
  // Without workers, the first one may have come as well.
  EXPECT_LE(threads.size(), 2u);
  EXPECT_LE(pool_.Stats().workers, threads_);
}

// What they wait for is what waits for the enqueued task.
TEST_P(QueueGuardTest, AnEnqueuedTaskRunsThoughAllWorkersWaitInsideTasks) {
  const int workers = threads_ - 1;
  if (workers == 0) return;  // one comes
  std::vector<HeldWait> waits(static_cast<std::size_t>(workers));
  std::atomic<bool> ran{false};
  ExecuteIn(arena_, [&] {
    TaskGroup group;
    for (HeldWait& wait : waits) group.Run([&] { wait.Begin(); });
    // They take them: this thread does not look.
    for (const HeldWait& wait : waits) wait.UntilBegun();
    Arena& other = pool_.AcquireArena({2, 1, Priority::kNormal});
    for (Arena* const arena : {&other, &arena_}) {
      ran = false;
      Enqueue(*arena, [&] { ran = true; });
      while (!ran.load()) std::this_thread::yield();
    }
    pool_.ReleaseArena(other);
    for (HeldWait& wait : waits) wait.End();
    group.Wait();
  });
}

// All workers are in a loop, and none comes to the other arena.
TEST_P(QueueGuardTest, AnEnqueuedTaskRunsThoughAnotherArenaKeepsTheWorkers) {
  Arena& other = pool_.AcquireArena({2, 1, Priority::kNormal});
  std::atomic<bool> ran{false};
  WhileAllSpawn(
      ran, [] { ParallelFor(0, 1000000, [](int) {}); },
      [&] { Enqueue(other, [&] { ran = true; }); });
  pool_.ReleaseArena(other);
}

// A worker has come before they had something to do.
TEST_P(QueueGuardTest, AWorkerThatIsThereIsGivenTime) {
  Arena& other = pool_.AcquireArena({2, 1, Priority::kNormal});
  std::atomic<bool> inside{false};
  std::atomic<bool> over{false};
  std::atomic<bool> stop{false};
  Enqueue(other, [&] {
    inside = true;
    const auto end = std::chrono::steady_clock::now() + 4 * pool_internal::QueueGuard::kPatience;
    while (std::chrono::steady_clock::now() < end) std::this_thread::yield();
    over = true;
  });
  while (!inside.load()) std::this_thread::yield();
  Enqueue(other, [&] {
    EXPECT_TRUE(over.load());
    stop = true;
  });
  ExecuteIn(arena_, [&] {
    while (!stop.load()) {
      TaskGroup group;
      for (int i = 0; i < 3; ++i) group.Run([] {});
      group.Wait();
    }
  });
  pool_.ReleaseArena(other);
}

TEST_P(QueueGuardTest, ThePoolEndsWhileItsGuardIsAtWork) {
  for (int round = 0; round < 5; ++round) {
    std::atomic<int> runs{0};
    {
      Pool pool(Options());
      Arena& arena = pool.AcquireArena({2, 1, Priority::kNormal});
      for (int i = 0; i < 50; ++i) Enqueue(arena, [&] { ++runs; });
    }
    EXPECT_EQ(runs.load(), 50);
  }
}

INSTANTIATE_TEST_SUITE_P(Pools, QueueGuardTest,
                         testing::Values(PoolShape{1, std::chrono::microseconds(0)},
                                         PoolShape{2, std::chrono::microseconds(0)},
                                         PoolShape{2, std::chrono::microseconds(50)},
                                         PoolShape{4, std::chrono::microseconds(50)}),
                         QueueGuardTest::Name);

}  // namespace
}  // namespace filch
