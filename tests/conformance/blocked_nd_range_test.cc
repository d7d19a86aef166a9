#include <tbb/blocked_nd_range.h>

#include <cstddef>
#include <type_traits>

#include "gtest/gtest.h"

namespace {

TEST(BlockedNdRangeTest, IsMadeFromRangesOrFromSizes) {
  const tbb::blocked_nd_range<int, 3> box({0, 4}, {1, 9, 2}, {-5, 5, 3});
  EXPECT_EQ(box.dim_count(), 3u);
  EXPECT_EQ(box.dim(0).size(), 4u);
  EXPECT_EQ(box.dim(1).grainsize(), 2u);
  EXPECT_EQ(box.dim(2).begin(), -5);

  const tbb::blocked_nd_range<int, 2> sizes({6, 7}, 3);
  EXPECT_EQ(sizes.dim(1).end(), 7);
  EXPECT_EQ(sizes.dim(0).grainsize(), 3u);

  const tbb::blocked_nd_range<int, 1> line({0, 13, 3});
  EXPECT_EQ(line.dim(0).end(), 13);
}

TEST(BlockedNdRangeTest, SplitsTheLongestDimension) {
  tbb::blocked_nd_range<int, 4> left({0, 4}, {0, 40}, {0, 40}, {0, 90, 30});
  tbb::blocked_nd_range<int, 4> right(left, tbb::split());
  EXPECT_EQ(left.dim(1).end(), 20);
  EXPECT_EQ(right.dim(1).begin(), 20);
  EXPECT_EQ(right.dim(2).size(), 40u);
  tbb::blocked_nd_range<int, 4> quarter(right, tbb::proportional_split(3, 1));
  EXPECT_EQ(right.dim(2).size(), 30u);
  EXPECT_EQ(quarter.dim(2).size(), 10u);
}

TEST(BlockedNdRangeTest, IsEmptyOrDivisibleByItsDimensions) {
  EXPECT_TRUE((tbb::blocked_nd_range<int, 2>({0, 4}, {3, 3}).empty()));
  EXPECT_FALSE((tbb::blocked_nd_range<int, 2>({0, 4}, {3, 4}).empty()));
  EXPECT_FALSE((tbb::blocked_nd_range<int, 2>({0, 4, 4}, {3, 4}).is_divisible()));
  EXPECT_TRUE((tbb::blocked_nd_range<int, 2>({0, 5, 4}, {3, 4}).is_divisible()));
}

TEST(BlockedNdRangeTest, DeducesItsParameters) {
  tbb::blocked_nd_range from_ranges(tbb::blocked_range<long>(0, 1), tbb::blocked_range<long>(0, 2));
  static_assert(std::is_same_v<decltype(from_ranges), tbb::blocked_nd_range<long, 2>>);
  tbb::blocked_nd_range from_braces({0, 4}, {1, 9, 2}, {0, 5});
  static_assert(std::is_same_v<decltype(from_braces), tbb::blocked_nd_range<int, 3>>);
  const int sizes[4] = {5, 6, 7, 8};
  tbb::blocked_nd_range from_sizes(sizes);
  static_assert(std::is_same_v<decltype(from_sizes), tbb::blocked_nd_range<int, 4>>);
  tbb::blocked_nd_range by_split(from_sizes, tbb::split());
  static_assert(std::is_same_v<decltype(by_split), tbb::blocked_nd_range<int, 4>>);
  EXPECT_EQ(from_sizes.dim(3).size() + by_split.dim(3).size(), 8u);
}

}  // namespace
