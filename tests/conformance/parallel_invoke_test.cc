#include <tbb/global_control.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_group.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

using ParallelInvokeTest = ParallelismTest;
INSTANTIATE_TEST_SUITE_P(Limits, ParallelInvokeTest, kLimits);

template <std::size_t... Is, typename... Tail>
void InvokeEach(std::vector<std::atomic<int>>* ran, std::index_sequence<Is...>, Tail&... tail) {
  tbb::parallel_invoke([ran] { ++(*ran)[Is]; }..., tail...);
}

template <std::size_t N>
void InvokesAll() {
  tbb::task_group_context context;
  std::vector<std::atomic<int>> ran(N);
  InvokeEach(&ran, std::make_index_sequence<N>());
  for (const std::atomic<int>& count : ran) EXPECT_EQ(count, 1) << N;
  InvokeEach(&ran, std::make_index_sequence<N>(), context);
  for (const std::atomic<int>& count : ran) EXPECT_EQ(count, 2) << N << " with a context";
}

TEST_P(ParallelInvokeTest, RunsEachFunctorOnce) {
  InvokesAll<2>();
  InvokesAll<3>();
  InvokesAll<4>();
  InvokesAll<5>();
  InvokesAll<6>();
  InvokesAll<7>();
  InvokesAll<8>();
  InvokesAll<9>();
  InvokesAll<10>();
  InvokesAll<13>();
  InvokesAll<20>();
}

TEST_P(ParallelInvokeTest, IgnoresResultsAndTakesFunctionsAndMoveOnlyFunctors) {
  static std::atomic<int> calls;
  calls = 0;
  struct Local {
    static void Function() { ++calls; }
  };
  auto owned = std::make_unique<int>(5);
  std::atomic<int> seen{0};
  const auto constant = [] { ++calls; };
  tbb::parallel_invoke([&]() -> int { return ++calls; }, &Local::Function, Local::Function,
                       [&seen, owned = std::move(owned)] { seen = *owned; }, constant);
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(seen, 5);
}

// Its bytes may be copied, but it may not.
struct Uncopied {
  explicit Uncopied(std::atomic<int>* count) : calls(count) {}
  Uncopied(const Uncopied&) = delete;
  void operator()() const { ++*calls; }

  std::atomic<int>* calls;
};

TEST_P(ParallelInvokeTest, TakesFunctorsThatNeitherCopyNorMove) {
  std::atomic<int> calls{0};
  tbb::parallel_invoke(Uncopied(&calls), Uncopied(&calls));
  tbb::parallel_invoke(Uncopied(&calls), Uncopied(&calls), Uncopied(&calls));
  EXPECT_EQ(calls, 5);
}

// Tells which of its operators was called.
struct OfTwo {
  void operator()() { ++*others; }
  void operator()() const { ++*constants; }

  std::atomic<int>* constants;
  std::atomic<int>* others;
};

TEST_P(ParallelInvokeTest, CallsFunctorsAsConstants) {
  std::atomic<int> constants{0};
  std::atomic<int> others{0};
  OfTwo named{&constants, &others};
  tbb::parallel_invoke(named, OfTwo{&constants, &others}, named);
  EXPECT_EQ(constants, 3);
  EXPECT_EQ(others, 0);
}

#ifndef CONFORMANCE_ON_ONETBB  // which calls constants only
TEST_P(ParallelInvokeTest, TakesFunctorsThatChange) {
  int first = 0;
  int second = 0;
  auto named = [&first, calls = 0]() mutable { first = ++calls; };
  tbb::parallel_invoke(named, [&second, calls = 0]() mutable { second = ++calls; });
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 1);
}
#endif

// A program's own function of the name of one of ours.
struct Job {
  void operator()() const { ++*calls; }

  std::atomic<int>* calls;
};
template <typename F>
void RunGuarded(const F&) {}

TEST_P(ParallelInvokeTest, CallsNoFunctionsOfTheNamespaceOfAFunctor) {
  std::atomic<int> calls{0};
  tbb::parallel_invoke(Job{&calls}, Job{&calls});
  EXPECT_EQ(calls, 2);
}

int Fib(int n) {
  if (n < 2) return n;
  int a;  // no compiler warns that it may stay so
  int b;
  tbb::parallel_invoke([&] { a = Fib(n - 1); }, [&] { b = Fib(n - 2); });
  return a + b;
}

