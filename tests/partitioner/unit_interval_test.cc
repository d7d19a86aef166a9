#include "filch/partitioner/unit_interval.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace filch {
namespace {

TEST(UnitIntervalTest, BackwardIntervalsAreEmpty) {
  EXPECT_TRUE((UnitInterval{}).empty());
  EXPECT_TRUE((UnitInterval{5, 5}).empty());
  EXPECT_TRUE((UnitInterval{5, 3}).empty());
  EXPECT_EQ((UnitInterval{5, 3}).size(), 0u);
  EXPECT_EQ((UnitInterval{3, 5}).size(), 2u);
  EXPECT_EQ((UnitInterval{0, UINT32_MAX}).size(), UINT32_MAX);
}

TEST(UnitIntervalTest, CutsJoinUpAgainForEverySmallSize) {
  for (std::uint32_t base : {0u, 7u, UINT32_MAX - 6u}) {
    for (std::uint32_t size = 0; size <= 6; ++size) {
      for (std::uint32_t count = 0; count <= 8; ++count) {
        const UnitInterval whole{base, base + size};
        const std::uint32_t cut = count < size ? count : size;

        UnitInterval rest = whole;
        const UnitInterval lower = TakeLower(&rest, count);
        EXPECT_EQ(lower.size(), cut);
        EXPECT_EQ(lower.begin, whole.begin);
        EXPECT_EQ(lower.end, rest.begin);
        EXPECT_EQ(rest.end, whole.end);

        rest = whole;
        const UnitInterval upper = TakeUpper(&rest, count);
        EXPECT_EQ(upper.size(), cut);
        EXPECT_EQ(upper.end, whole.end);
        EXPECT_EQ(upper.begin, rest.end);
        EXPECT_EQ(rest.begin, whole.begin);
      }
    }
  }
}

TEST(UnitIntervalTest, NothingCanBeCutOffABackwardInterval) {
  UnitInterval backward{5, 3};
  EXPECT_TRUE(TakeLower(&backward, 2).empty());
  EXPECT_TRUE(TakeUpper(&backward, 2).empty());
  EXPECT_TRUE(backward.empty());
}

// A share rounded down and multiplied up again loses the remainder: of 10 units
// in 4 parts the last two would belong to nobody.
TEST(UnitIntervalTest, EvenSharesCoverEverythingAndDifferByAtMostOne) {
  for (std::uint32_t units : {0u, 1u, 2u, 3u, 9u, 10u, 11u, 64u, 1000000007u, UINT32_MAX}) {
    for (std::uint32_t parts : {1u, 2u, 3u, 4u, 7u, 16u, 1000u}) {
      std::uint32_t end = 0;
      for (std::uint32_t part = 0; part < parts; ++part) {
        const UnitInterval share = EvenShare(units, part, parts);
        ASSERT_EQ(share.begin, end);
        ASSERT_LE(share.begin, share.end);
        ASSERT_GE(share.size(), units / parts);
        ASSERT_LE(share.size(), std::uint64_t{units} / parts + 1);
        end = share.end;
      }
      ASSERT_EQ(end, units);
    }
  }
  EXPECT_EQ(EvenShare(10, 3, 4), (UnitInterval{7, 10}));
  EXPECT_EQ(EvenShare(UnitInterval{100, 110}, 3, 4), (UnitInterval{107, 110}));
  EXPECT_EQ(EvenShare(UINT32_MAX, UINT32_MAX - 1, UINT32_MAX),
            (UnitInterval{UINT32_MAX - 1, UINT32_MAX}));
}

}  // namespace
}  // namespace filch
