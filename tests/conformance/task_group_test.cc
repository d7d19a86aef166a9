#define TBB_PREVIEW_TASK_GROUP_EXTENSIONS 1

#include <tbb/parallel_for.h>
#include <tbb/task.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>

#include "gtest/gtest.h"
#include "tests/conformance/on_onetbb.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

static_assert(!std::is_copy_constructible_v<tbb::task_group>);
static_assert(std::is_default_constructible_v<tbb::task_handle>);
static_assert(std::is_move_constructible_v<tbb::task_handle>);
static_assert(std::is_move_assignable_v<tbb::task_handle>);
static_assert(!std::is_copy_constructible_v<tbb::task_handle>);
static_assert(!std::is_convertible_v<tbb::task_handle, bool>);

using TaskGroupTest = ParallelismTest;
INSTANTIATE_TEST_SUITE_P(Limits, TaskGroupTest, kLimits);

TEST_P(TaskGroupTest, WaitsForEverythingThatWasRun) {
  std::atomic<int> ran{0};
  tbb::task_group group;
  for (int i = 0; i < 1000; ++i) group.run([&] { ++ran; });
  EXPECT_EQ(group.wait(), tbb::complete);
  EXPECT_EQ(ran, 1000);
}

TEST_P(TaskGroupTest, WaitingForNothingIsComplete) {
  tbb::task_group group;
  EXPECT_EQ(group.wait(), tbb::complete);
  EXPECT_EQ(group.wait(), tbb::complete);
}

// Made in a loop, and used in one whose context is, perhaps, where the other one's was.
template <typename Make, typename Use>
void InLoopsOneAfterTheOther(const Make& make, const Use& use) {
  for (const bool is_first : {true, false}) {
    tbb::parallel_for(0, 1, [&](int) {
      if (is_first) return make();
      tbb::task::current_context()->cancel_group_execution();
      use();
    });
  }
}

TEST_P(TaskGroupTest, MayOutliveTheLoopThatMadeIt) {
  std::optional<tbb::task_group> group;
  InLoopsOneAfterTheOther([&] { group.emplace(); },
                          [&] { EXPECT_EQ(group->wait(), tbb::complete); });
  EXPECT_EQ(group->wait(), tbb::complete);
  int ran = 0;
  group->run([&] { ++ran; });
  EXPECT_EQ(group->wait(), tbb::complete);
  EXPECT_EQ(ran, 1);
}

TEST_P(TaskGroupTest, TasksMayOutliveTheLoopThatMadeTheirGroup) {
  // With oneTBB the group stands below a context that is gone.
  if (kOnOneTbb) GTEST_SKIP();
  std::optional<tbb::task_group> group;
  std::atomic<int> ran{0};
  InLoopsOneAfterTheOther(
      [&] {
        group.emplace();
        group->run([&] { ++ran; });
      },
      [&] { EXPECT_EQ(group->wait(), tbb::complete); });
  EXPECT_EQ(ran, 1);
}

TEST_P(TaskGroupTest, IsReusableAfterWait) {
  tbb::task_group group;
  for (int round = 1; round <= 50; ++round) {
    std::atomic<int> ran{0};
    for (int i = 0; i < round; ++i) group.run([&] { ++ran; });
    EXPECT_EQ(group.wait(), tbb::complete);
    ASSERT_EQ(ran, round);
  }
}

TEST_P(TaskGroupTest, RunAndWaitRunsTheFunctorAndWaitsForTheOthers) {
  std::atomic<int> ran{0};
  tbb::task_group group;
  group.run([&] { ++ran; });
  EXPECT_EQ(group.run_and_wait([&] {
    ++ran;
    group.run([&] { ++ran; });
  }),
            tbb::complete);
  EXPECT_EQ(ran, 3);
}

