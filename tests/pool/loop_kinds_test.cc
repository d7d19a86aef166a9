#include "filch/pool/loop_kinds.h"

#include <array>
#include <cstddef>

#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

using Kinds = LoopKinds<8, 4>;

// Times so often until the kind is believed; 1000 if never.
int TimesToBelieve(Kinds& loops, const void* kind) {
  for (int times = 0; times < 1000; ++times) {
    if (loops.Contains(kind)) return times;
    loops.Note(kind, true);
  }
  return 1000;
}

TEST(LoopKindsTest, AKindIsBelievedWhenItWasSoSomeTimesInARow) {
  const int kind = 0;
  Kinds loops;
  EXPECT_FALSE(loops.Contains(&kind));
  loops.Note(&kind, true);
  EXPECT_FALSE(loops.Contains(&kind));
  EXPECT_LE(TimesToBelieve(loops, &kind), 10);
  EXPECT_TRUE(loops.Contains(&kind));
}

TEST(LoopKindsTest, OthersInBetweenBeginTheRowAnew) {
  const int kind = 0;
  Kinds loops;
  for (int i = 0; i < 100; ++i) {
    loops.Note(&kind, true);
    loops.Note(&kind, true);
    loops.Note(&kind, false);
    EXPECT_FALSE(loops.Contains(&kind));
  }
}

TEST(LoopKindsTest, WhatWasBelievedAndIsOtherwiseIsBelievedLater) {
  const int kind = 0;
  Kinds loops;
  int before = TimesToBelieve(loops, &kind);
  for (int i = 0; i < 3; ++i) {
    loops.Note(&kind, false);
    EXPECT_FALSE(loops.Contains(&kind));
    const int now = TimesToBelieve(loops, &kind);
    EXPECT_EQ(now, 2 * before);
    before = now;
  }
}

TEST(LoopKindsTest, WhatIsOtherwiseAgainAndAgainIsStillBelievedInTheEnd) {
  const int kind = 0;
  Kinds loops;
  for (int i = 0; i < 100; ++i) {
    EXPECT_LE(TimesToBelieve(loops, &kind), 100);
    loops.Note(&kind, false);
  }
}

TEST(LoopKindsTest, KindsAreNotTakenForEachOther) {
  const std::array<char, 1000> kinds{};
  Kinds loops;
  TimesToBelieve(loops, &kinds[0]);
  for (std::size_t i = 1; i < kinds.size(); ++i) EXPECT_FALSE(loops.Contains(&kinds[i])) << i;
  EXPECT_TRUE(loops.Contains(&kinds[0]));
}

TEST(LoopKindsTest, ALoopOfOneKindSaysNothingOfItsNeighbour) {
  const std::array<char, 2> kinds{};
  Kinds loops;
  TimesToBelieve(loops, &kinds[0]);
  TimesToBelieve(loops, &kinds[1]);
  loops.Note(&kinds[1], false);
  EXPECT_TRUE(loops.Contains(&kinds[0]));
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
