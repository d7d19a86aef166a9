#include "filch/pool/even_cut.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace filch {
namespace {

TEST(EvenCutTest, UnitsDifferByAtMostOneAndMissNothing) {
  for (std::uint64_t size = 1; size <= 40; ++size) {
    for (std::uint32_t units = 1; units <= size; ++units) {
      const EvenCut cut(size, units);
      EXPECT_EQ(cut.Begin(0), 0u);
      EXPECT_EQ(cut.Begin(units), size);
      for (std::uint32_t unit = 0; unit < units; ++unit) {
        const std::uint64_t length = cut.Begin(unit + 1) - cut.Begin(unit);
        EXPECT_TRUE(length == size / units || length == size / units + 1) << size << " " << units;
      }
    }
  }
}

TEST(EvenCutTest, AUnitHasBetweenHalfAGrainAndAGrain) {
  for (std::uint64_t size = 1; size <= 200; ++size) {
    for (std::uint64_t grain = 1; grain <= size; ++grain) {
      const EvenCut cut = EvenCut::ByGrain(size, grain);
      for (std::uint32_t unit = 0; unit < cut.units(); ++unit) {
        const std::uint64_t length = cut.Begin(unit + 1) - cut.Begin(unit);
        EXPECT_LE(length, grain);
        EXPECT_GE(2 * length, grain) << size << " " << grain;
      }
    }
  }
}

TEST(EvenCutTest, HasAsManyUnitsAsHalvingLeaves) {
  EXPECT_EQ(EvenCut::ByGrain(100, 10).units(), 16u);
  EXPECT_EQ(EvenCut::ByGrain(21, 10).units(), 3u);
  EXPECT_EQ(EvenCut::ByGrain(100, 1).units(), 100u);
}

TEST(EvenCutTest, HalvesWhatIsMoreThanAGrain) {
  const auto units = [](std::uint64_t size, std::uint64_t grain, std::uint32_t most) {
    return EvenCut::ByHalves(size, grain, most).units();
  };
  EXPECT_EQ(units(1000, 300, 4), 4u);
  EXPECT_EQ(units(1000, 300, 8), 4u);
  EXPECT_EQ(units(300, 300, 4), 1u);
  EXPECT_EQ(units(301, 300, 4), 2u);
  EXPECT_EQ(units(500, 300, 3), 3u);
  EXPECT_EQ(units(17, 2, 16), 9u);
  EXPECT_EQ(units(3, 0, 4), 3u);
  EXPECT_EQ(units(UINT64_MAX, 1, 7), 7u);
  EXPECT_EQ(units(UINT64_MAX, UINT64_MAX / 2, 7), 3u);
  for (std::uint64_t size = 1; size <= 100; ++size) {
    for (std::uint64_t grain = 1; grain <= size; ++grain) {
      for (std::uint32_t most = 1; most <= 17; ++most) {
        EXPECT_LE(units(size, grain, most), most);
        // Half a grain or more each.
        EXPECT_GE(2 * size, units(size, grain, most) * grain) << size << " " << grain;
      }
    }
  }
}

TEST(EvenCutTest, HasNoMoreUnitsThanALoopTakes) {
  const EvenCut cut = EvenCut::ByGrain(UINT64_MAX, 1);
  EXPECT_EQ(cut.units(), std::uint32_t{1} << 31);
  EXPECT_EQ(cut.Begin(cut.units()), UINT64_MAX);
}

TEST(EvenCutTest, GivesTheIntervalOfSomeUnits) {
  const EvenCut cut(10, 4);  // 3, 3, 2 and 2
  std::vector<std::pair<std::uint64_t, std::uint64_t>> parts;
  cut.ForParts({1, 4}, [&](std::uint64_t from, std::uint64_t to) { parts.emplace_back(from, to); });
  EXPECT_EQ(parts, (std::vector<std::pair<std::uint64_t, std::uint64_t>>{{3, 10}}));
}

}  // namespace
}  // namespace filch
