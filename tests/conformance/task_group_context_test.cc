#include <tbb/blocked_range.h>
#include <tbb/blocked_range2d.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_for_each.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/parallel_reduce.h>
#include <tbb/partitioner.h>
#include <tbb/task.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/on_onetbb.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

static_assert(!std::is_copy_constructible_v<tbb::task_group_context>);

using TaskGroupContextTest = ParallelismTest;
INSTANTIATE_TEST_SUITE_P(Limits, TaskGroupContextTest, kLimits);

TEST_P(TaskGroupContextTest, OnlyTheFirstCancellationIsReported) {
  tbb::task_group_context context;
  EXPECT_FALSE(context.is_group_execution_cancelled());
  EXPECT_TRUE(context.cancel_group_execution());
  EXPECT_FALSE(context.cancel_group_execution());
  EXPECT_TRUE(context.is_group_execution_cancelled());
  context.reset();
  EXPECT_FALSE(context.is_group_execution_cancelled());
  EXPECT_TRUE(context.cancel_group_execution());
}

TEST_P(TaskGroupContextTest, TheEntryPointsOfTheLibraryAreItsMembers) {
  tbb::task_group_context context;
  EXPECT_FALSE(tbb::detail::r1::is_group_execution_cancelled(context));
  EXPECT_TRUE(tbb::detail::r1::cancel_group_execution(context));
  EXPECT_FALSE(tbb::detail::r1::cancel_group_execution(context));
  EXPECT_TRUE(tbb::detail::r1::is_group_execution_cancelled(context));
  EXPECT_TRUE(context.is_group_execution_cancelled());
  tbb::detail::r1::reset(context);
  EXPECT_FALSE(context.is_group_execution_cancelled());
}

TEST_P(TaskGroupContextTest, StaysCancelledAfterTheAlgorithm) {
  tbb::task_group_context context;
  tbb::parallel_for(
      0, 100, [&](int) { context.cancel_group_execution(); }, context);
  EXPECT_TRUE(context.is_group_execution_cancelled());
}

// One thread takes many parts at once from a loop that is its own, and still looks at the
// context between them.
TEST_P(TaskGroupContextTest, AThreadBeginsNoPartOfALoopThatItHasCancelled) {
  tbb::task_arena alone(1);
  for (const int grain : {1, 7}) {
    tbb::task_group_context context;
    int ran = 0;  // by one thread
    const auto cancel = [&](const tbb::blocked_range<int>&) {
      ++ran;
      context.cancel_group_execution();
    };
    const auto cancel_and_sum = [&](const tbb::blocked_range<int>& part, int sum) {
      cancel(part);
      return sum;
    };
    const tbb::blocked_range<int> range(0, 1000, static_cast<std::size_t>(grain));
    alone.execute([&] { tbb::parallel_for(range, cancel, tbb::simple_partitioner(), context); });
    EXPECT_EQ(ran, 1);
    context.reset();
    alone.execute([&] { tbb::parallel_for(range, cancel, tbb::static_partitioner(), context); });
    EXPECT_EQ(ran, 2);
    context.reset();
    alone.execute([&] {
      tbb::parallel_reduce(range, 0, cancel_and_sum, std::plus<int>(), tbb::simple_partitioner(),
                           context);
    });
    EXPECT_EQ(ran, 3);
  }
}

TEST_P(TaskGroupContextTest, AnExceptionCancelsIt) {
  tbb::task_group_context context;
  EXPECT_THROW(tbb::parallel_for(
                   0, 100, [](int) { throw std::logic_error("x"); }, context),
               std::logic_error);
  EXPECT_TRUE(context.is_group_execution_cancelled());
  context.reset();
  std::atomic<int> ran{0};
  tbb::parallel_for(
      0, 100, [&](int) { ++ran; }, context);
  EXPECT_EQ(ran, 100);
}

