#include "filch/partitioner/index_space.h"

#include <cstdint>
#include <limits>

#include "gtest/gtest.h"

namespace filch {
namespace {

template <typename Index>
class IndexSpaceTest : public ::testing::Test {
 public:
  static constexpr Index kLowest = std::numeric_limits<Index>::min();
  static constexpr Index kHighest = std::numeric_limits<Index>::max();

  // `space` covers [begin, end) with its units, in order and without gaps.
  static void ExpectCovers(const IndexSpace<Index>& space, Index begin, Index end) {
    Index expected = begin;
    for (std::uint32_t unit = 0; unit < space.units(); ++unit) {
      const IndexInterval<Index> indices = space.Indices({unit, unit + 1});
      ASSERT_EQ(indices.begin, expected);
      ASSERT_FALSE(indices.empty());
      ASSERT_EQ(space.FirstUnitFrom(indices.begin), unit);
      ASSERT_EQ(space.FirstUnitFrom(indices.end), unit + 1);
      expected = indices.end;
    }
    ASSERT_EQ(expected, end);
  }
};

using IndexTypes = ::testing::Types<signed char, unsigned char, char, short, unsigned short, int,
                                    unsigned, long, unsigned long, long long, unsigned long long>;
TYPED_TEST_SUITE(IndexSpaceTest, IndexTypes);

TYPED_TEST(IndexSpaceTest, CoversSmallSpacesAtEveryPlaceOfTheType) {
  using Index = TypeParam;
  for (int size = 0; size <= 20; ++size) {
    for (Index begin : {this->kLowest, static_cast<Index>(this->kLowest + 1), Index{0}, Index{3},
                        static_cast<Index>(this->kLowest / 2 - 7 * (this->kLowest < 0)),
                        static_cast<Index>(this->kHighest - size)}) {
      const Index end = static_cast<Index>(begin + static_cast<Index>(size));
      for (std::uint64_t grain : {1, 2, 3, 7, 20, 21}) {
        const IndexSpace<Index> space(begin, end, grain);
        EXPECT_EQ(space.size(), static_cast<std::uint64_t>(size));
        EXPECT_EQ(space.units(), (size + grain - 1) / grain);
        this->ExpectCovers(space, begin, end);
      }
    }
  }
}

TYPED_TEST(IndexSpaceTest, WholeTypeFitsByRaisingTheGrain) {
  using Index = TypeParam;
  const IndexSpace<Index> space(this->kLowest, this->kHighest);
  const std::uint64_t size =
      static_cast<std::uint64_t>(this->kHighest) - static_cast<std::uint64_t>(this->kLowest);
  EXPECT_EQ(space.size(), size);
  ASSERT_GT(space.units(), 0u);
  const IndexInterval<Index> all = space.Indices({0, space.units()});
  EXPECT_EQ(all.begin, this->kLowest);
  EXPECT_EQ(all.end, this->kHighest);
  const IndexInterval<Index> last = space.Indices({space.units() - 1, space.units()});
  EXPECT_FALSE(last.empty());
  EXPECT_EQ(last.end, this->kHighest);
  EXPECT_EQ(space.FirstUnitFrom(last.begin), space.units() - 1);
  if (sizeof(Index) < 4) {
    EXPECT_EQ(space.grain(), 1u);
    this->ExpectCovers(space, this->kLowest, this->kHighest);
  }
}

TYPED_TEST(IndexSpaceTest, BackwardSpacesAreEmpty) {
  using Index = TypeParam;
  const IndexSpace<Index> space(this->kHighest, this->kLowest);
  EXPECT_EQ(space.size(), 0u);
  EXPECT_EQ(space.units(), 0u);
  EXPECT_TRUE(space.Indices({0, 0}).empty());
}

TEST(IndexSpaceLimitsTest, HugeGrainsAndSpacesDoNotOverflow) {
  const IndexSpace<std::uint64_t> one_unit(0, UINT64_MAX, UINT64_MAX);
  EXPECT_EQ(one_unit.units(), 1u);
  EXPECT_EQ(one_unit.Indices({0, 1}).end, UINT64_MAX);

  const IndexSpace<std::uint64_t> two_units(0, UINT64_MAX, UINT64_MAX - 1);
  EXPECT_EQ(two_units.units(), 2u);
  EXPECT_EQ(two_units.Indices({1, 2}).begin, UINT64_MAX - 1);
  EXPECT_EQ(two_units.Indices({1, 2}).end, UINT64_MAX);

  const IndexSpace<std::int64_t> everything(INT64_MIN, INT64_MAX);
  EXPECT_LE(everything.grain(), (std::uint64_t{1} << 32) + 1);

  const IndexSpace<std::uint64_t> just_fits(0, UINT32_MAX);
  EXPECT_EQ(just_fits.grain(), 1u);
  const IndexSpace<std::uint64_t> just_too_large(0, std::uint64_t{UINT32_MAX} + 1);
  EXPECT_EQ(just_too_large.grain(), 2u);
}

TEST(IndexSpaceDeathTest, GrainOfZeroFails) {
  EXPECT_DEATH((IndexSpace<int>(0, 10, 0)), "IndexSpace: the grain is 0");
}

}  // namespace
}  // namespace filch
