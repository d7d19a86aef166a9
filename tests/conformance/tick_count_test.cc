#include <tbb/tick_count.h>

#include <chrono>
#include <type_traits>

#include "gtest/gtest.h"

namespace {

TEST(TickCountTest, NeverRunsBackwards) {
  tbb::tick_count before = tbb::tick_count::now();
  for (int i = 0; i < 10000; ++i) {
    const tbb::tick_count after = tbb::tick_count::now();
    ASSERT_GE((after - before).seconds(), 0.0);
    before = after;
  }
}

TEST(TickCountTest, AgreesWithTheSteadyClock) {
  const auto outer = std::chrono::steady_clock::now();
  const tbb::tick_count begin = tbb::tick_count::now();
  while ((tbb::tick_count::now() - begin).seconds() < 0.01) {
  }
  const double measured = (tbb::tick_count::now() - begin).seconds();
  const std::chrono::duration<double> bound = std::chrono::steady_clock::now() - outer;
  EXPECT_GE(measured, 0.01);
  EXPECT_LE(measured, bound.count() + 1e-6);
}

TEST(TickCountTest, ResolutionIsATickOfTheClock) {
  EXPECT_GT(tbb::tick_count::resolution(), 0.0);
  EXPECT_LE(tbb::tick_count::resolution(), 1e-3);
}

TEST(TickCountTest, IntervalsAddAndSubtract) {
  using Interval = tbb::tick_count::interval_t;
  static_assert(std::is_convertible_v<double, Interval> == false);
  EXPECT_EQ(Interval().seconds(), 0.0);
  Interval sum = Interval(1.5) + Interval(0.25);
  EXPECT_NEAR(sum.seconds(), 1.75, 1e-6);
  sum -= Interval(0.75);
  EXPECT_NEAR(sum.seconds(), 1.0, 1e-6);
  sum += Interval(2.0);
  EXPECT_NEAR((sum - Interval(1.0)).seconds(), 2.0, 1e-6);
}

TEST(TickCountTest, AnIntervalIsADuration) {
  using Clock = tbb::tick_count::clock_type;
  static_assert(Clock::is_steady);
  const tbb::tick_count::interval_t interval(2.5);
  const Clock::duration duration = interval;
  EXPECT_EQ(duration, std::chrono::milliseconds(2500));
  EXPECT_EQ(std::chrono::duration_cast<std::chrono::seconds>(interval).count(), 2);
  EXPECT_EQ(interval.count(), duration.count());
  EXPECT_LT(interval, interval + interval);
  EXPECT_EQ(interval * 2, interval + interval);
  const tbb::tick_count now = tbb::tick_count::now();
  const std::chrono::nanoseconds passed = tbb::tick_count::now() - now;
  EXPECT_GE(passed.count(), 0);
}

}  // namespace
