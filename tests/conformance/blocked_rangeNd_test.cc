#define TBB_PREVIEW_BLOCKED_RANGE_ND 1

#include <tbb/blocked_rangeNd.h>
#include <tbb/parallel_for.h>

#include <atomic>

#include "gtest/gtest.h"

namespace {

using Box = tbb::blocked_rangeNd<int, 3>;

TEST(BlockedRangeNdTest, IsABoxThatALoopTakes) {
  static_assert(Box::ndims() == 3);
  Box box({0, 4}, {0, 5}, {0, 6, 2});
  EXPECT_EQ(box.dim(2).grainsize(), 2u);
  std::atomic<int> items{0};
  tbb::parallel_for(box, [&](const Box& part) {
    items += static_cast<int>(part.dim(0).size() * part.dim(1).size() * part.dim(2).size());
  });
  EXPECT_EQ(items, 120);
  const Box half(box, tbb::split());
  EXPECT_EQ(half.dim(1).size() + box.dim(1).size(), 5u);
}

}  // namespace
