#include "filch/pool/unit_batches.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

constexpr std::uint64_t kNoTime = 0;
constexpr std::uint64_t kLongTime = 1000000;

TEST(UnitBatchesTest, FewUnitsComeOneByOne) {
  UnitBatches batches(16, 2, 2);
  EXPECT_TRUE(batches.few());
  EXPECT_EQ(batches.Next(16), 1u);
  EXPECT_FALSE(UnitBatches(17, 2, 2).few());
}

// The largest batch of a loop of these whose units take no time, while so many are left.
std::uint32_t LargestOfShort(UnitBatches batches, std::uint32_t remaining) {
  std::uint32_t largest = 0;
  for (int i = 0; i < 40; ++i) {
    const std::uint32_t now = batches.Next(remaining);
    largest = std::max(largest, now);
    batches.Finished(now, kNoTime);
  }
  return largest;
}

TEST(UnitBatchesTest, ShortBatchesGrowUpToHalfOfAPart) {
  // However little is left.
  EXPECT_EQ(LargestOfShort(UnitBatches(1000, 2, 2), 10), 251u);
  EXPECT_EQ(LargestOfShort(UnitBatches(1000, 2, 5), 10), 101u);
  EXPECT_EQ(LargestOfShort(UnitBatches(1000, 2, UnitBatches::kNeverGrow), 10), 1u);
}

TEST(UnitBatchesTest, ALongBatchIsFollowedByAShortOne) {
  UnitBatches batches(1000, 2, 2);
  while (batches.Next(10) < 100) batches.Finished(batches.Next(10), kNoTime);
  EXPECT_TRUE(batches.seem_short());
  batches.Finished(batches.Next(10), kLongTime);
  EXPECT_FALSE(batches.seem_short());
  EXPECT_EQ(batches.Next(10), 1u);
}

TEST(UnitBatchesTest, BeginWithWhatTheyAreToldButNoMoreThanMayBe) {
  EXPECT_EQ(UnitBatches(1000, 2, 2, 100).Next(1000), 100u);
  EXPECT_EQ(UnitBatches(1000, 2, 2, 900).Next(1000), 251u);
  EXPECT_EQ(UnitBatches(1000, 2, 2, 0).Next(1000), 1u);
  EXPECT_EQ(UnitBatches(1000, 2, UnitBatches::kNeverGrow, 900).Next(1000), 1u);
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
  EXPECT_EQ(UnitBatches(kMost, 2, 1, kMost).Next(kMost), kMost / 2 + 1);
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