// Calls check(call) with each algorithm, which runs `body`, for something or for nothing.
template <typename Check>
void ForEachAlgorithm(tbb::task_group_context& context, int size, const std::function<void()>& body,
                      const Check& check) {
  const auto on_part = [&](const auto&) { body(); };
  const auto on_value = [&](const auto&, int value) {
    body();
    return value;
  };
  const tbb::blocked_range<int> range(0, size);
  const tbb::blocked_range2d<int> square(0, size, 0, size);
  const std::list<int> list(static_cast<std::size_t>(size));
  const std::vector<int> items(static_cast<std::size_t>(size));
  tbb::affinity_partitioner affinity;
  check([&] { tbb::parallel_for(0, size, on_part, context); });
  check([&] { tbb::parallel_for(range, on_part, context); });
  check([&] { tbb::parallel_for(range, on_part, tbb::simple_partitioner(), context); });
  check([&] { tbb::parallel_for(range, on_part, tbb::static_partitioner(), context); });
  check([&] { tbb::parallel_for(range, on_part, affinity, context); });
  check([&] { tbb::parallel_for(square, on_part, context); });
  check([&] { tbb::parallel_for(square, on_part, tbb::static_partitioner(), context); });
  check([&] { tbb::parallel_reduce(range, 0, on_value, std::plus<int>(), context); });
  check([&] { tbb::parallel_reduce(square, 0, on_value, std::plus<int>(), context); });
  check([&] { tbb::parallel_deterministic_reduce(range, 0, on_value, std::plus<int>(), context); });
  check([&] { tbb::parallel_for_each(items, on_part, context); });
  check([&] { tbb::parallel_for_each(list, on_part, context); });
  if (size == 0) return;  // there is no pipeline of nothing
  check([&] { tbb::parallel_invoke(body, body, context); });
  check([&] { tbb::parallel_invoke(body, body, body, body, context); });
  check([&] {
    tbb::parallel_pipeline(2,
                           tbb::make_filter<void, void>(tbb::filter_mode::serial_in_order,
                                                        [&](tbb::flow_control& flow) {
                                                          body();
                                                          flow.stop();
                                                        }),
                           context);
  });
}

TEST_P(TaskGroupContextTest, AnExceptionIsThrownByEveryAlgorithmUntilReset) {
  std::atomic<int> ran{0};
  const std::function<void()> count = [&ran] { ++ran; };
  const std::function<void()> fail = [] { throw std::logic_error("x"); };
  tbb::task_group_context first;
  ForEachAlgorithm(first, 10, fail, [&](const auto& call) {
    first.reset();
    EXPECT_THROW(call(), std::logic_error);
    EXPECT_TRUE(first.is_group_execution_cancelled());
    EXPECT_THROW(tbb::parallel_for(
                     0, 10, [&](int) { ++ran; }, first),
                 std::logic_error);
  });
  tbb::task_group_context context;
  EXPECT_THROW(tbb::parallel_for(
                   0, 10, [](int) { throw std::logic_error("x"); }, context),
               std::logic_error);
  ForEachAlgorithm(context, 10, count,
                   [](const auto& call) { EXPECT_THROW(call(), std::logic_error); });
  ForEachAlgorithm(context, 0, count, [](const auto& call) { EXPECT_NO_THROW(call()); });
  EXPECT_EQ(ran, 0);
  context.reset();
  ForEachAlgorithm(context, 10, count, [](const auto& call) { EXPECT_NO_THROW(call()); });
  EXPECT_GT(ran, 0);
}

TEST_P(TaskGroupContextTest, AlgorithmsDoNothingInOneThatWasCancelledUntilReset) {
  std::atomic<int> ran{0};
  const std::function<void()> count = [&ran] { ++ran; };
  tbb::task_group_context context;
  ForEachAlgorithm(context, 10, count, [&](const auto& call) {
    context.cancel_group_execution();
    EXPECT_NO_THROW(call());
    EXPECT_EQ(ran, 0);
    EXPECT_TRUE(context.is_group_execution_cancelled());
    context.reset();
    call();
    EXPECT_NE(ran.exchange(0), 0);
  });
}

