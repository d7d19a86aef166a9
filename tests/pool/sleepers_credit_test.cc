#include "filch/pool/sleepers_credit.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

TEST(SleepersCreditTest, OneSmallLoopWakesNobody) {
  SleepersCredit credit;
  EXPECT_EQ(credit.Worth(1000000, true), SleepersCredit::kAsleep);
  EXPECT_EQ(credit.Worth(1000000, false), SleepersCredit::kAwake);
}

TEST(SleepersCreditTest, SmallLoopsThatFollowEachOtherWakeSomebody) {
  SleepersCredit credit;
  std::uint64_t now = 1000000;
  std::uint64_t worth = credit.Worth(now, true);
  for (int i = 0; i < 10; ++i) {
    credit.RanAlone(now, 20000);
    now += 21000;
    const std::uint64_t next = credit.Worth(now, true);
    EXPECT_LE(next, worth);
    worth = next;
  }
  EXPECT_EQ(worth, SleepersCredit::kAwake);
  credit.Call(true);
  credit.RanTogether(20000, 10000);
  EXPECT_EQ(credit.Worth(now, true), SleepersCredit::kAsleep);
}

constexpr std::uint64_t kSmall = 5000;
constexpr std::uint64_t kShared = 3000;    // when it is shared
constexpr std::uint64_t kCalling = 18000;  // when somebody is called for it

// How many small loops that follow each other run alone before somebody is called; `shared`
// others follow after that.
int LoopsAlone(SleepersCredit& credit, std::uint64_t& now, int shared) {
  now += 1000000;
  int loops = 0;
  while (credit.Worth(now, true) != SleepersCredit::kAwake) {
    credit.RanAlone(now, kSmall);
    now += kSmall;
    ++loops;
  }
  credit.Call(true);
  credit.RanTogether(kSmall, kCalling);
  for (int i = 0; i < shared; ++i) credit.RanTogether(kSmall, kShared);
  return loops;
}

TEST(SleepersCreditTest, CallsThatWereWorthItComeSooner) {
  SleepersCredit credit;
  std::uint64_t now = 1000000;
  const int first = LoopsAlone(credit, now, 10);
  int last = 0;
  for (int i = 0; i < 100; ++i) last = LoopsAlone(credit, now, 10);
  EXPECT_LT(last, first);
  EXPECT_GE(last, 2);
}

TEST(SleepersCreditTest, CallsThatWereNotComeLater) {
  SleepersCredit credit;
  std::uint64_t now = 1000000;
  const int first = LoopsAlone(credit, now, 3);
  int last = 0;
  for (int i = 0; i < 100; ++i) last = LoopsAlone(credit, now, 3);
  EXPECT_GT(last, 10 * first);
  // A call costs what it is worth for the loops alone, if they are so many.
  EXPECT_LE(last, static_cast<int>(SleepersCredit::kVain * (kCalling - kSmall) / kSmall));
  // And in vain so often is no reason not to call at all.
  for (int i = 0; i < 10; ++i) LoopsAlone(credit, now, 10);
  EXPECT_LT(LoopsAlone(credit, now, 10), first);
}

TEST(SleepersCreditTest, CallsThatHoldLoopsUpComeMuchLaterButNotAfterOne) {
  SleepersCredit credit;
  std::uint64_t now = 1000000;
  const int first = LoopsAlone(credit, now, 0);
  const auto held_up = [&] {
    credit.RanTogether(kSmall, 1000000);
    return LoopsAlone(credit, now, 0);
  };
  const int second = held_up();
  EXPECT_GT(second, first);
  EXPECT_LE(second, 5 * first);
  int last = second;
  for (int i = 0; i < 20; ++i) last = held_up();
  EXPECT_GT(last, static_cast<int>(10 * 1000000 / kSmall));
}

TEST(SleepersCreditTest, ATimeThatWentBackIsALongOne) {
  SleepersCredit credit;
  std::uint64_t now = 1000000;
  LoopsAlone(credit, now, 0);
  for (int i = 0; i < 1000; ++i) credit.RanTogether(kSmall, std::uint64_t{0} - 5);
  const int loops = LoopsAlone(credit, now, 0);
  EXPECT_GT(loops, 0);
  EXPECT_LT(loops, 1000);
}

TEST(SleepersCreditTest, CallsInVainAreForgottenWhenLoopsFollowEachOtherOftenEnough) {
  SleepersCredit credit;
  std::uint64_t now = 1000000;
  for (int i = 0; i < 100; ++i) LoopsAlone(credit, now, 3);
  const int loops = static_cast<int>(2 * SleepersCredit::kLimit / kSmall);
  int series = 0;
  for (bool called = false; !called && series < 1000; ++series) {
    now += 1000000;
    for (int i = 0; i < loops && !called; ++i, now += kSmall) {
      called = credit.Worth(now, true) == SleepersCredit::kAwake;
      credit.RanAlone(now, kSmall);
    }
  }
  EXPECT_GE(series, 10);
  EXPECT_LE(series, 100);
}