TEST_P(TaskGroupTest, TakesMoveOnlyFunctorsAndCallsThemAsConst) {
  struct Functor {
    explicit Functor(std::atomic<int>* result) : value(std::make_unique<int>(7)), out(result) {}
    Functor(Functor&&) = default;
    void operator()() const { *out = *value; }
    void operator()() { ADD_FAILURE() << "called as non-const"; }
    std::unique_ptr<int> value;
    std::atomic<int>* out;
  };
  std::atomic<int> result{0};
  tbb::task_group group;
  group.run(Functor(&result));
  group.wait();
  EXPECT_EQ(result, 7);
}

TEST_P(TaskGroupTest, DestroysEachFunctorOnceRunOrNot) {
  auto token = std::make_shared<int>(0);
  {
    tbb::task_group group;
    for (int i = 0; i < 100; ++i) group.run([token] {});
    group.wait();
    EXPECT_EQ(token.use_count(), 1);
    group.cancel();
    for (int i = 0; i < 100; ++i) group.run([token] {});
    EXPECT_EQ(group.wait(), tbb::canceled);
    EXPECT_EQ(token.use_count(), 1);
    const tbb::task_handle never_run = group.defer([token] {});
  }
  EXPECT_EQ(token.use_count(), 1);
}

TEST_P(TaskGroupTest, DefersClosuresOfAnySizeAndAlignment) {
  struct alignas(128) Aligned {
    int value;
  };
  struct Large {
    int value;
    char rest[5000];
  };
  std::atomic<int> sum{0};
  const auto defer = [&sum](tbb::task_group& group, const auto& payload) {
    return group.defer([&sum, payload] {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&payload) % alignof(decltype(payload)), 0u);
      sum += payload.value;
    });
  };
  tbb::task_group group;
  for (int i = 0; i < 20; ++i) {
    group.run(defer(group, Aligned{1}));
    group.run(defer(group, Large{10, {}}));
    const tbb::task_handle dropped = defer(group, Large{1000, {}});
  }
  EXPECT_EQ(group.wait(), tbb::complete);
  EXPECT_EQ(sum, 20 * 11);
}

TEST_P(TaskGroupTest, AClosureThatCannotBeCopiedLeavesNothingBehind) {
  struct Throws {
    Throws() = default;
    Throws(const Throws&) { throw std::runtime_error("no copy"); }
    void operator()() const { ADD_FAILURE() << "it was never made"; }
  };
  tbb::task_group group;
  const Throws closure;
  for (int i = 0; i < 100; ++i) EXPECT_THROW(group.defer(closure), std::runtime_error);
  EXPECT_EQ(group.wait(), tbb::complete);
}

TEST_P(TaskGroupTest, RunsFromInsideItsOwnTasks) {
  std::atomic<int> ran{0};
  tbb::task_group group;
  struct Tree {
    static void Grow(tbb::task_group* group, std::atomic<int>* ran, int depth) {
      ++*ran;
      if (depth == 0) return;
      group->run([=] { Grow(group, ran, depth - 1); });
      group->run([=] { Grow(group, ran, depth - 1); });
    }
  };
  group.run([&] { Tree::Grow(&group, &ran, 9); });
  EXPECT_EQ(group.wait(), tbb::complete);
  EXPECT_EQ(ran, 1023);
}

TEST_P(TaskGroupTest, AChainOfRunsDoesNotDeepenTheStack) {
  std::atomic<int> left{100000};
  tbb::task_group group;
  struct Link {
    tbb::task_group* group;
    std::atomic<int>* left;
    void operator()() const {
      if (--*left > 0) group->run(Link{group, left});
    }
  };
  group.run(Link{&group, &left});
  EXPECT_EQ(group.wait(), tbb::complete);
  EXPECT_EQ(left, 0);
}

int Fib(int n) {
  if (n < 2) return n;
  int a;  // no compiler warns that it may stay so
  int b;
  tbb::task_group group;
  group.run([&a, n] { a = Fib(n - 1); });
  group.run_and_wait([&b, n] { b = Fib(n - 2); });
  return a + b;
}

