// The floating-point settings of arenas: those of the thread that made them.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_for_each.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <atomic>
#include <cfenv>
#include <stdexcept>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

using tbb::task_group_context;
using Range = tbb::blocked_range<int>;

class ArenaFpSettingsTest : public ParallelismTest {
 protected:
  ~ArenaFpSettingsTest() override { std::fesetround(FE_TONEAREST); }
};
INSTANTIATE_TEST_SUITE_P(Limits, ArenaFpSettingsTest, kLimits);

// Every body of a loop, on whatever thread, rounds so.
void ExpectLoopsRound(int mode) {
  std::atomic<int> others{0};
  tbb::parallel_for(
      0, 40,
      [&](int) {
        if (std::fegetround() != mode) ++others;
        std::this_thread::yield();
      },
      tbb::simple_partitioner());
  EXPECT_EQ(others, 0);
}

// A thread of its own, so that its arena is a new one; `f` gets it while it rounds to the
// nearest, as it did when the arena was made.
template <typename F>
void OnNewThread(const F& f) {
  std::thread thread([&f] {
    std::fesetround(FE_TONEAREST);
    ExpectLoopsRound(FE_TONEAREST);
    f();
  });
  thread.join();
}

TEST_P(ArenaFpSettingsTest, AreCapturedWhenAnArenaIsInitialized) {
  OnNewThread([] {
    tbb::task_arena arena(4);
    std::fesetround(FE_UPWARD);
    arena.initialize();
    std::fesetround(FE_DOWNWARD);
    const int inside = arena.execute([] {
      ExpectLoopsRound(FE_UPWARD);
      return std::fegetround();
    });
    EXPECT_EQ(inside, FE_UPWARD);
    EXPECT_EQ(std::fegetround(), FE_DOWNWARD);
  });
}

TEST_P(ArenaFpSettingsTest, AreThereInWhatTheArenaExecutesForAThreadInside) {
  OnNewThread([] {
    std::fesetround(FE_UPWARD);
    tbb::task_arena arena(2);
    arena.execute([&arena] {
      std::fesetround(FE_DOWNWARD);
      arena.execute([] { EXPECT_EQ(std::fegetround(), FE_UPWARD); });
      EXPECT_EQ(std::fegetround(), FE_DOWNWARD);
      EXPECT_THROW(arena.execute([] { throw std::runtime_error("inside"); }), std::runtime_error);
      EXPECT_EQ(std::fegetround(), FE_DOWNWARD);
    });
  });
}

// The only place is taken by a thread that has other settings while it waits.
TEST_P(ArenaFpSettingsTest, AreThereInWhatAThreadInsideDoesForOneOutside) {
  OnNewThread([] {
    std::fesetround(FE_UPWARD);
    tbb::task_arena arena(1);
    arena.execute([&arena] {
      std::fesetround(FE_DOWNWARD);
      tbb::task_group group;
      std::atomic<bool> done{false};
      std::thread outside([&arena, &done] {
        arena.execute([] { EXPECT_EQ(std::fegetround(), FE_UPWARD); });
        done = true;
      });
      while (!done) {
        group.run([] { std::this_thread::yield(); });
        group.wait();
        EXPECT_EQ(std::fegetround(), FE_DOWNWARD);
      }
      outside.join();
    });
  });
}

TEST_P(ArenaFpSettingsTest, AreCapturedByTheFirstUseAtTheLatest) {
  OnNewThread([] {
    tbb::task_arena arena(4);
    std::fesetround(FE_TOWARDZERO);
    arena.execute([] { EXPECT_EQ(std::fegetround(), FE_TOWARDZERO); });
    std::fesetround(FE_UPWARD);
    arena.execute([] {
      EXPECT_EQ(std::fegetround(), FE_TOWARDZERO);
      ExpectLoopsRound(FE_TOWARDZERO);
    });
    EXPECT_EQ(std::fegetround(), FE_UPWARD);
  });
}

TEST_P(ArenaFpSettingsTest, HoldForOtherThreadsToo) {
  tbb::task_arena arena(4);
  std::fesetround(FE_UPWARD);
  arena.initialize();
  std::fesetround(FE_TONEAREST);
  OnNewThread([&arena] {
    arena.execute([] { ExpectLoopsRound(FE_UPWARD); });
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  });
}

TEST_P(ArenaFpSettingsTest, HoldForWhatIsEnqueued) {
  tbb::task_arena arena(4);
  std::fesetround(FE_DOWNWARD);
  arena.initialize();
  std::fesetround(FE_TONEAREST);
  std::atomic<int> mode{-1};
  arena.enqueue([&mode] { mode = std::fegetround(); });
  while (mode == -1) std::this_thread::yield();
  EXPECT_EQ(mode, FE_DOWNWARD);
}