// Who halves an odd number of things often has the larger part last.
TEST(ParallelInvokeOrderTest, AThreadAloneBeginsWithTheLastFunctor) {
  const tbb::global_control alone(tbb::global_control::max_allowed_parallelism, 1);
  std::vector<int> order;
  const auto add = [&order](int i) { return [&order, i] { order.push_back(i); }; };
  tbb::parallel_invoke(add(1), add(2));
  tbb::parallel_invoke(add(3), add(4), add(5));
  tbb::task_group_context context;
  tbb::parallel_invoke(add(6), add(7), context);
  EXPECT_EQ(order, (std::vector<int>{2, 1, 5, 4, 3, 7, 6}));
}

TEST_P(ParallelInvokeTest, Recurses) { EXPECT_EQ(Fib(20), 6765); }

TEST_P(ParallelInvokeTest, RecursesDeepOnOneSide) {
  struct Chain {
    static int Run(int depth) {
      if (depth == 0) return 0;
      int rest = 0;
      int one = 0;
      tbb::parallel_invoke([&] { rest = Run(depth - 1); }, [&] { one = 1; });
      return rest + one;
    }
  };
  EXPECT_EQ(Chain::Run(1000), 1000);
}

TEST_P(ParallelInvokeTest, RethrowsFromAnyPosition) {
  for (int thrower = 0; thrower < 4; ++thrower) {
    const auto body = [thrower](int self) {
      if (self == thrower) throw std::domain_error("thrown");
    };
    EXPECT_THROW(tbb::parallel_invoke([&] { body(0); }, [&] { body(1); }, [&] { body(2); },
                                      [&] { body(3); }),
                 std::domain_error)
        << thrower;
  }
  EXPECT_THROW(tbb::parallel_invoke([] { throw 1; }, [] { throw 2; }, [] { throw 3; }), int);
}

TEST_P(ParallelInvokeTest, AnExceptionCancelsItsContext) {
  tbb::task_group_context context;
  EXPECT_THROW(tbb::parallel_invoke([] { throw 1; }, [] {}, context), int);
  EXPECT_TRUE(context.is_group_execution_cancelled());
}

TEST_P(ParallelInvokeTest, AContextThatIsResetIsAsNewAfterAnExceptionOfOneOfSeveral) {
  tbb::task_group_context context;
  for (int round = 0; round < 3; ++round) {
    std::atomic<int> calls{0};
    const auto call = [&calls] { ++calls; };
    const auto fail = [] { throw std::domain_error("thrown"); };
    EXPECT_THROW(tbb::parallel_invoke(call, fail, call, call, context), std::domain_error);
    EXPECT_TRUE(context.is_group_execution_cancelled());
    context.reset();
    calls = 0;
    EXPECT_NO_THROW(tbb::parallel_invoke(call, call, call, call, context));
    EXPECT_EQ(calls, 4);
  }
}

TEST_P(ParallelInvokeTest, AnExceptionLeavesCallsWithinCalls) {
  std::atomic<int> caught{0};
  const auto nothing = [] {};
  const auto inner = [&] {
    try {
      tbb::parallel_invoke(nothing, nothing, [] { throw 7; });
    } catch (int) {
      ++caught;
      throw;
    }
  };
  EXPECT_THROW(tbb::parallel_invoke(nothing, inner, nothing), int);
  EXPECT_THROW(tbb::parallel_invoke(nothing, inner), int);
  EXPECT_EQ(caught, 2);
  EXPECT_NO_THROW(tbb::parallel_invoke(
      nothing, [&] { EXPECT_THROW(inner(), int); }, nothing));
}

TEST_P(ParallelInvokeTest, WhatIsThrownOnceAllIsCancelledIsDropped) {
  tbb::task_group_context context;
  const auto cancel_and_fail = [&context] {
    context.cancel_group_execution();
    throw 1;
  };
  EXPECT_NO_THROW(tbb::parallel_invoke(
      cancel_and_fail, [] {}, context));
  context.reset();
  EXPECT_NO_THROW(tbb::parallel_invoke([] {}, cancel_and_fail, [] {}, context));
}

TEST_P(ParallelInvokeTest, RunsNothingInACancelledContext) {
  tbb::task_group_context context;
  context.cancel_group_execution();
  std::atomic<int> ran{0};
  tbb::parallel_invoke([&] { ++ran; }, [&] { ++ran; }, [&] { ++ran; }, context);
  EXPECT_EQ(ran, 0);
}

TEST_P(ParallelInvokeTest, NothingRunsAfterItReturned) {
  for (int repeat = 0; repeat < 100; ++repeat) {
    std::atomic<int> inside{0};
    try {
      tbb::parallel_invoke(
          [&] {
            ++inside;
            --inside;
            throw 1;
          },
          [&] {
            ++inside;
            --inside;
          },
          [&] {
            ++inside;
            --inside;
          });
    } catch (int) {
    }
    ASSERT_EQ(inside, 0);
  }
}

}  // namespace