TEST_P(TaskGroupTest, Recurses) { EXPECT_EQ(Fib(18), 2584); }

TEST_P(TaskGroupTest, RethrowsTheFirstExceptionAndIsReusableAfterwards) {
  tbb::task_group group;
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 20; ++i) {
      group.run([i] {
        if (i % 5 == 3) throw std::underflow_error("from a task");
      });
    }
    EXPECT_THROW(group.wait(), std::underflow_error);
    EXPECT_EQ(group.wait(), tbb::complete);
    std::atomic<int> ran{0};
    for (int i = 0; i < 20; ++i) group.run([&] { ++ran; });
    EXPECT_EQ(group.wait(), tbb::complete);
    EXPECT_EQ(ran, 20);
  }
  EXPECT_THROW(group.run_and_wait([] { throw 4; }), int);
  EXPECT_EQ(group.wait(), tbb::complete);
}

TEST_P(TaskGroupTest, AnExceptionInAnInnerGroupReachesTheOuterWait) {
  tbb::task_group outer;
  outer.run([] {
    tbb::task_group inner;
    inner.run([] { throw std::runtime_error("inner"); });
    inner.wait();
  });
  EXPECT_THROW(outer.wait(), std::runtime_error);
}

TEST_P(TaskGroupTest, CancelReportsCanceledOnce) {
  tbb::task_group group;
  std::atomic<int> ran{0};
  group.cancel();
  for (int i = 0; i < 10; ++i) group.run([&] { ++ran; });
  EXPECT_EQ(group.wait(), tbb::canceled);
  EXPECT_EQ(ran, 0);
  for (int i = 0; i < 10; ++i) group.run([&] { ++ran; });
  EXPECT_EQ(group.wait(), tbb::complete);
  EXPECT_EQ(ran, 10);
}

TEST_P(TaskGroupTest, ATaskSeesThatItsGroupIsCancelled) {
  tbb::task_group group;
  std::atomic<bool> seen{false};
  EXPECT_EQ(group.run_and_wait([&] {
    EXPECT_FALSE(tbb::is_current_task_group_canceling());
    group.cancel();
    seen = tbb::is_current_task_group_canceling();
  }),
            tbb::canceled);
  EXPECT_TRUE(seen);
  EXPECT_FALSE(tbb::is_current_task_group_canceling());
}

TEST_P(TaskGroupTest, CancellationReachesGroupsInsideItsTasks) {
  tbb::task_group outer;
  std::atomic<int> ran{0};
  const tbb::task_group_status status = outer.run_and_wait([&] {
    tbb::task_group inner;
    outer.cancel();
    for (int i = 0; i < 10; ++i) inner.run([&] { ++ran; });
    EXPECT_EQ(inner.wait(), tbb::canceled);
  });
  EXPECT_EQ(status, tbb::canceled);
  EXPECT_EQ(ran, 0);
}

TEST_P(TaskGroupTest, DestroyedWithWorkOutstandingItCancelsWaitsAndThrows) {
  std::atomic<int> inside{0};
  EXPECT_THROW(
      {
        tbb::task_group group;
        for (int i = 0; i < 100; ++i) {
          group.run([&] {
            ++inside;
            // Else other threads could have done it all before the end.
            while (!tbb::is_current_task_group_canceling()) std::this_thread::yield();
            --inside;
          });
        }
      },
      tbb::missing_wait);
  EXPECT_EQ(inside, 0);
}

TEST_P(TaskGroupTest, DestroyedWhileUnwindingItThrowsNothingMore) {
  try {
    tbb::task_group group;
    group.run([] {});
    throw std::domain_error("the first");
  } catch (const std::domain_error& error) {
    EXPECT_STREQ(error.what(), "the first");
  }
}