TEST_P(TaskGroupContextTest, WhoCatchesAnExceptionInAnInnerAlgorithmHearsOfItOutside) {
  tbb::task_group_context context;
  const auto inner = [&](const auto&...) {
    EXPECT_THROW(tbb::parallel_for(
                     0, 10, [](int) { throw std::logic_error("x"); }, context),
                 std::logic_error);
  };
  EXPECT_THROW(tbb::parallel_for(0, 1, inner, context), std::logic_error);
  context.reset();
  EXPECT_THROW(tbb::parallel_invoke(
                   inner, [] {}, context),
               std::logic_error);
}

TEST_P(TaskGroupContextTest, AGroupThatHasThrownIsAsNew) {
  tbb::task_group_context context;
  EXPECT_THROW(tbb::parallel_for(
                   0, 10, [](int) { throw std::logic_error("x"); }, context),
               std::logic_error);
  tbb::task_group group(context);
  group.run([] { FAIL(); });
  EXPECT_THROW(group.wait(), std::logic_error);
  EXPECT_FALSE(context.is_group_execution_cancelled());
  std::atomic<int> ran{0};
  EXPECT_EQ(group.run_and_wait([&ran] { ++ran; }), tbb::complete);
  EXPECT_EQ(ran, 1);
}

TEST_P(TaskGroupContextTest, CancellationFlowsToBoundChildren) {
  tbb::task_group_context outer;
  std::atomic<bool> inner_was_cancelled{false};
  std::atomic<int> leaves{0};
  tbb::parallel_for(
      0, 1,
      [&](int) {
        tbb::task_group_context inner(tbb::task_group_context::bound);
        tbb::parallel_for(
            0, 1000,
            [&](int) {
              if (leaves++ == 0) {
                outer.cancel_group_execution();
                inner_was_cancelled = inner.is_group_execution_cancelled();
              }
            },
            tbb::simple_partitioner(), inner);
      },
      outer);
  EXPECT_TRUE(inner_was_cancelled);
  EXPECT_LT(leaves, 1000);
}

// Two loops with one context, each in a task of the same outer one.  The one that begins first
// ends first.
class TwoUsersTest : public TaskGroupContextTest {
 protected:
  ~TwoUsersTest() override { EXPECT_TRUE(outer_.is_group_execution_cancelled()); }

  // Calls second(), in a task of the context that both use, when the first user has come; it
  // calls EndFirst().
  template <typename F>
  void Run(const F& second) {
    std::thread first([&] {
      tbb::parallel_for(
          0, 1,
          [&](int) {
            tbb::parallel_for(
                0, 1,
                [&](int) {
                  step_ = kFirstIsThere;
                  Await(kSecondIsThere);
                },
                context_);
            step_ = kFirstIsOver;
          },
          outer_);
      Await(kSecondIsOver);  // oneTBB forgets what a thread has bound that ends
    });
    Await(kFirstIsThere);
    tbb::parallel_for(
        0, 1,
        [&](int) {
          tbb::parallel_for(
              0, 1, [&](int) { second(); }, context_);
        },
        outer_);
    step_ = kSecondIsOver;
    first.join();
  }
  void EndFirst() {
    step_ = kSecondIsThere;
    Await(kFirstIsOver);
  }

  tbb::task_group_context outer_;
  tbb::task_group_context context_;

 private:
  enum Step { kNothing, kFirstIsThere, kSecondIsThere, kFirstIsOver, kSecondIsOver };

  void Await(Step step) {
    while (step_ < step) std::this_thread::yield();
  }

  std::atomic<int> step_{kNothing};
};
INSTANTIATE_TEST_SUITE_P(Limits, TwoUsersTest, kLimits);

