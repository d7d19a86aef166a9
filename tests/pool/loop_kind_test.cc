#include "filch/pool/loop_kind.h"

#include <array>
#include <cstdint>
#include <set>

#include "gtest/gtest.h"

namespace filch {
namespace {

constexpr std::uint32_t kUnits = 100;
constexpr std::uint64_t kShort = LoopKind::kBrief / 4;

// Brief loops until the kind is believed to be so; 1000 if never.
int TimesToBelieve(LoopKind& kind) {
  for (int times = 0; times < 1000; ++times) {
    if (kind.IsBrief(kUnits)) return times;
    kind.Took(kUnits, kShort);
  }
  return 1000;
}

TEST(LoopKindTest, NothingIsBriefThatHasNotBeenSoSomeTimes) {
  LoopKind kind;
  EXPECT_FALSE(kind.IsBrief(1));
  kind.Took(kUnits, kShort);
  EXPECT_FALSE(kind.IsBrief(1));
  EXPECT_LE(TimesToBelieve(kind), 10);
  EXPECT_TRUE(kind.IsBrief(kUnits));
}

TEST(LoopKindTest, WhatEndsJustInTimeIsBriefAndWhatDoesNotIsNot) {
  LoopKind brief;
  LoopKind longer;
  for (int i = 0; i < 100; ++i) {
    brief.Took(kUnits, LoopKind::kBrief);
    longer.Took(kUnits, LoopKind::kBrief + 1);
  }
  EXPECT_TRUE(brief.IsBrief(kUnits));
  EXPECT_FALSE(brief.IsBrief(kUnits + 1));
  EXPECT_FALSE(longer.IsBrief(1));
}

TEST(LoopKindTest, MoreUnitsAreBriefAsLongAsTheyFit) {
  LoopKind kind;
  TimesToBelieve(kind);
  EXPECT_TRUE(kind.IsBrief(4 * kUnits));
  EXPECT_FALSE(kind.IsBrief(4 * kUnits + 1));
}

TEST(LoopKindTest, TheSlowestOfSomeLoopsCounts) {
  LoopKind kind;
  kind.Took(kUnits, kShort);
  kind.Took(kUnits, 2 * kShort);
  while (!kind.IsBrief(1)) kind.Took(kUnits, kShort);
  EXPECT_FALSE(kind.IsBrief(2 * kUnits + 1));
}

TEST(LoopKindTest, FewUnitsDoNotSpeakForVeryMany) {
  LoopKind kind;
  for (int i = 0; i < 10; ++i) kind.Took(kUnits, 0);
  EXPECT_TRUE(kind.IsBrief(2 * kUnits));
  EXPECT_FALSE(kind.IsBrief(100 * kUnits));
}

TEST(LoopKindTest, UnitsBeyondCountingFit) {
  constexpr std::uint32_t kMany = ~std::uint32_t{0};
  LoopKind kind;
  for (int i = 0; i < 10; ++i) kind.Took(kMany, 1);
  EXPECT_TRUE(kind.IsBrief(kMany));
}

TEST(LoopKindTest, LongLoopsInBetweenBeginTheRowAnew) {
  LoopKind kind;
  for (int i = 0; i < 100; ++i) {
    kind.Took(kUnits, kShort);
    kind.Took(kUnits, LoopKind::kBrief + 1);
    EXPECT_FALSE(kind.IsBrief(1));
  }
}

TEST(LoopKindTest, OneLongLoopAmongManyIsForgivenAndOneAmongFewIsNot) {
  LoopKind kind;
  TimesToBelieve(kind);
  for (int i = 0; i < 100; ++i) {
    kind.WasLong(LoopKind::kLong + 1);
    EXPECT_TRUE(kind.IsBrief(kUnits));
    for (int j = 0; j < 100; ++j) kind.WasBrief();
  }
  kind.WasLong(LoopKind::kLong + 1);
  for (int j = 0; j < 10; ++j) kind.WasBrief();
  kind.WasLong(LoopKind::kLong + 1);
  EXPECT_FALSE(kind.IsBrief(1));
}

TEST(LoopKindTest, OneThatIsLongerThanAnyInterruptionIsNot) {
  constexpr std::uint64_t kInterrupted = 300000;
  constexpr std::uint64_t kVeryLong = 1000000;
  LoopKind kind;
  TimesToBelieve(kind);
  kind.WasLong(kInterrupted);
  EXPECT_TRUE(kind.IsBrief(kUnits));
  for (int i = 0; i < 100; ++i) kind.WasBrief();
  kind.WasLong(kVeryLong);
  EXPECT_FALSE(kind.IsBrief(1));
}

TEST(LoopKindTest, ABrokenBeliefTakesTwiceAsLongToComeBackUpToSomeLimit) {
  LoopKind kind;
  int before = TimesToBelieve(kind);
  for (int i = 0; i < 3; ++i) {
    kind.WasLong(LoopKind::kLong + 1);
    kind.WasLong(LoopKind::kLong + 1);
    const int now = TimesToBelieve(kind);
    EXPECT_EQ(now, 2 * before);
    before = now;
  }
  for (int i = 0; i < 100; ++i) {
    kind.WasLong(LoopKind::kLong + 1);
    kind.WasLong(LoopKind::kLong + 1);
    EXPECT_LE(TimesToBelieve(kind), 100);
  }
}

// How many of the next loops begin as uneven ones.
int UnevenOnes(LoopKind& kind) {
  int ones = 0;
  while (kind.BeginsUneven()) ++ones;
  return ones;
}

TEST(LoopKindTest, OneUnevenLoopAmongManyIsForgivenAndOneAmongFewIsNot) {
  LoopKind kind;
  EXPECT_EQ(UnevenOnes(kind), 0);
  for (int i = 0; i < 100; ++i) {
    kind.WasUneven();
    for (int j = 0; j < 100; ++j) EXPECT_FALSE(kind.BeginsUneven());
  }
  kind.WasUneven();
  for (int j = 0; j < 10; ++j) EXPECT_FALSE(kind.BeginsUneven());
  kind.WasUneven();
  EXPECT_GT(UnevenOnes(kind), 10);
}

TEST(LoopKindTest, WhatIsUnevenAgainIsSoForTwiceAsManyUpToSomeLimit) {
  LoopKind kind;
  int before = 0;
  for (int i = 0; i < 20; ++i) {
    kind.WasUneven();
    kind.WasUneven();
    const int now = UnevenOnes(kind);
    EXPECT_TRUE(before == 0 || now == 2 * before || now == 1024) << now;
    before = now;
  }
  EXPECT_EQ(before, 1024);
}

TEST(LoopKindTest, EachTypeHasAKindOfItsOwn) { EXPECT_NE(&loop_kind<int>, &loop_kind<double>); }

TEST(LoopKindTest, SizesOfOneOrderOfMagnitudeAreOneKind) {
  const LoopKind kind;
  for (int order = 0; order < 32; ++order) {
    const std::uint32_t least = std::uint32_t{1} << order;
    const std::uint32_t most = least + (least - 1);
    EXPECT_EQ(kind.OfSize(least), kind.OfSize(most)) << order;
    EXPECT_EQ(kind.OfSize(least), kind.OfSize(least + least / 3)) << order;
  }
}

TEST(LoopKindTest, OtherSizesAndOtherKindsAreTakenForNeither) {
  // Neighbours in memory.
  const std::array<LoopKind, 3> kinds;
  std::set<const void*> all;
  for (const LoopKind& kind : kinds) {
    for (int order = 0; order < 32; ++order) {
      EXPECT_TRUE(all.insert(kind.OfSize(std::uint32_t{1} << order)).second) << order;
    }
  }
}

constexpr std::uint64_t kDear = 100000;

// One thread that makes and joins, one after the other.
class LoopKindSegmentsTest : public testing::Test {
 protected:
  void Make(std::uint64_t elapsed) {
    kind_.MadeSegment(now_, now_ + elapsed);
    now_ += elapsed;
  }
  void Join(std::uint64_t elapsed) {
    kind_.JoinedSegment(now_, now_ + elapsed);
    now_ += elapsed;
  }
  // How many loops run alone until one that needs more than `dear` would not.
  int LoopsUntilLessThan(std::uint64_t dear) {
    int loops = 0;
    for (; kind_.making_and_joining() >= dear; ++loops) kind_.NeededNoSegments();
    return loops;
  }

