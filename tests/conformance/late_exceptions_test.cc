// What a task throws when its group was cancelled already, and not by an exception: nobody
// hears of it. What it throws first arrives, whatever is cancelled afterwards.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_for_each.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_sort.h>
#include <tbb/partitioner.h>
#include <tbb/task_group.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/on_onetbb.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

using Range = tbb::blocked_range<int>;
using Late = std::runtime_error;

using LateExceptionsTest = ParallelismTest;
INSTANTIATE_TEST_SUITE_P(Limits, LateExceptionsTest, kLimits);

// Cancels and throws.
class Body {
 public:
  explicit Body(tbb::task_group_context& context) : context_(context) {}

  template <typename... Arguments>
  int operator()(const Arguments&...) const {
    context_.cancel_group_execution();
    throw Late("late");
  }

 private:
  tbb::task_group_context& context_;
};

// Throws where it leads to item 300 or 700, while some body runs, if any does soon.
struct Throwing {
  using value_type = int;
  using reference = int;
  using pointer = void;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::forward_iterator_tag;

  int operator*() const {
    if (at == 300 || at == 700) {
      for (int k = 0; k < 100000 && !*running; ++k) {
      }
      throw std::logic_error("first");
    }
    return at;
  }
  Throwing& operator++() {
    ++at;
    return *this;
  }
  Throwing operator++(int) { return {running, at++}; }
  bool operator==(const Throwing& other) const { return at == other.at; }
  bool operator!=(const Throwing& other) const { return at != other.at; }

  const std::atomic<bool>* running;
  int at;
};

// Calls run(context), in which bodies cancel the context and throw.
template <typename Run>
void ExpectSilence(const Run& run) {
  tbb::task_group_context context;
  EXPECT_NO_THROW(run(context));
  EXPECT_TRUE(context.is_group_execution_cancelled());
  // As new, it tells of exceptions again.
  context.reset();
  EXPECT_THROW(tbb::parallel_for(
                   0, 100, [](int) { throw std::logic_error("first"); }, context),
               std::logic_error);
}

TEST_P(LateExceptionsTest, LoopsAreSilent) {
  ExpectSilence([](auto& c) { tbb::parallel_for(0, 1, Body(c), c); });
  ExpectSilence([](auto& c) { tbb::parallel_for(0, 1000, Body(c), c); });
  ExpectSilence([](auto& c) { tbb::parallel_for(0, 1000, Body(c), tbb::simple_partitioner(), c); });
  ExpectSilence([](auto& c) { tbb::parallel_for(0, 1000, Body(c), tbb::static_partitioner(), c); });
  ExpectSilence([](auto& c) {
    tbb::affinity_partitioner partitioner;
    tbb::parallel_for(Range(0, 1000), Body(c), partitioner, c);
  });
  ExpectSilence([](auto& c) {
    std::vector<int> items(100);
    tbb::parallel_for_each(
        items, [body = Body(c)](int item) { body(item); }, c);
  });
}

TEST_P(LateExceptionsTest, ReductionsAreSilent) {
  ExpectSilence(
      [](auto& c) { tbb::parallel_reduce(Range(0, 1000), 0, Body(c), std::plus<int>(), c); });
  ExpectSilence([](auto& c) {
    tbb::parallel_deterministic_reduce(Range(0, 1000), 0, Body(c), std::plus<int>(), c);
  });
  if (kOnOneTbb) return;  // an exception of a join ends the process there
  ExpectSilence([](auto& c) {
    tbb::parallel_deterministic_reduce(
        Range(0, 1000), 0, [](const Range&, int value) { return value; }, Body(c), c);
  });
}

TEST_P(LateExceptionsTest, InvocationsAreSilent) {
  ExpectSilence([](auto& c) { tbb::parallel_invoke(Body(c), Body(c), c); });
  ExpectSilence([](auto& c) { tbb::parallel_invoke(Body(c), Body(c), Body(c), c); });
}

