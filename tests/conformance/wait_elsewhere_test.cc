// A wait for a group whose tasks are in another arena than the one where it waits: they run, at
// every limit, whoever else waits, and the waiting thread runs nothing that is enqueued there if
// the group was made elsewhere.
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <atomic>
#include <thread>

#include "gtest/gtest.h"
#include "tests/conformance/on_onetbb.h"
#include "tests/conformance/parallelism_fixture.h"
#include "tests/yield_for_a_while.h"

namespace {

using filch::YieldForAWhile;

class WaitElsewhereTest : public ParallelismTest {
 protected:
  // To be called by tasks that the thread of the test must not run while it waits.
  void MustNotRunInTheWait() {
    if (waits_ && std::this_thread::get_id() == tester_) ran_in_the_wait_ = true;
  }

  // Whether it did in f, which waits.
  template <typename F>
  bool RunsOthersIn(const F& f) {
    waits_ = true;
    f();
    waits_ = false;
    return ran_in_the_wait_;
  }

  bool waits() const { return waits_; }

 private:
  const std::thread::id tester_ = std::this_thread::get_id();
  std::atomic<bool> waits_{false};
  std::atomic<bool> ran_in_the_wait_{false};
};

INSTANTIATE_TEST_SUITE_P(Limits, WaitElsewhereTest, kLimits);

TEST_P(WaitElsewhereTest, RunsNothingThatIsEnqueuedThere) {
  if (kOnOneTbb && HasNoWorkers(limit())) GTEST_SKIP() << "oneTBB hangs where no worker is allowed";
  constexpr int kJobs = 16;
  tbb::task_arena arena(8);
  tbb::task_group group;
  std::atomic<int> ran{0};
  std::atomic<int> jobs{0};
  for (int i = 0; i < kJobs; ++i) {
    arena.enqueue([&] {
      MustNotRunInTheWait();
      YieldForAWhile();
      ++jobs;
    });
  }
  arena.execute([&] { group.run([&] { ++ran; }); });
  EXPECT_FALSE(RunsOthersIn([&] { group.wait(); }));
  EXPECT_EQ(ran, 1);
  while (jobs < kJobs) std::this_thread::yield();
}

TEST_P(WaitElsewhereTest, TasksOfThatArenaAreRunForIt) {
  if (kOnOneTbb && HasNoWorkers(limit())) GTEST_SKIP() << "oneTBB hangs where no worker is allowed";
  tbb::task_arena arena(2);
  for (int repeat = 0; repeat < 20; ++repeat) {
    std::atomic<int> ran{0};
    tbb::task_group group;
    tbb::task_group others;
    // Those of the group are behind others, for thieves and for the thread that has spawned them.
    for (int i = 0; i < 3; ++i) others.run([] {});
    for (int i = 0; i < 10; ++i) group.run([&] { ++ran; });
    for (int i = 0; i < 3; ++i) others.run([] {});
    arena.execute([&] { EXPECT_EQ(group.wait(), tbb::complete); });
    EXPECT_EQ(ran, 10);
    arena.execute([&] {
      for (int i = 0; i < 3; ++i) others.run([] {});
      for (int i = 0; i < 10; ++i) group.run([&] { ++ran; });
      for (int i = 0; i < 3; ++i) others.run([] {});
    });
    EXPECT_EQ(group.wait(), tbb::complete);
    EXPECT_EQ(ran, 20);
    EXPECT_EQ(others.wait(), tbb::complete);
  }
}

// All threads wait at the same time, each for what it has left elsewhere.
TEST_P(WaitElsewhereTest, EveryThreadMayWaitAtOnce) {
  if (kOnOneTbb) GTEST_SKIP() << "oneTBB hangs where all threads wait";
  tbb::task_arena arena(2);
  std::atomic<int> ran{0};
  tbb::parallel_for(
      0, 200,
      [&](int) {
        tbb::task_group group;
        arena.execute([&] {
          for (int i = 0; i < 3; ++i) group.run([&] { ++ran; });
        });
        group.wait();
      },
      tbb::simple_partitioner());
  EXPECT_EQ(ran, 600);
}

}  // namespace
