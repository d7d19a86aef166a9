#include "filch/pool/loop_trial.h"

#include <cstdint>
#include <functional>

#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

struct Result {
  std::uint32_t units = 0;    // that were run alone
  std::uint64_t elapsed = 0;  // meanwhile
  int looks = 0;              // at the clock
  bool shared = false;        // whether help was called for the rest
};

// Runs `units` units of which the i-th takes cost(i).
Result Try(std::uint32_t units, std::uint64_t worth,
           const std::function<std::uint64_t(std::uint32_t)>& cost) {
  LoopTrial trial(worth);
  Result result;
  while (result.units < units) {
    const std::uint32_t now = trial.Next(units - result.units);
    EXPECT_GE(now, 1u);
    EXPECT_LE(now, units - result.units);
    std::uint64_t elapsed = 0;
    for (std::uint32_t i = 0; i < now; ++i) elapsed += cost(result.units++);
    result.elapsed += elapsed;
    ++result.looks;
    if (trial.Finished(now, elapsed, units - result.units)) {
      result.shared = true;
      return result;
    }
  }
  return result;
}

TEST(LoopTrialTest, SuitsLoopsOfManyUnitsForEachThread) {
  EXPECT_FALSE(LoopTrial::Suits(2, 2));
  EXPECT_FALSE(LoopTrial::Suits(63, 2));
  EXPECT_TRUE(LoopTrial::Suits(64, 2));
  EXPECT_FALSE(LoopTrial::Suits(64, 64));
}

TEST(LoopTrialTest, ALoopOfLongUnitsIsSharedAfterOne) {
  for (const std::uint64_t cost : {1000u, 1000000u}) {
    const Result result = Try(1000000, 2000, [cost](std::uint32_t) { return cost; });
    EXPECT_TRUE(result.shared);
    EXPECT_EQ(result.units, 1u);
  }
}

TEST(LoopTrialTest, ALargeLoopOfShortUnitsIsSharedAfterAFew) {
  const Result result = Try(1000000, 2000, [](std::uint32_t) { return 100u; });
  EXPECT_TRUE(result.shared);
  EXPECT_EQ(result.units, 9u);
}

TEST(LoopTrialTest, TheFewAreFewerIfTheyAreLong) {
  const Result result = Try(100, 10000, [](std::uint32_t) { return 500u; });
  EXPECT_TRUE(result.shared);
  EXPECT_EQ(result.units, 3u);
}

TEST(LoopTrialTest, ASmallLoopIsRunAloneWithFewLooksAtTheClock) {
  for (const std::uint32_t units : {1u, 2u, 64u, 1000u}) {
    const Result result = Try(units, 2000, [](std::uint32_t) { return 1u; });
    EXPECT_FALSE(result.shared);
    EXPECT_EQ(result.units, units);
    EXPECT_LE(result.looks, 6);
  }
}

TEST(LoopTrialTest, TheShorterALoopLooksTheFewerAreTheLooksAtTheClock) {
  EXPECT_EQ(Try(100, 10000, [](std::uint32_t) { return 10u; }).looks, 2);
  EXPECT_EQ(Try(100, 10000, [](std::uint32_t i) { return i == 0 ? 900u : 10u; }).looks, 4);
}

TEST(LoopTrialTest, ALoopOfSomeMicrosecondsIsLookedAtAFewTimes) {
  EXPECT_LE(Try(100, 20000, [](std::uint32_t) { return 100u; }).looks, 6);
}

TEST(LoopTrialTest, ALoopThatLooksLikeNothingAfterOneUnitIsStillWatched) {
  const Result result = Try(1000, 10000, [](std::uint32_t i) { return i == 0 ? 1u : 1000u; });
  EXPECT_TRUE(result.shared);
  EXPECT_LE(result.units, 65u);
}

TEST(LoopTrialTest, TheWorthDecides) {
  const auto cost = [](std::uint32_t) { return 200u; };
  EXPECT_TRUE(Try(100, 2000, cost).shared);
  EXPECT_FALSE(Try(100, 50000, cost).shared);
}

TEST(LoopTrialTest, DearHelpIsNotCalledForOneSlowUnit) {
  for (const std::uint32_t slow : {0u, 1u, 10u, 50u}) {
    const auto cost = [slow](std::uint32_t i) { return i == slow ? 40000u : 500u; };
    EXPECT_FALSE(Try(100, 100000, cost).shared) << slow;
  }
}

TEST(LoopTrialTest, DearHelpIsCalledSoonIfItPays) {
  for (const std::uint64_t cost : {1200u, 30000u, 1000000u}) {
    const Result result = Try(1000, 100000, [cost](std::uint32_t) { return cost; });
    EXPECT_TRUE(result.shared);
    EXPECT_LE(result.units, 4u);
  }
}

TEST(LoopTrialTest, ASlowFirstUnitIsNoPace) {
  EXPECT_FALSE(Try(100, 5000, [](std::uint32_t i) { return i == 0 ? 900u : 1u; }).shared);
}

TEST(LoopTrialTest, ATimeThatIsMostlyTheLookAtTheClockIsNoPace) {
  constexpr std::uint32_t kUnits = 10000;  // twenty in a tick, and a look takes twenty ticks
  LoopTrial trial(10000);
  for (std::uint32_t rest = kUnits; rest != 0;) {
    const std::uint32_t now = trial.Next(rest);
    rest -= now;
    ASSERT_FALSE(trial.Finished(now, 20 + now / 20, rest)) << rest;
  }
}

TEST(LoopTrialTest, ALateHeavyPartIsShared) {
  const Result result = Try(10000, 50000, [](std::uint32_t i) { return i < 1000 ? 1u : 100000u; });
  EXPECT_TRUE(result.shared);
  EXPECT_LT(result.units, 1000u + 9000u / 7);
}

TEST(LoopTrialTest, AHeavyEndOfAnIdleLookingLoopIsAlmostAllShared) {
  const Result result = Try(1000, 50000, [](std::uint32_t i) { return i < 900 ? 10u : 1000000u; });
  EXPECT_TRUE(result.shared);
  EXPECT_LT(result.units, 930u);
}

TEST(LoopTrialTest, WhatLooksLikeNothingIsNotRunToItsEndBlindly) {
  for (const std::uint32_t nothing : {65u, 100u, 400u}) {
    const Result result =
        Try(1000, 10000, [nothing](std::uint32_t i) { return i < nothing ? 1u : 1000000u; });
    EXPECT_TRUE(result.shared) << nothing;
    EXPECT_LE(result.units, nothing + 200) << nothing;
  }
}

TEST(LoopTrialTest, ATimeThatWentBackIsALongOne) {
  LoopTrial trial(2000);
  EXPECT_TRUE(trial.Finished(1, std::uint64_t{0} - 5, 1000));
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
