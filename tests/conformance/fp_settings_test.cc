// The floating-point settings that tasks run with.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_group.h>

#include <atomic>
#include <cfenv>
#include <stdexcept>
#include <thread>

#include "gtest/gtest.h"
#include "tests/conformance/parallelism_fixture.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace {

using tbb::task_group_context;
using Range = tbb::blocked_range<int>;

using FpSettingsTest = ParallelismTest;
INSTANTIATE_TEST_SUITE_P(Limits, FpSettingsTest, kLimits);

// A context with the settings of a thread that rounds upwards; the thread goes on
// rounding to the nearest.
template <typename F>
void WithUpward(const F& f) {
  std::fesetround(FE_UPWARD);
  task_group_context context(task_group_context::bound,
                             task_group_context::default_traits | task_group_context::fp_settings);
  std::fesetround(FE_TONEAREST);
  f(context);
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

TEST_P(FpSettingsTest, AlgorithmsRunWithThoseOfTheirContext) {
  WithUpward([](task_group_context& context) {
    const auto check = [](const Range&) {
      EXPECT_EQ(std::fegetround(), FE_UPWARD);
      std::this_thread::yield();
    };
    tbb::parallel_for(Range(0, 200), check, context);
    tbb::parallel_for(Range(0, 200), check, tbb::simple_partitioner(), context);
    tbb::parallel_for(Range(0, 200), check, tbb::static_partitioner(), context);
    tbb::affinity_partitioner affinity;
    tbb::parallel_for(Range(0, 200), check, affinity, context);
    tbb::parallel_reduce(
        Range(0, 200), 0,
        [&](const Range& part, int) {
          check(part);
          return 0;
        },
        [](int, int) {
          EXPECT_EQ(std::fegetround(), FE_UPWARD);
          return 0;
        },
        context);
    const auto check_invoked = [] { EXPECT_EQ(std::fegetround(), FE_UPWARD); };
    tbb::parallel_invoke(check_invoked, check_invoked, check_invoked, context);
  });
}

TEST_P(FpSettingsTest, GroupsRunWithThoseOfTheirContext) {
  WithUpward([](task_group_context& context) {
    tbb::task_group group(context);
    const auto check = [] { EXPECT_EQ(std::fegetround(), FE_UPWARD); };
    for (int i = 0; i < 50; ++i) group.run(check);
    group.wait();
    group.run(check);
    group.run_and_wait(check);
  });
}

TEST_P(FpSettingsTest, NestedAlgorithmsInheritThem) {
  WithUpward([](task_group_context& context) {
    tbb::parallel_for(
        0, 20,
        [](int) {
          tbb::parallel_for(0, 20, [](int) { EXPECT_EQ(std::fegetround(), FE_UPWARD); });
          tbb::task_group group;
          group.run([] { EXPECT_EQ(std::fegetround(), FE_UPWARD); });
          group.wait();
          EXPECT_EQ(std::fegetround(), FE_UPWARD);
        },
        context);
  });
}

TEST_P(FpSettingsTest, IsolatedContextsDoNotInheritThem) {
  WithUpward([](task_group_context& context) {
    tbb::parallel_for(
        0, 20,
        [](int) {
          task_group_context isolated(task_group_context::isolated);
          tbb::parallel_for(
              0, 20, [](int) { EXPECT_EQ(std::fegetround(), FE_TONEAREST); }, isolated);
          EXPECT_EQ(std::fegetround(), FE_UPWARD);
        },
        context);
  });
}

TEST_P(FpSettingsTest, TasksOutsideKeepTheirOwn) {
  WithUpward([](task_group_context& context) {
    tbb::task_group other;
    for (int i = 0; i < 20; ++i) {
      other.run([] { EXPECT_EQ(std::fegetround(), FE_TONEAREST); });
    }
    // A wait inside may run the tasks of the other group.
    tbb::parallel_for(
        0, 50,
        [&](int) {
          tbb::parallel_for(0, 10, [](int) { std::this_thread::yield(); });
          EXPECT_EQ(std::fegetround(), FE_UPWARD);
        },
        context);
    other.wait();
  });
}

TEST_P(FpSettingsTest, AreRestoredAfterAnExceptionAndAfterChanges) {
  WithUpward([](task_group_context& context) {
    const auto loop = [&] {
      tbb::parallel_for(
          0, 100,
          [](int i) {
            std::fesetround(FE_DOWNWARD);
            if (i == 50) throw std::length_error("50");
          },
          context);
    };
    EXPECT_THROW(loop(), std::length_error);
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
    context.reset();
    tbb::parallel_for(
        0, 1, [](int) { EXPECT_EQ(std::fegetround(), FE_UPWARD); }, context);
  });
}

TEST_P(FpSettingsTest, MayBeCapturedLater) {
  task_group_context context;
  for (const int mode : {FE_DOWNWARD, FE_TOWARDZERO, FE_DOWNWARD}) {
    std::fesetround(mode);
    context.capture_fp_settings();
    std::fesetround(FE_TONEAREST);
    tbb::parallel_for(
        0, 100, [mode](int) { EXPECT_EQ(std::fegetround(), mode); }, context);
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  }
}

TEST_P(FpSettingsTest, MayBeCapturedByTheEntryPointOfTheLibrary) {
  task_group_context context;
  std::fesetround(FE_UPWARD);
  tbb::detail::r1::capture_fp_settings(context);
  std::fesetround(FE_TONEAREST);
  tbb::parallel_for(
      0, 100, [](int) { EXPECT_EQ(std::fegetround(), FE_UPWARD); }, context);
}

#if defined(__x86_64__)
TEST_P(FpSettingsTest, IncludeFlushingToZero) {
  constexpr unsigned kFlushAndDenormalsAreZero = 0x8040;
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | kFlushAndDenormalsAreZero);
  task_group_context context(task_group_context::bound,
                             task_group_context::default_traits | task_group_context::fp_settings);
  _mm_setcsr(before);
  std::atomic<int> without{0};
  const auto loop = [&](task_group_context& in) {
    without = 0;
    tbb::parallel_for(
        0, 200,
        [&](int) {
          if ((_mm_getcsr() & kFlushAndDenormalsAreZero) != kFlushAndDenormalsAreZero) ++without;
          std::this_thread::yield();
        },
        in);
  };
  loop(context);
  EXPECT_EQ(without, 0);
  EXPECT_EQ(_mm_getcsr() & kFlushAndDenormalsAreZero, 0u);
  task_group_context plain;
  loop(plain);
  EXPECT_EQ(without, 200);
}
#endif

}  // namespace
