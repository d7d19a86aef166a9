// Functions that take what they are given by plain references, as programs do without a
// thought: a generic `auto&`, or an index or an element that could be changed.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

using Range = tbb::blocked_range<int>;

using ReferenceParametersTest = ParallelismTest;
INSTANTIATE_TEST_SUITE_P(Limits, ReferenceParametersTest, kLimits);

TEST_P(ReferenceParametersTest, OfIndices) {
  std::atomic<int> sum{0};
  tbb::parallel_for(0, 100, [&sum](int& i) { sum += i; });
  tbb::parallel_for(0, 100, [&sum](auto& i) { sum += i; });
  tbb::parallel_for(0, 100, 2, [&sum](auto& i) { sum += i; });
  tbb::parallel_for(0, 100, 50, [&sum](int& i) { sum += i; });
  EXPECT_EQ(sum, 4950 + 4950 + 2450 + 50);
}

TEST_P(ReferenceParametersTest, OfReductions) {
  const auto add = [](const Range& part, auto& so_far) {
    int sum = so_far;
    for (int i = part.begin(); i != part.end(); ++i) sum += i;
    return sum;
  };
  const auto join = [](auto& a, auto& b) { return a + b; };
  EXPECT_EQ(tbb::parallel_reduce(Range(0, 1000), 0, add, join), 499500);
  EXPECT_EQ(tbb::parallel_reduce(Range(0, 1000), 0, add, std::plus<int>()), 499500);
  EXPECT_EQ(tbb::parallel_deterministic_reduce(Range(0, 1000), 0, add, join), 499500);
}

TEST_P(ReferenceParametersTest, OfScans) {
  std::vector<int> sums(1000);
  const auto scan = [&sums](const Range& part, auto& so_far, bool is_final) {
    int sum = so_far;
    for (int i = part.begin(); i != part.end(); ++i) {
      sum += i;
      if (is_final) sums[static_cast<std::size_t>(i)] = sum;
    }
    return sum;
  };
  const auto join = [](auto& a, auto& b) { return a + b; };
  EXPECT_EQ(tbb::parallel_scan(Range(0, 1000), 0, scan, join), 499500);
  EXPECT_EQ(sums[0], 0);
  EXPECT_EQ(sums[100], 5050);
  EXPECT_EQ(sums[999], 499500);
}

TEST_P(ReferenceParametersTest, OfComparisons) {
  std::vector<int> values(5000);
  for (int i = 0; i < 5000; ++i) values[static_cast<std::size_t>(i)] = i * 7919 % 5000;
  std::vector<int> others = values;
  tbb::parallel_sort(values, [](int& a, int& b) { return a < b; });
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
  tbb::parallel_sort(others.begin(), others.end(), [](auto& a, auto& b) { return b < a; });
  EXPECT_TRUE(std::is_sorted(others.rbegin(), others.rend()));
}

}  // namespace
