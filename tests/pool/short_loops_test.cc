#include "filch/pool/short_loops.h"

#include <array>
#include <cstddef>

#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

// Times so often until the kind is believed to be short; 1000 if never.
int TimesToBelieve(ShortLoops& loops, const void* kind) {
  for (int times = 0; times < 1000; ++times) {
    if (loops.Contains(kind)) return times;
    loops.Note(kind, true);
  }
  return 1000;
}

TEST(ShortLoopsTest, AKindIsShortWhenSomeInARowWere) {
  const int kind = 0;
  ShortLoops loops;
  EXPECT_FALSE(loops.Contains(&kind));
  loops.Note(&kind, true);
  EXPECT_FALSE(loops.Contains(&kind));
  EXPECT_LE(TimesToBelieve(loops, &kind), 10);
  EXPECT_TRUE(loops.Contains(&kind));
}

TEST(ShortLoopsTest, LongOnesInBetweenBeginTheRowAnew) {
  const int kind = 0;
  ShortLoops loops;
  for (int i = 0; i < 100; ++i) {
    loops.Note(&kind, true);
    loops.Note(&kind, true);
    loops.Note(&kind, false);
    EXPECT_FALSE(loops.Contains(&kind));
  }
}

TEST(ShortLoopsTest, WhoWasBelievedAndIsLongIsBelievedLater) {
  const int kind = 0;
  ShortLoops loops;
  int before = TimesToBelieve(loops, &kind);
  for (int i = 0; i < 3; ++i) {
    loops.Note(&kind, false);
    EXPECT_FALSE(loops.Contains(&kind));
    const int now = TimesToBelieve(loops, &kind);
    EXPECT_EQ(now, 2 * before);
    before = now;
  }
}

TEST(ShortLoopsTest, WhoIsLongAgainAndAgainIsStillBelievedInTheEnd) {
  const int kind = 0;
  ShortLoops loops;
  for (int i = 0; i < 100; ++i) {
    EXPECT_LE(TimesToBelieve(loops, &kind), 100);
    loops.Note(&kind, false);
  }
}

TEST(ShortLoopsTest, KindsAreNotTakenForEachOther) {
  const std::array<char, 1000> kinds{};
  ShortLoops loops;
  TimesToBelieve(loops, &kinds[0]);
  for (std::size_t i = 1; i < kinds.size(); ++i) EXPECT_FALSE(loops.Contains(&kinds[i])) << i;
  EXPECT_TRUE(loops.Contains(&kinds[0]));
}

TEST(ShortLoopsTest, ALongLoopOfOneKindSaysNothingOfItsNeighbour) {
  const std::array<char, 2> kinds{};
  ShortLoops loops;
  TimesToBelieve(loops, &kinds[0]);
  TimesToBelieve(loops, &kinds[1]);
  loops.Note(&kinds[1], false);
  EXPECT_TRUE(loops.Contains(&kinds[0]));
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