TEST_P(TaskGroupTest, RunsDeferredTasks) {
  std::atomic<int> ran{0};
  tbb::task_group group;
  tbb::task_handle handle = group.defer([&] { ++ran; });
  EXPECT_TRUE(static_cast<bool>(handle));
  EXPECT_TRUE(handle != nullptr);
  EXPECT_FALSE(nullptr == handle);
  tbb::task_handle other = std::move(handle);
  EXPECT_TRUE(handle == nullptr);
  EXPECT_EQ(ran, 0);
  group.run(std::move(other));
  EXPECT_FALSE(static_cast<bool>(other));
  EXPECT_EQ(group.wait(), tbb::complete);
  EXPECT_EQ(ran, 1);
  EXPECT_EQ(group.run_and_wait(group.defer([&] { ++ran; })), tbb::complete);
  EXPECT_EQ(ran, 2);
}

TEST_P(TaskGroupTest, ADroppedHandleIsNoLongerWaitedFor) {
  std::atomic<int> ran{0};
  tbb::task_group group;
  {
    tbb::task_handle dropped = group.defer([&] { ++ran; });
    tbb::task_handle replaced = group.defer([&] { ++ran; });
    replaced = tbb::task_handle();
  }
  EXPECT_EQ(group.wait(), tbb::complete);
  EXPECT_EQ(ran, 0);
}

TEST_P(TaskGroupTest, SharesAContextThatTheCallerOwns) {
  tbb::task_group_context context;
  {
    tbb::task_group group(context);
    std::atomic<int> ran{0};
    group.run([&] { ++ran; });
    EXPECT_EQ(group.wait(), tbb::complete);
    EXPECT_EQ(ran, 1);
    context.cancel_group_execution();
    group.run([&] { ++ran; });
    EXPECT_EQ(group.wait(), tbb::canceled);
    EXPECT_EQ(ran, 1);
  }
}

TEST_P(TaskGroupTest, WhatTheTasksWroteIsVisibleAfterWait) {
  for (int round = 0; round < 200; ++round) {
    int plain[8] = {};
    tbb::task_group group;
    for (int i = 0; i < 8; ++i) group.run([&plain, i, round] { plain[i] = round + i; });
    group.wait();
    for (int i = 0; i < 8; ++i) ASSERT_EQ(plain[i], round + i);
  }
}

TEST_P(TaskGroupTest, MixesWithAlgorithms) {
  std::atomic<int> ran{0};
  tbb::task_group group;
  for (int i = 0; i < 10; ++i) {
    group.run([&] { tbb::parallel_for(0, 100, [&](int) { ++ran; }); });
  }
  tbb::parallel_for(0, 10, [&](int) { group.run([&] { ++ran; }); });
  group.wait();
  EXPECT_EQ(ran, 1010);
}

// A preview of oneTBB: the body returns what is to run next.
TEST_P(TaskGroupTest, AHandleThatABodyReturnsIsRun) {
  tbb::task_group group;
  std::atomic<int> ran{0};
  const auto last = [&] { ++ran; };
  const auto returns_one = [&] {
    ++ran;
    return group.defer(last);
  };
  group.run(returns_one);
  EXPECT_EQ(group.wait(), tbb::complete);
  EXPECT_EQ(ran, 2);
  group.run(group.defer(returns_one));
  EXPECT_EQ(group.wait(), tbb::complete);
  EXPECT_EQ(ran, 4);
  group.run([&] {
    ++ran;
    return tbb::task_handle();
  });
  EXPECT_EQ(group.wait(), tbb::complete);
  EXPECT_EQ(ran, 5);
  group.run_and_wait(returns_one);
  EXPECT_EQ(group.wait(), tbb::complete);
  EXPECT_EQ(ran, 7);
}

