#include <tbb/blocked_range.h>
#include <tbb/collaborative_call_once.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

using CollaborativeCallOnceTest = ParallelismTest;
INSTANTIATE_TEST_SUITE_P(Limits, CollaborativeCallOnceTest, kLimits);

TEST_P(CollaborativeCallOnceTest, CallsOnceAndForwardsArguments) {
  tbb::collaborative_once_flag flag;
  int result = 0;
  const auto add = [&](std::unique_ptr<int> a, int b) { result += *a + b; };
  for (int i = 0; i < 3; ++i) {
    tbb::collaborative_call_once(flag, add, std::make_unique<int>(4), 5);
  }
  EXPECT_EQ(result, 9);
}

TEST_P(CollaborativeCallOnceTest, EveryCallerSeesTheResult) {
  for (int repeat = 0; repeat < 50; ++repeat) {
    tbb::collaborative_once_flag flag;
    int value = 0;
    std::atomic<int> calls{0};
    tbb::parallel_for(0, 100, [&](int) {
      tbb::collaborative_call_once(flag, [&] {
        ++calls;
        std::atomic<int> sum{0};
        tbb::parallel_for(0, 64, [&](int i) { sum += i; });
        value = sum;
      });
      ASSERT_EQ(value, 2016);
    });
    ASSERT_EQ(calls, 1);
  }
}

TEST_P(CollaborativeCallOnceTest, ManyThreadsOfTheProgram) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    tbb::collaborative_once_flag flag;
    std::atomic<int> calls{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        tbb::collaborative_call_once(flag, [&] {
          tbb::parallel_for(0, 64, [&](int) {});
          ++calls;
        });
        EXPECT_EQ(calls, 1);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
}

TEST_P(CollaborativeCallOnceTest, AnExceptionLeavesTheFlagUnset) {
  tbb::collaborative_once_flag flag;
  std::atomic<int> tries{0};
  std::atomic<int> thrown{0};
  tbb::parallel_for(0, 20, [&](int) {
    try {
      tbb::collaborative_call_once(flag, [&] {
        if (++tries <= 3) throw 1;
      });
    } catch (int) {
      ++thrown;
    }
  });
  EXPECT_EQ(tries, 4);
  EXPECT_EQ(thrown, 3);
}

TEST_P(CollaborativeCallOnceTest, FlagsNest) {
  tbb::collaborative_once_flag outer;
  tbb::collaborative_once_flag inner;
  int value = 0;
  tbb::parallel_for(0, 50, [&](int) {
    tbb::collaborative_call_once(outer, [&] {
      tbb::collaborative_call_once(inner, [&] { value = 1; });
      ++value;
    });
    ASSERT_EQ(value, 2);
  });
}

}  // namespace
