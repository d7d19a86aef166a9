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
