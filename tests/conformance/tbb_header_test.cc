// The umbrella header stands beside the standard library's parallel algorithms.
#include <oneapi/tbb.h>
#include <tbb/tbb.h>

#include <algorithm>
#include <execution>
#include <numeric>
#include <vector>

#include "gtest/gtest.h"

namespace {

TEST(TbbHeaderTest, BringsTheNamesThatAreProvided) {
  EXPECT_EQ(tbb::blocked_range2d<int>(0, 2, 0, 3).cols().size(), 3u);
  EXPECT_GE(tbb::tick_count::resolution(), 0.0);
}

TEST(TbbHeaderTest, LeavesTheParallelAlgorithmsOfTheStandardUsable) {
  std::vector<int> values(1000);
  std::iota(values.rbegin(), values.rend(), 0);
  std::sort(std::execution::par, values.begin(), values.end());
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
  EXPECT_EQ(std::reduce(std::execution::par, values.begin(), values.end()), 999 * 1000 / 2);
}

}  // namespace
