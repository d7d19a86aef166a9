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

}  // namespace
}  // namespace filch