TEST_P(TwoUsersTest, WhatIsCancelledAboveReachesTheLastOne) {
  bool was_cancelled = false;
  Run([&] {
    EndFirst();
    EXPECT_FALSE(context_.is_group_execution_cancelled());
    outer_.cancel_group_execution();
    was_cancelled = context_.is_group_execution_cancelled();
  });
  EXPECT_TRUE(was_cancelled);
}

TEST_P(TwoUsersTest, WhatStandsBelowStaysThere) {
  int ran = 0;
  Run([&] {
    const auto group = std::make_unique<tbb::task_group>();
    group->run([&] { ++ran; });
    EndFirst();
    context_.cancel_group_execution();
    group->run([] { FAIL(); });
    EXPECT_EQ(group->wait(), tbb::canceled);
    outer_.cancel_group_execution();
  });
  EXPECT_LE(ran, 1);
}

TEST_P(TaskGroupContextTest, AnyNumberOfThreadsMayUseOneWithinTasksOfTheirOwn) {
  constexpr int kThreads = 4;
  constexpr int kTimes = 200;
  tbb::task_group_context shared;
  std::atomic<int> ran{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int time = 0; time < kTimes; ++time) {
        tbb::parallel_for(0, 2, [&](int) {
          if (time % 4 == 0) {
            tbb::task_group group(shared);
            group.run([&] { ++ran; });
            group.wait();
          } else {
            tbb::parallel_for(
                0, 1, [&](int) { ++ran; }, shared);
          }
        });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ran, 2 * kThreads * kTimes);
  EXPECT_FALSE(shared.is_group_execution_cancelled());
}

TEST_P(TaskGroupContextTest, OneThatIsUsedOutsideOfTasksFirstIsIsolated) {
  tbb::task_group_context context;
  const auto group = std::make_unique<tbb::task_group>();
  int ran = 0;
  const auto use = [&] {
    tbb::parallel_for(
        0, 1, [&](int) { ++ran; }, context);
    group->run([&] { ++ran; });
    EXPECT_EQ(group->wait(), tbb::complete);
  };
  use();
  tbb::task_group_context outer;
  tbb::parallel_for(
      0, 1,
      [&](int) {
        outer.cancel_group_execution();
        use();
      },
      outer);
  EXPECT_FALSE(context.is_group_execution_cancelled());
  use();
  EXPECT_EQ(ran, 6);
}

TEST_P(TaskGroupContextTest, CancellationDoesNotReachIsolatedChildren) {
  tbb::task_group_context outer;
  std::atomic<int> leaves{0};
  tbb::parallel_for(
      0, 1,
      [&](int) {
        tbb::task_group_context inner(tbb::task_group_context::isolated);
        outer.cancel_group_execution();
        tbb::parallel_for(
            0, 1000, [&](int) { ++leaves; }, inner);
        EXPECT_FALSE(inner.is_group_execution_cancelled());
      },
      outer);
  EXPECT_EQ(leaves, 1000);
}

TEST_P(TaskGroupContextTest, CancellationDoesNotFlowToParents) {
  tbb::task_group_context outer;
  std::atomic<int> bodies{0};
  tbb::parallel_for(
      0, 50,
      [&](int) {
        tbb::task_group_context inner;
        tbb::parallel_for(
            0, 10, [&](int) { inner.cancel_group_execution(); }, inner);
        EXPECT_TRUE(inner.is_group_execution_cancelled());
        ++bodies;
      },
      outer);
  EXPECT_EQ(bodies, 50);
  EXPECT_FALSE(outer.is_group_execution_cancelled());
}

TEST_P(TaskGroupContextTest, AnAlgorithmWithoutContextHasItsOwn) {
  tbb::task_group_context outer;
  std::atomic<int> bodies{0};
  tbb::parallel_for(
      0, 20,
      [&](int) {
        EXPECT_THROW(tbb::parallel_for(0, 10, [](int) { throw 1; }), int);
        ++bodies;
      },
      outer);
  EXPECT_EQ(bodies, 20);
  EXPECT_FALSE(outer.is_group_execution_cancelled());
}

