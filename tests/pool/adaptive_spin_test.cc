#include "filch/pool/adaptive_spin.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

constexpr int kMost = 20;

// What it learns from these, one after the other.
template <typename... Times>
int After(Times... times) {
  AdaptiveSpin spin;
  (spin.WasIdle(times, kMost), ...);
  return spin.times();
}

TEST(AdaptiveSpinTest, BeginsWithTheUsualTime) { EXPECT_EQ(AdaptiveSpin().times(), 1); }

TEST(AdaptiveSpinTest, LooksLongerThanTheLastTimesNeeded) {
  EXPECT_EQ(After(2), 4);
  EXPECT_EQ(After(7), 14);
  EXPECT_EQ(After(2, 7), 14);
}

TEST(AdaptiveSpinTest, HasALimit) {
  EXPECT_EQ(After(11), kMost);
  EXPECT_EQ(After(20), kMost);
}

TEST(AdaptiveSpinTest, WhatWasTooLongIsNotWorthIt) {
  EXPECT_EQ(After(21), 1);
  EXPECT_EQ(After(20, 21), kMost / 2);
  EXPECT_EQ(After(20, 21, 1000, std::int64_t{1} << 60, 21, 21), 1);
}

TEST(AdaptiveSpinTest, LearnsNothingFromShortOnes) {
  EXPECT_EQ(After(1), 1);
  EXPECT_EQ(After(5, 0, 1, 1, 1), 10);
}

TEST(AdaptiveSpinTest, ForgetsLittleByLittle) {
  EXPECT_EQ(After(10, 2), 17);
  AdaptiveSpin spin;
  spin.WasIdle(10, kMost);
  for (int i = 0; i < 20; ++i) spin.WasIdle(2, kMost);
  EXPECT_EQ(spin.times(), 4);
}

TEST(AdaptiveSpinTest, NeverLooksForMoreThanTheMost) {
  for (int most = 1; most <= 4; ++most) {
    AdaptiveSpin spin;
    for (const int times : {2, 3, 4, 9, 2, 4, 3, 1}) {
      spin.WasIdle(times, most);
      EXPECT_GE(spin.times(), 1);
      EXPECT_LE(spin.times(), most);
    }
  }
}

// How many times that would have needed longer looks it takes until it looks longer.
int TimesToEarn(AdaptiveSpin& spin) {
  int times = 0;
  while (spin.times() == 1) {
    spin.WasIdle(2, kMost);
    ++times;
  }
  return times;
}

TEST(AdaptiveSpinTest, WhoseCpuWasTakenLooksNoLongerAtFirst) {
  AdaptiveSpin spin;
  EXPECT_EQ(TimesToEarn(spin), 1);
  spin.WasDisplaced();
  EXPECT_EQ(spin.times(), 1);
  EXPECT_EQ(TimesToEarn(spin), 2);
}

TEST(AdaptiveSpinTest, TheMoreOftenItIsTakenTheLongerItTakes) {
  AdaptiveSpin spin;
  int last = TimesToEarn(spin);
  for (int i = 0; i < 5; ++i) {
    spin.WasDisplaced();
    const int times = TimesToEarn(spin);
    EXPECT_GT(times, last);
    last = times;
  }
  for (int i = 0; i < 100; ++i) spin.WasDisplaced();
  EXPECT_LT(TimesToEarn(spin), 1000);
}

TEST(AdaptiveSpinTest, WhatIsRareIsForgiven) {
  AdaptiveSpin spin;
  for (int i = 0; i < 5; ++i) spin.WasDisplaced();
  for (int i = 0; i < 2000; ++i) spin.WasIdle(2, kMost);
  spin.WasDisplaced();
  EXPECT_EQ(TimesToEarn(spin), 2);
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
