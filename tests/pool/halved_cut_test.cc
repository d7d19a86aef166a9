#include "filch/pool/halved_cut.h"

#include <cstdint>

#include "gtest/gtest.h"
#include "tests/pool/parts_of.h"

namespace filch {
namespace {

// As ranges that can be split are halved.
void Halve(std::uint64_t begin, std::uint64_t end, std::uint64_t grain, Parts* parts) {
  if (end - begin <= grain) return parts->emplace_back(begin, end), void();
  const std::uint64_t middle = begin + (end - begin) / 2;
  Halve(begin, middle, grain, parts);
  Halve(middle, end, grain, parts);
}

TEST(HalvedCutTest, CutsAsRecursionDoes) {
  for (std::uint64_t size = 1; size <= 300; ++size) {
    for (std::uint64_t grain = 1; grain <= size + 1; ++grain) {
      Parts expected;
      Halve(0, size, grain, &expected);
      const HalvedCut cut(size, grain);
      ASSERT_EQ(cut.units(), expected.size()) << size << " by " << grain;
      ASSERT_EQ(PartsOf(cut), expected) << size << " by " << grain;
    }
  }
}

TEST(HalvedCutTest, GivesTheSamePartsWhereverALoopBegins) {
  for (const std::uint64_t size : {1u, 2u, 21u, 22u, 100u, 1000u}) {
    for (const std::uint64_t grain : {1u, 2u, 3u, 10u, 64u}) {
      const HalvedCut cut(size, grain);
      const Parts all = PartsOf(cut);
      for (std::uint32_t begin = 0; begin < cut.units(); ++begin) {
        for (std::uint32_t end = begin; end <= cut.units(); end += 1 + end / 8) {
          ASSERT_EQ(PartsOf(cut, {begin, end}), Parts(all.begin() + begin, all.begin() + end))
              << size << " by " << grain;
        }
      }
    }
  }
}

TEST(HalvedCutTest, AGrainOfZeroIsOne) { EXPECT_EQ(HalvedCut(7, 0).units(), 7u); }

TEST(HalvedCutTest, HasNoMoreUnitsThanALoopTakes) {
  constexpr std::uint32_t kMost = std::uint32_t{1} << 31;
  const HalvedCut cut(UINT64_MAX, 1);
  EXPECT_EQ(cut.units(), kMost);
  EXPECT_EQ(PartsOf(cut, {kMost - 1, kMost}).back().second, UINT64_MAX);
  EXPECT_EQ(PartsOf(cut, {0, 1}).front().first, 0u);
  EXPECT_LE(HalvedCut(std::uint64_t{kMost} + 1, 1).units(), kMost);
  EXPECT_EQ(HalvedCut(kMost, 1).units(), kMost);
  const HalvedCut large(UINT64_MAX, UINT64_MAX / 3);
  EXPECT_EQ(PartsOf(large, {2, 4}),
            (Parts{{UINT64_MAX / 2, UINT64_MAX / 2 + (std::uint64_t{1} << 62)},
                   {UINT64_MAX / 2 + (std::uint64_t{1} << 62), UINT64_MAX}}));
}

}  // namespace
}  // namespace filch
