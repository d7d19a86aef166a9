#include "filch/pool/proportional_cut.h"

#include <algorithm>
#include <cfenv>
#include <cstdint>
#include <random>

#include "gtest/gtest.h"
#include "tests/pool/parts_of.h"

namespace filch {
namespace {

// As ranges are cut that can be split in proportion.
void Cut(std::uint64_t begin, std::uint64_t end, std::uint64_t grain, std::uint32_t threads,
         Parts* parts) {
  if (threads < 2 || end - begin <= grain) return parts->emplace_back(begin, end), void();
  const std::uint32_t right = threads / 2;
  const std::uint64_t middle = end - ProportionalRight(end - begin, threads - right, right);
  Cut(begin, middle, grain, threads - right, parts);
  Cut(middle, end, grain, right, parts);
}

TEST(ProportionalCutTest, CutsAsRecursionDoes) {
  const auto check = [](std::uint64_t size, std::uint64_t grain, std::uint32_t threads) {
    Parts expected;
    Cut(0, size, grain, threads, &expected);
    const ProportionalCut cut(size, grain, threads);
    ASSERT_EQ(cut.units(), expected.size()) << size << " by " << grain << " for " << threads;
    ASSERT_EQ(PartsOf(cut), expected) << size << " by " << grain << " for " << threads;
    for (std::uint32_t unit = 0; unit < cut.units(); ++unit) {
      ASSERT_EQ(PartsOf(cut, {unit, unit + 1}), Parts{expected[unit]});
    }
  };
  for (std::uint32_t threads = 1; threads <= 17; ++threads) {
    for (std::uint64_t size = 1; size <= 100; ++size) {
      for (std::uint64_t grain = 1; grain <= size + 1; ++grain) check(size, grain, threads);
    }
  }
  // Where all parts are hardly larger than a grain, or hardly smaller.
  for (const std::uint64_t grain : {1u << 10, 1u << 24, 1u << 31}) {
    for (const std::uint32_t threads : {2u, 3u, 96u, 127u}) {
      for (std::uint64_t more = 0; more <= 8; ++more) {
        check(grain * threads + more, grain, threads);
        check(grain * threads - more, grain, threads);
        check((grain + more) * threads, grain, threads);
      }
    }
  }
}

TEST(ProportionalCutTest, GivesTheOddItemToTheRight) {
  EXPECT_EQ(PartsOf(ProportionalCut(7, 1, 2)), (Parts{{0, 3}, {3, 7}}));
  EXPECT_EQ(PartsOf(ProportionalCut(10, 1, 4)), (Parts{{0, 2}, {2, 5}, {5, 7}, {7, 10}}));
}

TEST(ProportionalCutTest, AGrainOrANumberOfThreadsOfZeroIsOne) {
  EXPECT_EQ(ProportionalCut(7, 0, 7).units(), 7u);
  EXPECT_EQ(ProportionalCut(7, 1, 0).units(), 1u);
}

TEST(ProportionalCutTest, ManyItemsAreSharedNearlyAlike) {
  const ProportionalCut cut(UINT64_MAX, 1, 1000);
  EXPECT_EQ(cut.units(), 1000u);
  std::uint64_t reached = 0;
  for (const auto& [begin, end] : PartsOf(cut)) {
    EXPECT_EQ(begin, reached);
    EXPECT_NEAR(static_cast<double>(end - begin), 1.8446744e16, 1e12);
    reached = end;
  }
  EXPECT_EQ(reached, UINT64_MAX);
}

TEST(ProportionalRightTest, LeavesNobodyWithoutAnItem) {
  EXPECT_EQ(ProportionalRight(2, 100, 1), 1u);
  EXPECT_EQ(ProportionalRight(2, 1, 100), 1u);
  EXPECT_EQ(ProportionalRight(UINT64_MAX, 1, UINT64_MAX - 1), UINT64_MAX - 1);
  EXPECT_EQ(ProportionalRight(0, 1, 1), 0u);
}

// As float has it, in one way for all.
std::uint64_t RightInFloat(std::uint64_t size, std::uint64_t left, std::uint64_t right) {
  const volatile float items = static_cast<float>(size) * static_cast<float>(right);
  const volatile float share = items / static_cast<float>(left + right);
  return static_cast<std::uint64_t>(share + 0.5f);
}

TEST(ProportionalRightTest, HalvesAsFloatDoes) {
  for (const std::uint64_t right : {1u, 2u, 3u, 32u, 1000u}) {
    const std::uint64_t limit = (1u << 24) / right;
    for (std::uint64_t size = 0; size < 2 * limit; size += 1 + size / 50) {
      ASSERT_EQ(ProportionalRight(size, right, right), RightInFloat(size, right, right)) << size;
    }
    for (std::uint64_t size = limit - 20; size < limit + 20; ++size) {
      ASSERT_EQ(ProportionalRight(size, right, right), RightInFloat(size, right, right)) << size;
    }
  }
}

TEST(ProportionalRightTest, SharesAsFloatDoes) {
  std::mt19937_64 random;
  for (int i = 0; i < 200000; ++i) {
    // Of all magnitudes.
    const std::uint64_t size = (random() >> (random() % 62)) / 4 + 2;
    const std::uint64_t left = random() % (std::uint64_t{1} << (random() % 32 + 1)) + 1;
    const std::uint64_t right = random() % (std::uint64_t{1} << (random() % 32 + 1)) + 1;
    const std::uint64_t expected =
        std::min(std::max<std::uint64_t>(RightInFloat(size, left, right), 1), size - 1);
    ASSERT_EQ(ProportionalRight(size, left, right), expected)
        << size << " as " << left << " : " << right;
  }
}

// A thread that rounds in another way runs the part that others leave to it.
TEST(ProportionalCutTest, DoesNotDependOnHowTheThreadRounds) {
  const std::uint64_t size = 123456789;
  const Parts expected = PartsOf(ProportionalCut(size, 1, 7));
  for (const int rounding : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    ASSERT_EQ(std::fesetround(rounding), 0);
    const Parts parts = PartsOf(ProportionalCut(size, 1, 7));
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(parts, expected);
  }
}

// Half of it would be 61728394 or 61728395.
TEST(ProportionalRightTest, CountsInFloat) {
  EXPECT_EQ(ProportionalRight(123456789, 1, 1), 61728396u);
}

}  // namespace
}  // namespace filch
