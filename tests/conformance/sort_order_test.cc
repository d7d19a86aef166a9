#include <oneapi/tbb/detail/_sort_order.h>
#include <tbb/global_control.h>

#include <cstddef>
#include <vector>

#include "filch/pool/context.h"
#include "gtest/gtest.h"

namespace {

using tbb::detail::d1::OrderByJoins;

constexpr std::size_t kSize = 100000;

struct Checked {
  bool in_order;
  std::size_t comparisons;
};

// One thread looks, so that the number of comparisons is always the same.
Checked Check(const std::vector<int>& values) {
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 1);
  std::size_t comparisons = 0;
  const auto less = [&comparisons](int a, int b) {
    ++comparisons;
    return a < b;
  };
  filch::Context context;
  OrderByJoins<const int*, decltype(less)> order(less, context);
  const bool in_order = order.Check(values.data(), values.data() + values.size());
  return {in_order, comparisons};
}

std::vector<int> InOrder() {
  std::vector<int> values(kSize);
  for (std::size_t i = 0; i != kSize; ++i) values[i] = static_cast<int>(i);
  return values;
}

TEST(SortOrderTest, LooksAtEachNeighbourOnce) {
  const Checked checked = Check(InOrder());
  EXPECT_TRUE(checked.in_order);
  EXPECT_EQ(checked.comparisons, kSize - 1);
}

TEST(SortOrderTest, FindsAFallWhereverItIs) {
  for (std::size_t i = 1; i < kSize; i += i < 20 ? 1 : 4999) {
    std::vector<int> values = InOrder();
    values[i] = -1;
    EXPECT_FALSE(Check(values).in_order) << i;
  }
}

TEST(SortOrderTest, LooksNoFurtherWhenAFallIsKnown) {
  std::vector<int> values = InOrder();
  values[6000] = -1;
  EXPECT_LT(Check(values).comparisons, kSize / 5);
}

}  // namespace
