#include "filch/pool/sum_cost.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace filch {
namespace {

using pool_internal::SumCost;

TEST(SumCostTest, IsThatOfMakingAndChaining) {
  SumCost cost;
  EXPECT_EQ(cost.ticks(), 0u);
  cost.Made(100);
  EXPECT_FALSE(cost.has_chained());
  EXPECT_EQ(cost.ticks(), 200u);
  cost.Chained(50);
  EXPECT_TRUE(cost.has_chained());
  EXPECT_EQ(cost.ticks(), 150u);
  EXPECT_GT(cost.worth(), cost.least());
  EXPECT_GT(cost.least(), cost.ticks() / 2);
}

TEST(SumCostTest, OneMeasurementKeepsNobodyFromSumming) {
  SumCost cost;
  cost.Made(1000000);
  EXPECT_EQ(cost.least(), 0u);
  EXPECT_GT(cost.worth(), 1000000u);
  cost.Chained(50);
  EXPECT_LT(cost.least(), 1000u);
  cost.Made(900000);
  EXPECT_GT(cost.least(), 900000u);
}

TEST(SumCostTest, WhatIsMeasuredTwiceIsAtLeastThat) {
  SumCost cost;
  for (int i = 0; i != 2; ++i) {
    cost.Made(100);
    cost.Chained(50);
  }
  EXPECT_GT(cost.worth(), cost.least());
  EXPECT_GT(cost.least(), cost.ticks());
}

TEST(SumCostTest, AnInterruptionIsNoCost) {
  SumCost cost;
  cost.Chained(0);
  cost.Made(100);
  cost.Made(1000000);
  EXPECT_EQ(cost.ticks(), 100u);
  cost.Made(110);
  EXPECT_EQ(cost.ticks(), 110u);
}

TEST(SumCostTest, FollowsWhatSumsTake) {
  SumCost cost;
  cost.Made(0);
  for (std::uint64_t elapsed = 10; elapsed != 100; elapsed += 10) cost.Chained(elapsed);
  EXPECT_EQ(cost.ticks(), 80u);
  cost.Chained(0);
  EXPECT_EQ(cost.ticks(), 0u);
}

TEST(SumCostTest, WhatItIsWorthFits) {
  SumCost cost;
  cost.Made(~std::uint64_t{0});
  cost.Chained(~std::uint64_t{0});
  EXPECT_GT(cost.worth(), std::uint64_t{1} << 30);
  EXPECT_LT(cost.worth(), std::uint64_t{1} << 32);
}

}  // namespace
}  // namespace filch