TEST_P(ArenaFpSettingsTest, AreRestoredAfterAnException) {
  tbb::task_arena arena(2);
  std::fesetround(FE_UPWARD);
  arena.initialize();
  std::fesetround(FE_TONEAREST);
  EXPECT_THROW(arena.execute([] {
    std::fesetround(FE_DOWNWARD);
    throw std::length_error("inside");
  }),
               std::length_error);
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

TEST_P(ArenaFpSettingsTest, WhatAFunctionChangesHoldsForItselfOnly) {
  tbb::task_arena arena(4);
  std::fesetround(FE_UPWARD);
  arena.initialize();
  std::fesetround(FE_TONEAREST);
  arena.execute([] {
    std::fesetround(FE_TOWARDZERO);
    ExpectLoopsRound(FE_UPWARD);
    EXPECT_EQ(std::fegetround(), FE_TOWARDZERO);
  });
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

TEST_P(ArenaFpSettingsTest, OfTheCallerTooAreAsAFunctionLeavesThem) {
  std::fesetround(FE_TONEAREST);
  tbb::task_arena arena(2);
  arena.initialize();
  arena.execute([] { std::fesetround(FE_UPWARD); });
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  std::fesetround(FE_TONEAREST);
}

// The thread itself runs a part of the loop, and that part shall round like the others.
TEST_P(ArenaFpSettingsTest, OfAThreadAreThoseOfItsFirstUse) {
  OnNewThread([] {
    std::fesetround(FE_UPWARD);
    const auto check = [] { EXPECT_EQ(std::fegetround(), FE_TONEAREST); };
    const auto check_part = [&check](const Range&) { check(); };

    ExpectLoopsRound(FE_TONEAREST);
    tbb::parallel_for(Range(0, 50), check_part);
    tbb::parallel_for(Range(0, 50), check_part, tbb::static_partitioner());
    tbb::affinity_partitioner affinity;
    tbb::parallel_for(Range(0, 50), check_part, affinity);
    const auto sum = [&check](const Range&, int) {
      check();
      return 1;
    };
    const auto join = [](int a, int b) { return a + b; };
    tbb::parallel_reduce(Range(0, 50), 0, sum, join);
    tbb::parallel_deterministic_reduce(Range(0, 50), 0, sum, join);
    tbb::parallel_scan(
        Range(0, 50), 0, [&](const Range& part, int so_far, bool) { return sum(part, so_far); },
        join);
    tbb::parallel_invoke(check, check, check);
    std::vector<int> items(50);
    tbb::parallel_for_each(items, [&check](int) { check(); });
    int left = 20;
    tbb::parallel_pipeline(
        4, tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order,
                                       [&](tbb::flow_control& control) {
                                         check();
                                         if (left == 0) control.stop();
                                         return left == 0 ? 0 : left--;
                                       }) &
               tbb::make_filter<int, void>(tbb::filter_mode::parallel, [&](int) { check(); }));
    EXPECT_EQ(std::fegetround(), FE_UPWARD);
  });
}

TEST_P(ArenaFpSettingsTest, OfAThreadHoldForItsGroups) {
  OnNewThread([] {
    std::fesetround(FE_UPWARD);
    const auto check = [] { EXPECT_EQ(std::fegetround(), FE_TONEAREST); };
    tbb::task_group group;
    for (int i = 0; i < 50; ++i) group.run(check);
    group.wait();
    group.run(check);
    group.run_and_wait(check);
    EXPECT_EQ(std::fegetround(), FE_UPWARD);
  });
}

// Who makes a group has used nothing yet.
TEST_P(ArenaFpSettingsTest, OfAThreadAreNotThoseOfBeforeItsFirstUse) {
  std::thread([] {
    tbb::task_group before;
    std::fesetround(FE_UPWARD);
    tbb::task_group after;
    ExpectLoopsRound(FE_UPWARD);
    std::fesetround(FE_DOWNWARD);
    ExpectLoopsRound(FE_UPWARD);
    const auto check = [] { EXPECT_EQ(std::fegetround(), FE_UPWARD); };
    for (tbb::task_group* const group : {&before, &after}) {
      for (int i = 0; i < 50; ++i) group->run(check);
      group->wait();
      group->run_and_wait(check);
    }
  }).join();
  std::thread([] {
    tbb::task_group group;
    std::fesetround(FE_UPWARD);
    for (int i = 0; i < 50; ++i) group.run([] { EXPECT_EQ(std::fegetround(), FE_UPWARD); });
    group.wait();
  }).join();
}

TEST_P(ArenaFpSettingsTest, HoldInIsolatedContextsThatHaveNone) {
  OnNewThread([] {
    std::fesetround(FE_UPWARD);
    task_group_context isolated(task_group_context::isolated);
    const auto check = [](int) { EXPECT_EQ(std::fegetround(), FE_TONEAREST); };
    tbb::parallel_for(0, 50, check, isolated);
    task_group_context bound;
    tbb::parallel_for(0, 50, check, bound);
    // Its own settings come first.
    task_group_context upward(task_group_context::isolated,
                              task_group_context::default_traits | task_group_context::fp_settings);
    tbb::parallel_for(
        0, 50, [](int) { EXPECT_EQ(std::fegetround(), FE_UPWARD); }, upward);
  });
}

// A context's settings end where another arena begins.
TEST_P(ArenaFpSettingsTest, HoldBelowContextsOfOtherArenas) {
  tbb::task_arena arena(2);
  std::fesetround(FE_DOWNWARD);
  arena.initialize();
  std::fesetround(FE_UPWARD);
  task_group_context upward(task_group_context::bound,
                            task_group_context::default_traits | task_group_context::fp_settings);
  std::fesetround(FE_TONEAREST);
  tbb::parallel_for(
      0, 10,
      [&](int) {
        EXPECT_EQ(std::fegetround(), FE_UPWARD);
        arena.execute([] {
          EXPECT_EQ(std::fegetround(), FE_DOWNWARD);
          ExpectLoopsRound(FE_DOWNWARD);
        });
        EXPECT_EQ(std::fegetround(), FE_UPWARD);
      },
      upward);
}

}  // namespace