TEST(SleepersCreditTest, ALoopThatIsWorthACallSaysNothingOfSmallOnes) {
  SleepersCredit credit;
  std::uint64_t now = 1000000;
  const int first = LoopsAlone(credit, now, 0);
  credit = SleepersCredit();
  for (int i = 0; i < 100; ++i) {
    now += 1000000;
    EXPECT_EQ(credit.Worth(now, true), credit.asleep());
    credit.Call(true);
    credit.RanTogether(200000, i % 2 == 0 ? 300000 : 100000);
  }
  EXPECT_EQ(LoopsAlone(credit, now, 0), first);
}

// How many of `loops` loops of `alone`, a millisecond apart, are called for, if a loop with a call
// takes `called`.
int CallsForLarge(SleepersCredit& credit, int loops, std::uint64_t alone, std::uint64_t called) {
  int calls = 0;
  std::uint64_t now = 1000000;
  for (int i = 0; i < loops; ++i, now += 1000000) {
    if (alone > credit.Worth(now, true)) {
      credit.Call(true);
      credit.RanTogether(alone, called);
      ++calls;
    } else {
      credit.RanAlone(now, alone);
    }
  }
  return calls;
}

TEST(SleepersCreditTest, CallsForLoopsThatTheyHoldUpBecomeRareButDoNotEnd) {
  SleepersCredit credit;
  const std::uint64_t alone = SleepersCredit::kAsleep + 5000;
  const int calls = CallsForLarge(credit, 1000, alone, alone + alone / 4);
  EXPECT_GE(calls, 10);
  EXPECT_LE(calls, 50);
  // When they pay, they come with every loop.
  CallsForLarge(credit, 100, alone, alone / 2);
  EXPECT_EQ(CallsForLarge(credit, 100, alone, alone / 2), 100);
}

TEST(SleepersCreditTest, CallsThatPayAreMadeForShorterLoops) {
  SleepersCredit credit;
  const std::uint64_t alone = SleepersCredit::kAsleep - 20000;
  EXPECT_EQ(CallsForLarge(credit, 100, alone, alone / 2), 0);
  CallsForLarge(credit, 100, 2 * SleepersCredit::kLeastAsleep, SleepersCredit::kLeastAsleep);
  EXPECT_EQ(CallsForLarge(credit, 100, alone, alone / 2), 100);
}

TEST(SleepersCreditTest, WhatACallIsWorthHasItsLimits) {
  SleepersCredit credit;
  for (int i = 0; i < 1000; ++i) CallsForLarge(credit, 1, 150000, 1000000);
  EXPECT_LE(credit.asleep(), SleepersCredit::kMostAsleep);
  EXPECT_EQ(CallsForLarge(credit, 10, SleepersCredit::kMostAsleep + 1, 1000000), 10);
  for (int i = 0; i < 1000; ++i) CallsForLarge(credit, 1, SleepersCredit::kMostAsleep + 1, 1);
  for (int i = 0; i < 1000; ++i) CallsForLarge(credit, 1, 2 * SleepersCredit::kLeastAsleep - 1, 1);
  EXPECT_GE(credit.asleep(), SleepersCredit::kLeastAsleep);
  EXPECT_EQ(CallsForLarge(credit, 10, SleepersCredit::kLeastAsleep - 1, 1), 0);
}

TEST(SleepersCreditTest, LoopsThatAreMuchLargerSayNothingOfWhatACallIsWorth) {
  for (const std::uint64_t called : {1u, 2000000u}) {
    SleepersCredit credit;
    EXPECT_EQ(CallsForLarge(credit, 10, 1000000, called), 10);
    EXPECT_EQ(credit.asleep(), SleepersCredit::kAsleep);
  }
}

TEST(SleepersCreditTest, ALoopThatWasRunAloneHasTheLastWord) {
  SleepersCredit credit;
  credit.Call(true);  // and that loop is cancelled
  credit.RanAlone(1000000, 1);
  credit.RanTogether(100000, 1000000);
  EXPECT_EQ(credit.asleep(), SleepersCredit::kAsleep);
}

TEST(SleepersCreditTest, APauseForgetsThem) {
  SleepersCredit credit;
  for (std::uint64_t now = 0; now < 100000000; now += 1000000) {
    EXPECT_EQ(credit.Worth(now, true), SleepersCredit::kAsleep);
    credit.RanAlone(now, 20000);
  }
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
