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

TEST(LoopKindTest, WhatSegmentsTakeIsNothingUntilItIsDear) {
  LoopKind kind;
  for (int i = 0; i < 10; ++i) {
    kind.MadeSegment(100);
    kind.JoinedSegment(200);
  }
  EXPECT_EQ(kind.making_and_joining(), 0u);
  for (int i = 0; i < 20; ++i) kind.MadeSegment(kDear);
  EXPECT_NEAR(static_cast<double>(kind.making()), static_cast<double>(kDear), 10);
  EXPECT_EQ(kind.making_and_joining(), kind.making());
  for (int i = 0; i < 20; ++i) kind.JoinedSegment(kDear / 2);
  EXPECT_NEAR(static_cast<double>(kind.making_and_joining()), 1.5 * kDear, 20);
  for (int i = 0; i < 20; ++i) kind.MadeSegment(100);
  EXPECT_EQ(kind.making(), 0u);
}

TEST(LoopKindTest, WhatNobodyHasSeenForLongIsForgotten) {
  LoopKind kind;
  for (int i = 0; i < 20; ++i) {
    kind.MadeSegment(kDear);
    kind.JoinedSegment(kDear);
  }
  kind.NeededNoSegments();
  EXPECT_GT(kind.making_and_joining(), 19 * kDear / 10);
  for (int i = 0; i < 1000; ++i) kind.NeededNoSegments();
  EXPECT_EQ(kind.making_and_joining(), 0u);
}

TEST(LoopKindTest, AnInterruptionIsNotDear) {
  LoopKind kind;
  for (int i = 0; i < 10; ++i) {
    kind.MadeSegment(kDear);
    EXPECT_EQ(kind.making(), 0u);
    kind.MadeSegment(100);
  }
}

}  // namespace
}  // namespace filch
