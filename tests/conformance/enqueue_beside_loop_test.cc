// What is enqueued begins though all threads that could come are in a loop, which takes minutes
// unless it is cancelled, as it is then.
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <atomic>
#include <limits>
#include <thread>

#include "gtest/gtest.h"
#include "tests/conformance/on_onetbb.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

class EnqueueBesideLoopTest : public ParallelismTest {
 protected:
  // Enqueues in the one arena while the loop runs in the other.
  static void Enqueue(tbb::task_arena& arena, tbb::task_arena& of_loop) {
    std::atomic<int> units{0};
    std::atomic<bool> begun{false};
    std::thread enqueuer([&] {
      while (units < 1000) std::this_thread::yield();
      arena.enqueue([&] { begun = true; });
    });
    of_loop.execute([&] {
      tbb::task_group_context context;
      tbb::parallel_for(
          0, std::numeric_limits<int>::max(),
          [&](int) {
            if (units.load(std::memory_order_relaxed) < 1000) ++units;
            for (int look = 0; look < 100; ++look) {
              if (begun.load(std::memory_order_relaxed))
                return void(context.cancel_group_execution());
            }
          },
          context);
      EXPECT_TRUE(context.is_group_execution_cancelled());
    });
    enqueuer.join();
    EXPECT_TRUE(begun);
  }
};

INSTANTIATE_TEST_SUITE_P(Limits, EnqueueBesideLoopTest, kLimits);

// There is a place for one more.
TEST_P(EnqueueBesideLoopTest, WhereTheLoopRuns) {
  if (kOnOneTbb) GTEST_SKIP() << "oneTBB's threads may stay in the loop for ever";
  tbb::task_arena arena(8);
  for (int repeat = 0; repeat < 5; ++repeat) Enqueue(arena, arena);
}

TEST_P(EnqueueBesideLoopTest, InAnotherArena) {
  if (kOnOneTbb) GTEST_SKIP() << "oneTBB's threads may stay in the loop for ever";
  tbb::task_arena arena(2);
  tbb::task_arena of_loop(4);
  for (int repeat = 0; repeat < 5; ++repeat) Enqueue(arena, of_loop);
}

}  // namespace
