#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <thread>

#include "gtest/gtest.h"
#include "tests/conformance/on_onetbb.h"

namespace {

using Control = tbb::global_control;

std::size_t Allowed() { return Control::active_value(Control::max_allowed_parallelism); }

TEST(GlobalControlTest, TheSmallestLiveLimitOfParallelismHolds) {
  const std::size_t before = Allowed();
  EXPECT_GE(before, 1u);
  {
    Control three(Control::max_allowed_parallelism, 3);
    EXPECT_EQ(Allowed(), 3u);
    {
      Control seven(Control::max_allowed_parallelism, 7);
      EXPECT_EQ(Allowed(), 3u);
      Control one(Control::max_allowed_parallelism, 1);
      EXPECT_EQ(Allowed(), 1u);
    }
    EXPECT_EQ(Allowed(), 3u);
  }
  EXPECT_EQ(Allowed(), before);
}

Control LimitOf(std::size_t threads) {
  Control limit(Control::max_allowed_parallelism, threads);
  return limit;
}

TEST(GlobalControlTest, AFunctionMayReturnALimit) {
  const std::size_t before = Allowed();
  {
    const Control limit = LimitOf(1);
    EXPECT_EQ(Allowed(), 1u);
  }
  EXPECT_EQ(Allowed(), before);
}

TEST(GlobalControlTest, LimitsMayDieInAnyOrder) {
  auto four = std::make_unique<Control>(Control::max_allowed_parallelism, 4);
  auto two = std::make_unique<Control>(Control::max_allowed_parallelism, 2);
  auto also_two = std::make_unique<Control>(Control::max_allowed_parallelism, 2);
  EXPECT_EQ(Allowed(), 2u);
  two.reset();
  EXPECT_EQ(Allowed(), 2u);
  four.reset();
  EXPECT_EQ(Allowed(), 2u);
  four = std::make_unique<Control>(Control::max_allowed_parallelism, 4);
  also_two.reset();
  EXPECT_EQ(Allowed(), 4u);
}

TEST(GlobalControlTest, UsingTheSchedulerDoesNotChangeTheValue) {
  const std::size_t before = Allowed();
  tbb::parallel_for(0, 100, [](int) {});
  EXPECT_EQ(Allowed(), before);
}

TEST(GlobalControlTest, MayBeMadeOnOneThreadAndEndedOnAnother) {
  const std::size_t before = Allowed();
  std::unique_ptr<Control> limit;
  std::thread([&] {
    limit = std::make_unique<Control>(Control::max_allowed_parallelism, 1);
  }).join();
  EXPECT_EQ(Allowed(), 1u);
  std::thread([&] { limit.reset(); }).join();
  EXPECT_EQ(Allowed(), before);
}

// The greatest number of bodies that ran at the same time.
int Overlap() {
  std::atomic<int> inside{0};
  std::atomic<int> most{0};
  tbb::parallel_for(
      0, 300,
      [&](int) {
        const int now = ++inside;
        int seen = most.load();
        while (seen < now && !most.compare_exchange_weak(seen, now)) {
        }
        std::this_thread::yield();
        --inside;
      },
      tbb::simple_partitioner());
  return most;
}

TEST(GlobalControlTest, ALimitOfOneKeepsTheLoopOnItsThread) {
  Overlap();  // so that workers exist already
  Control one(Control::max_allowed_parallelism, 1);
  EXPECT_EQ(Overlap(), 1);
  const std::thread::id self = std::this_thread::get_id();
  std::atomic<int> elsewhere{0};
  tbb::parallel_for(0, 1000, [&](int) {
    if (std::this_thread::get_id() != self) ++elsewhere;
  });
  EXPECT_EQ(elsewhere, 0);
}

TEST(GlobalControlTest, UnderALimitOfOneWhatIsSpawnedIsForWhoWaitsForIt) {
  Control one(Control::max_allowed_parallelism, 1);
  tbb::task_arena arena;
  tbb::task_arena elsewhere;
  tbb::task_group group;
  // Not atomic: a program without locks relies on it.
  std::thread::id ran_on;
  arena.execute([&] { group.run([&] { ran_on = std::this_thread::get_id(); }); });
  // For what is enqueued a worker comes.
  std::atomic<bool> came{false};
  elsewhere.enqueue([&] { came = true; });
  while (!came) std::this_thread::yield();
  arena.execute([&] { group.wait(); });
  EXPECT_EQ(ran_on, std::this_thread::get_id());
}

TEST(GlobalControlTest, NoMoreThreadsRunThanAllowed) {
  for (const int limit : {2, 3, 5}) {
    Control control(Control::max_allowed_parallelism, static_cast<std::size_t>(limit));
    tbb::task_arena wide(8);
    int overlap = 0;
    wide.execute([&] { overlap = Overlap(); });
    EXPECT_LE(overlap, limit);
  }
}

TEST(GlobalControlTest, TheLargestStackSizeHolds) {
  const std::size_t before = Control::active_value(Control::thread_stack_size);
  EXPECT_GT(before, 0u);
  {
    Control large(Control::thread_stack_size, before + 65536);
    EXPECT_EQ(Control::active_value(Control::thread_stack_size), before + 65536);
    Control small(Control::thread_stack_size, before);
    EXPECT_EQ(Control::active_value(Control::thread_stack_size), before + 65536);
  }
  EXPECT_EQ(Control::active_value(Control::thread_stack_size), before);
}

TEST(GlobalControlTest, TerminateOnExceptionIsOffByDefaultAndOnWhereAnyoneAsks) {
  EXPECT_EQ(Control::active_value(Control::terminate_on_exception), 0u);
  {
    Control off(Control::terminate_on_exception, 0);
    EXPECT_EQ(Control::active_value(Control::terminate_on_exception), 0u);
    Control on(Control::terminate_on_exception, 1);
    EXPECT_EQ(Control::active_value(Control::terminate_on_exception), 1u);
  }
  EXPECT_EQ(Control::active_value(Control::terminate_on_exception), 0u);
}

TEST(GlobalControlDeathTest, WhatTheSchedulerItselfThrowsTerminatesToo) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        const Control ends(Control::terminate_on_exception, 1);
        try {
          tbb::parallel_for(0, 1, 0, [](int) {});
        } catch (const std::invalid_argument&) {
        }
      },
      "");
}

TEST(GlobalControlTest, OneThatIsAssignedStandsForTheOtherValue) {
  // It compiles there.
  if (kOnOneTbb) GTEST_SKIP();
  const std::size_t before = Control::active_value(Control::thread_stack_size);
  {
    std::optional<Control> control;
    control = Control(Control::thread_stack_size, before / 2 + 4096);
    *control = Control(Control::terminate_on_exception, 3);
    EXPECT_EQ(Control::active_value(Control::thread_stack_size), before);
    EXPECT_EQ(Control::active_value(Control::terminate_on_exception), 3u);
  }
  EXPECT_EQ(Control::active_value(Control::terminate_on_exception), 0u);
}

TEST(GlobalControlTest, AValueIsKeptAsItWasGiven) {
  const std::size_t before = Control::active_value(Control::thread_stack_size);
  {
    Control small(Control::thread_stack_size, std::size_t{1} << 20);
    EXPECT_EQ(Control::active_value(Control::thread_stack_size), std::size_t{1} << 20);
    Control flag(Control::terminate_on_exception, 5);
    EXPECT_EQ(Control::active_value(Control::terminate_on_exception), 5u);
  }
  EXPECT_EQ(Control::active_value(Control::thread_stack_size), before);
  EXPECT_EQ(Control::active_value(Control::terminate_on_exception), 0u);
}

}  // namespace
