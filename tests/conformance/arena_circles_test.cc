// Threads that execute and wait in arenas whose threads are all busy.
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <atomic>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

using ArenaCirclesTest = ParallelismTest;
INSTANTIATE_TEST_SUITE_P(Limits, ArenaCirclesTest, kLimits);

// Until so many threads have come here.
void Meet(std::atomic<int>& come, int threads) {
  ++come;
  while (come < threads) std::this_thread::yield();
}

// Whether tasks of the main arena can meet.
bool TasksCanMeet(std::size_t limit) {
  return limit > 1 && tbb::this_task_arena::max_concurrency() > 1;
}

TEST_P(ArenaCirclesTest, TasksThatExecuteInEachOthersOnlyPlaceEnd) {
  if (!TasksCanMeet(limit())) return;
  for (int time = 0; time < 10; ++time) {
    tbb::task_arena arenas[2] = {tbb::task_arena(1), tbb::task_arena(1)};
    std::atomic<int> come{0};
    std::atomic<int> runs{0};
    tbb::parallel_for(
        0, 2,
        [&](int i) {
          arenas[i].execute([&] {
            Meet(come, 2);
            arenas[1 - i].execute([&] { ++runs; });
          });
        },
        tbb::simple_partitioner());
    EXPECT_EQ(runs, 2);
  }
}

TEST_P(ArenaCirclesTest, ThreadsThatExecuteInEachOthersOnlyPlaceEnd) {
  for (int time = 0; time < 10; ++time) {
    tbb::task_arena arenas[2] = {tbb::task_arena(1), tbb::task_arena(1)};
    std::atomic<int> come{0};
    std::atomic<int> runs{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i) {
      threads.emplace_back([&, i] {
        arenas[i].execute([&] {
          Meet(come, 2);
          arenas[1 - i].execute([&] { ++runs; });
        });
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(runs, 2);
  }
}

// Both threads of an arena are in a task, and wait for what is enqueued there.
TEST_P(ArenaCirclesTest, WaitsOfWhatIsExecutedTakeWhatIsEnqueued) {
  if (!TasksCanMeet(limit())) return;
  for (int time = 0; time < 10; ++time) {
    tbb::task_arena arena(2);
    std::atomic<int> come{0};
    std::atomic<int> runs{0};
    arena.execute([&] {
      tbb::task_group outer;
      for (int i = 0; i < 2; ++i) {
        outer.run([&] {
          Meet(come, 2);
          tbb::task_group inner;
          arena.enqueue(inner.defer([&] { ++runs; }));
          arena.execute([&] { inner.wait(); });
        });
      }
      outer.wait();
    });
    EXPECT_EQ(runs, 2);
  }
}

}  // namespace
