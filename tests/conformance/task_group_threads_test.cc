// A task_group that one thread of the program fills and another waits for. With
// a limit of one no worker helps: the waiter has to go where the tasks are.
#include <tbb/task_group.h>

#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/on_onetbb.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

using TaskGroupThreadsTest = ParallelismTest;
INSTANTIATE_TEST_SUITE_P(Limits, TaskGroupThreadsTest, kLimits);

TEST_P(TaskGroupThreadsTest, ALiveHandleIsWaitedFor) {
  if (kOnOneTbb && HasNoWorkers(limit())) GTEST_SKIP() << "oneTBB hangs where no worker is allowed";
  std::atomic<bool> ran{false};
  tbb::task_group group;
  std::optional<tbb::task_handle> handle = group.defer([&] { ran = true; });
  std::thread runner([&] { group.run(std::move(*handle)); });
  EXPECT_EQ(group.wait(), tbb::complete);
  EXPECT_TRUE(ran);
  runner.join();
}

TEST_P(TaskGroupThreadsTest, WhoHasWaitedForItsTaskMayDestroyTheHandle) {
  if (kOnOneTbb && HasNoWorkers(limit())) GTEST_SKIP() << "oneTBB hangs where no worker is allowed";
  for (int repeat = 0; repeat < 20; ++repeat) {
    tbb::task_group group;
    std::optional<tbb::task_handle> handle = group.defer([] {});
    std::thread runner([&] { group.run(std::move(*handle)); });
    EXPECT_EQ(group.wait(), tbb::complete);
    EXPECT_FALSE(*handle);
    handle.reset();
    runner.join();
  }
}

TEST_P(TaskGroupThreadsTest, AnotherThreadMayDropAHandle) {
  tbb::task_group group;
  for (int repeat = 0; repeat < 20; ++repeat) {
    auto token = std::make_shared<int>(repeat);
    const std::weak_ptr<int> alive = token;
    std::optional<tbb::task_handle> handle = group.defer([token = std::move(token)] {});
    std::thread([&] { handle.reset(); }).join();
    EXPECT_TRUE(alive.expired());
  }
  EXPECT_EQ(group.wait(), tbb::complete);
}

TEST_P(TaskGroupThreadsTest, TakesWorkFromManyThreads) {
  if (kOnOneTbb && HasNoWorkers(limit())) GTEST_SKIP() << "oneTBB hangs where no worker is allowed";
  std::atomic<int> ran{0};
  tbb::task_group group;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) group.run([&] { ++ran; });
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(group.wait(), tbb::complete);
  EXPECT_EQ(ran, 2000);
}

TEST_P(TaskGroupThreadsTest, FilledByOneThreadAndWaitedForByAnother) {
  if (kOnOneTbb && HasNoWorkers(limit())) GTEST_SKIP() << "oneTBB hangs where no worker is allowed";
  for (int repeat = 0; repeat < 20; ++repeat) {
    std::atomic<int> ran{0};
    tbb::task_group group;
    std::thread([&] {
      for (int i = 0; i < 50; ++i) group.run([&] { ++ran; });
    }).join();
    EXPECT_EQ(group.wait(), tbb::complete);
    ASSERT_EQ(ran, 50);
  }
}

TEST_P(TaskGroupThreadsTest, FilledHereAndWaitedForByAnotherThread) {
  if (kOnOneTbb && HasNoWorkers(limit())) GTEST_SKIP() << "oneTBB hangs where no worker is allowed";
  std::atomic<int> ran{0};
  tbb::task_group group;
  for (int i = 0; i < 50; ++i) group.run([&] { ++ran; });
  std::thread([&] { EXPECT_EQ(group.wait(), tbb::complete); }).join();
  EXPECT_EQ(ran, 50);
}

}  // namespace