TEST_P(TaskGroupTest, CancellationAboveConcernsIfSomethingRan) {
  tbb::task_group_context context;
  tbb::parallel_for(
      0, 1,
      [&](int) {
        tbb::task_group idle;
        tbb::task_group used;
        used.run([] {});
        EXPECT_EQ(used.wait(), tbb::complete);
        context.cancel_group_execution();
        EXPECT_TRUE(tbb::is_current_task_group_canceling());
        EXPECT_EQ(idle.wait(), tbb::complete);
        tbb::task_group late;
        late.run([] { FAIL(); });
        EXPECT_EQ(late.wait(), tbb::canceled);
        idle.run([] { FAIL(); });
        EXPECT_EQ(idle.wait(), tbb::canceled);
      },
      context);
}

TEST_P(TaskGroupTest, CancellationAboveConcernsWhatWasEnqueued) {
  tbb::task_arena arena(2);
  const auto idle = std::make_unique<tbb::task_group>();  // may outlive what it runs in
  tbb::task_group_context context;
  tbb::parallel_for(
      0, 1,
      [&](int) {
        tbb::task_group local;
        arena.enqueue(local.defer([] {}));
        tbb::this_task_arena::enqueue(idle->defer([] {}));
        context.cancel_group_execution();
        EXPECT_EQ(local.wait(), tbb::canceled);
        EXPECT_EQ(idle->wait(), tbb::canceled);
      },
      context);
  arena.enqueue(idle->defer([] {}));
  EXPECT_EQ(idle->wait(), tbb::complete);
}

TEST_P(TaskGroupTest, ADeferredTaskThatWasEnqueuedRunsMore) {
  tbb::task_arena arena(2);
  std::atomic<int> ran{0};
  tbb::task_group_context cancelled;
  cancelled.cancel_group_execution();
  tbb::task_group group;
  arena.enqueue(group.defer([&] {
    group.run([&] { ++ran; });
    tbb::parallel_for(0, 1, [&](int) { group.run([&] { ++ran; }); });
    ++ran;
  }));
  EXPECT_EQ(group.wait(), tbb::complete);
  EXPECT_EQ(ran, 3);
}

// A context of the caller's and one of its own, where the group is made outside of any task.
TEST_P(TaskGroupTest, OneThatWasMadeOutsideRunsInTasks) {
  tbb::task_group_context context;
  tbb::task_group with_context(context);
  tbb::task_group own;
  for (int round = 0; round < 3; ++round) {
    std::atomic<int> ran{0};
    tbb::parallel_for(0, 1, [&](int) {
      with_context.run([&] { ++ran; });
      own.run([&] { ++ran; });
    });
    EXPECT_EQ(with_context.run_and_wait([&] { ++ran; }), tbb::complete);
    EXPECT_EQ(own.run_and_wait([&] { ++ran; }), tbb::complete);
    EXPECT_EQ(ran, 4);
  }
  context.cancel_group_execution();
  with_context.run([] { FAIL(); });
  EXPECT_EQ(with_context.wait(), tbb::canceled);
}

// Also where the group and what it runs outlive the loop in which it was made.
TEST_P(TaskGroupTest, MayOutliveTheContextItWasMadeIn) {
  for (int round = 0; round < 20; ++round) {
    std::unique_ptr<tbb::task_group> group;
    std::atomic<int> ran{0};
    tbb::parallel_for(0, 1, [&](int) {
      tbb::parallel_for(0, 1, [&](int) {
        group = std::make_unique<tbb::task_group>();
        group->run([&] { ++ran; });
      });
    });
    // What lies now where the loop had its context: a cancelled one.
    tbb::task_group_context cancelled[8];
    for (tbb::task_group_context& context : cancelled) context.cancel_group_execution();
    group->run([&] { ++ran; });
    EXPECT_EQ(group->wait(), tbb::complete);
    EXPECT_EQ(ran, 2);
  }
}

TEST_P(TaskGroupTest, IsMadeOfAContextByAssignmentToo) {
  tbb::task_group_context context;
  tbb::task_group group = context;
  std::atomic<int> ran{0};
  group.run_and_wait([&] { ++ran; });
  EXPECT_EQ(ran, 1);
}

}  // namespace