TEST_P(LateExceptionsTest, PipelinesAreSilent) {
  ExpectSilence([](auto& c) {
    tbb::parallel_pipeline(
        4, tbb::make_filter<void, void>(tbb::filter_mode::serial_in_order, Body(c)), c);
  });
  ExpectSilence([](auto& c) {
    tbb::parallel_pipeline(4,
                           tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order,
                                                       [](tbb::flow_control&) { return 1; }) &
                               tbb::make_filter<int, void>(tbb::filter_mode::parallel, Body(c)),
                           c);
  });
}

TEST_P(LateExceptionsTest, GroupsAreSilentAndAsNewAfterwards) {
  tbb::task_group group;
  group.run([&group] {
    group.cancel();
    throw Late("late");
  });
  EXPECT_EQ(group.wait(), tbb::canceled);
  EXPECT_EQ(group.run_and_wait([&group] {
    group.cancel();
    throw Late("late");
  }),
            tbb::canceled);
  group.run(group.defer([&group] {
    group.cancel();
    throw Late("late");
  }));
  EXPECT_EQ(group.wait(), tbb::canceled);
  group.run([] { throw std::logic_error("first"); });
  EXPECT_THROW(group.wait(), std::logic_error);
  EXPECT_EQ(group.wait(), tbb::complete);
}

// Calls run() in a group, with a function that cancels the group and throws.
template <typename Run>
void ExpectSilenceBelow(const Run& run) {
  tbb::task_group outer;
  bool threw = false;
  outer.run([&] {
    try {
      run([&outer](const auto&...) -> int {
        outer.cancel();
        throw Late("late");
      });
    } catch (const Late&) {
      threw = true;
    }
  });
  EXPECT_EQ(outer.wait(), tbb::canceled);
  EXPECT_FALSE(threw);
}

TEST_P(LateExceptionsTest, WhatIsCancelledAboveIsSilent) {
  ExpectSilenceBelow([](const auto& f) { tbb::parallel_for(0, 1000, f); });
  ExpectSilenceBelow([](const auto& f) { tbb::parallel_invoke(f, f, f); });
  ExpectSilenceBelow([](const auto& f) {
    tbb::task_group inner;
    inner.run_and_wait([&f] { f(); });
  });
  ExpectSilenceBelow([](const auto& f) {
    std::vector<int> items(100000);
    std::iota(items.begin(), items.end(), 0);
    tbb::parallel_sort(items, [&f](int a, int b) { return a == 99000 ? f() != 0 : a > b; });
  });
}

// The exception leaves the inner loop when the context is cancelled, because of it; that
// somebody cancels it once more makes no difference.
TEST_P(LateExceptionsTest, AnExceptionPassesThroughLoopsOfOneContext) {
  tbb::task_group_context context;
  const auto loops = [&context] {
    tbb::parallel_for(
        0, 1,
        [&](int) {
          try {
            tbb::parallel_for(
                0, 10, [](int) { throw std::logic_error("first"); }, context);
          } catch (const std::logic_error&) {
            context.cancel_group_execution();
            throw;
          }
        },
        context);
  };
  EXPECT_THROW(loops(), std::logic_error);
  EXPECT_TRUE(context.is_group_execution_cancelled());
}

// A body that gives up by an exception because the loop was cancelled by one that is no
// body's: that one arrives.
TEST_P(LateExceptionsTest, AnExceptionOfAnIteratorArrivesBesideLateOnes) {
  if (kOnOneTbb) return;  // one of an iterator ends the process there
  for (int i = 0; i < 20; ++i) {
    tbb::task_group_context context;
    std::atomic<bool> running{false};
    const auto body = [&](int) {
      running = true;
      for (int k = 0; k < 1000; ++k) {
        if (context.is_group_execution_cancelled()) throw Late("late");
      }
    };
    EXPECT_THROW(
        tbb::parallel_for_each(Throwing{&running, 0}, Throwing{&running, 1000}, body, context),
        std::logic_error);
  }
}

// Cancelling a group inside says nothing of those around it.
TEST_P(LateExceptionsTest, AnExceptionBesideACancelledGroupArrives) {
  tbb::task_group outer;
  outer.run([] {
    tbb::task_group inner;
    inner.run_and_wait([&inner] { inner.cancel(); });
    throw std::logic_error("first");
  });
  EXPECT_THROW(outer.wait(), std::logic_error);
}

}  // namespace