TEST_P(TaskGroupContextTest, MayBeCancelledFromAThreadOfTheProgram) {
  tbb::task_group_context context;
  std::atomic<bool> started{false};
  std::thread canceller([&] {
    while (!started.load()) std::this_thread::yield();
    context.cancel_group_execution();
  });
  tbb::parallel_for(
      0, 1,
      [&](int) {
        started = true;
        while (!tbb::is_current_task_group_canceling()) std::this_thread::yield();
      },
      context);
  canceller.join();
  EXPECT_TRUE(context.is_group_execution_cancelled());
}

TEST_P(TaskGroupContextTest, MayLiveAsLongAsItsOwnerLikes) {
  auto context = std::make_unique<tbb::task_group_context>(tbb::task_group_context::isolated,
                                                           tbb::task_group_context::default_traits);
  std::atomic<int> ran{0};
  for (int repeat = 0; repeat < 20; ++repeat) {
    tbb::parallel_for(
        0, 10, [&](int) { ++ran; }, *context);
  }
  EXPECT_EQ(ran, 200);
  tbb::task_group_context never_used;
  EXPECT_FALSE(never_used.is_group_execution_cancelled());
}

// A loop with a context of its own in a task of a group looks at the contexts above.
void RunLoopWithContext(std::atomic<int>& ran) {
  tbb::task_group_context context;
  tbb::parallel_for(
      0, 10, [&](int) { ++ran; }, context);
}

TEST_P(TaskGroupContextTest, AGroupMayBeFilledInALoopAndWaitedForAfterIt) {
  std::atomic<int> ran{0};
  tbb::task_group_context cancelled;  // everybody looks for cancellation
  cancelled.cancel_group_execution();
  for (int repeat = 0; repeat < 20; ++repeat) {
    tbb::task_group group;
    tbb::task_group_context context;
    tbb::task_group other(context);
    tbb::parallel_for(0, 10, [&](int) {
      group.run([&] { RunLoopWithContext(ran); });
      other.run([&] { RunLoopWithContext(ran); });
    });
    EXPECT_EQ(group.wait(), tbb::complete);
    EXPECT_EQ(other.wait(), tbb::complete);
  }
  EXPECT_EQ(ran, 20 * 2 * 10 * 10);
}

TEST_P(TaskGroupContextTest, AGroupMayBeFilledInAnArenaAndWaitedForInAnother) {
  if (kOnOneTbb && limit() == 1) GTEST_SKIP() << "oneTBB hangs where no worker is allowed";
  std::atomic<int> ran{0};
  tbb::task_arena first(2);
  tbb::task_arena second(2);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const auto group = first.execute([] { return std::make_unique<tbb::task_group>(); });
    first.execute([&] { group->run([&] { RunLoopWithContext(ran); }); });
    second.execute([&] { group->run([&] { RunLoopWithContext(ran); }); });
    if (repeat % 2 == 0) {
      first.execute([&] { EXPECT_EQ(group->wait(), tbb::complete); });
    } else {
      second.execute([&] { EXPECT_EQ(group->wait(), tbb::complete); });
    }
  }
  EXPECT_EQ(ran, 20 * 2 * 10);
}

TEST_P(TaskGroupContextTest, ALoopThatIsCancelledCancelsTheGroupThatItFilled) {
  tbb::task_group group;
  tbb::parallel_for(0, 1, [&](int) {
    group.run([] {});
    tbb::task::current_context()->cancel_group_execution();
  });
  EXPECT_EQ(group.wait(), tbb::canceled);
  // The group is as new after the wait.
  std::atomic<int> ran{0};
  group.run([&] { ++ran; });
  EXPECT_EQ(group.wait(), tbb::complete);
  EXPECT_EQ(ran, 1);
}

}  // namespace