  LoopKind kind_;
  std::uint64_t now_ = 1;
};

TEST_F(LoopKindSegmentsTest, WhatTheyTakeIsNothingUntilItIsDear) {
  for (int i = 0; i < 10; ++i) {
    Make(100);
    Join(200);
  }
  EXPECT_EQ(kind_.making_and_joining(), 0u);
  for (int i = 0; i < 20; ++i) Make(kDear);
  EXPECT_NEAR(static_cast<double>(kind_.making()), static_cast<double>(kDear), 10);
  EXPECT_EQ(kind_.making_and_joining(), kind_.making());
  for (int i = 0; i < 20; ++i) Join(kDear / 2);
  EXPECT_NEAR(static_cast<double>(kind_.making_and_joining()), 1.5 * kDear, 20);
  for (int i = 0; i < 20; ++i) Make(100);
  EXPECT_EQ(kind_.making(), 0u);
}

TEST_F(LoopKindSegmentsTest, WhatNobodyHasSeenForLongIsForgotten) {
  for (int i = 0; i < 20; ++i) {
    Make(kDear);
    Join(kDear);
  }
  kind_.NeededNoSegments();
  EXPECT_GT(kind_.making_and_joining(), 19 * kDear / 10);
  EXPECT_LT(LoopsUntilLessThan(1), 1000);
}

TEST_F(LoopKindSegmentsTest, AnInterruptionIsNotDear) {
  for (const std::uint64_t interruption : {std::uint64_t{3000}, kDear}) {
    for (int i = 0; i < 10; ++i) {
      Make(interruption);
      EXPECT_EQ(kind_.making(), 0u);
      Make(100);
    }
  }
}

constexpr std::uint64_t kThrottled = 90000000;

TEST_F(LoopKindSegmentsTest, AnInterruptionOfAllThreadsIsNotDear) {
  for (int i = 0; i < 10; ++i) {
    for (std::uint64_t thread = 0; thread != 8; ++thread) {
      kind_.MadeSegment(now_ + thread * 100, now_ + kThrottled + thread * 200);
    }
    EXPECT_EQ(kind_.making(), 0u);
    now_ += 2 * kThrottled;
    Make(100);
  }
}

TEST_F(LoopKindSegmentsTest, TwoInterruptionsInARowAreForgottenSoon) {
  for (int i = 0; i < 2; ++i) Make(kThrottled);
  EXPECT_GT(kind_.making(), kDear);
  EXPECT_LT(LoopsUntilLessThan(kDear), 64);
  for (int i = 0; i < 2; ++i) Make(kThrottled);
  for (int i = 0; i < 4; ++i) Make(100);
  EXPECT_GT(kind_.making(), kDear);
  EXPECT_LT(LoopsUntilLessThan(kDear), 64);
}

TEST_F(LoopKindSegmentsTest, WhatIsForgottenIsAsIfItHadNeverBeen) {
  for (int i = 0; i < 10; ++i) Make(kDear);
  EXPECT_GT(LoopsUntilLessThan(1), 100);
  for (int i = 0; i < 2; ++i) Make(kThrottled);
  EXPECT_LT(LoopsUntilLessThan(kDear), 64);
}

TEST_F(LoopKindSegmentsTest, WhatIsAlwaysDearIsRemembered) {
  for (int i = 0; i < 10; ++i) Make(100 * kDear);
  EXPECT_GT(LoopsUntilLessThan(kDear), 250);
}

}  // namespace
}  // namespace filch
