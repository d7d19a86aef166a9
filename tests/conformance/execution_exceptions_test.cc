// What leaves a functor of a parallel algorithm: std::bad_alloc arrives at the
// caller, all else ends the process.
#include <algorithm>
#include <cstddef>
#include <execution>
#include <functional>
#include <new>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/execution_data.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

using execution_data::Random;
using std::execution::par;
using std::execution::par_unseq;

class ExecutionDeathTest : public ParallelismTest {
 protected:
  // Each check runs in a process of its own, since this one may have workers.
  ExecutionDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_P(ExecutionDeathTest, AnExceptionEndsTheProcess) {
  std::vector<int> data = Random(20'000, 1 << 30, 1);
  const int victim = data[12'345];
  // One thread throws: of two that terminate at once neither names its exception.
  const auto may_throw = [victim](int x) {
    if (x == victim) throw std::runtime_error("from the functor");
    return x;
  };
  EXPECT_DEATH(
      try {
        std::for_each(par, data.begin(), data.end(), may_throw);
      } catch (const std::runtime_error&){},
      "terminate called");
  EXPECT_DEATH(
      try {
        std::transform(par_unseq, data.begin(), data.end(), data.begin(), may_throw);
      } catch (const std::runtime_error&){},
      "terminate called");
  EXPECT_DEATH(
      try {
        std::transform_reduce(par, data.begin(), data.end(), 0u, std::bit_xor<unsigned>(),
                              may_throw);
      } catch (const std::runtime_error&){},
      "terminate called");
  EXPECT_DEATH(
      try {
        std::sort(par, data.begin(), data.end(), [&](int x, int y) { return may_throw(x) < y; });
      } catch (const std::runtime_error&){},
      "terminate called");
}

using ExecutionExceptionsTest = ParallelismTest;

// libstdc++ lets std::bad_alloc out of a sort.  That cancels it: tasks that have
// not run are given back all the same, and the next sort is as good as any.
TEST_P(ExecutionExceptionsTest, ShortageOfMemoryInASortIsReported) {
  std::vector<int> data = Random(50'000, 1 << 30, 2);
  const int victim = data[23'456];
  const auto less = [victim](int x, int y) {
    if (x == victim) throw std::bad_alloc();
    return x < y;
  };
  for (int i = 0; i < 20; ++i) {
    EXPECT_THROW(std::sort(par, data.begin(), data.end(), less), std::bad_alloc);
  }
  std::sort(par, data.begin(), data.end());
  EXPECT_TRUE(std::is_sorted(data.begin(), data.end()));
}

INSTANTIATE_TEST_SUITE_P(Limits, ExecutionDeathTest, kLimits);
INSTANTIATE_TEST_SUITE_P(Limits, ExecutionExceptionsTest, kLimits);

}  // namespace
