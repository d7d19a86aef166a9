#include "filch/partitioner/batch_size.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace filch {
namespace {

constexpr std::uint32_t kPlenty = UINT32_MAX;

TEST(BatchSizeTest, DoublesWhileBatchesAreFasterThanTheTarget) {
  BatchSize batch(1, 1000);
  for (std::uint32_t expected = 1; expected <= 1024; expected *= 2) {
    EXPECT_EQ(batch.Next(kPlenty), expected);
    batch.Finished(expected, 999);
  }
}

TEST(BatchSizeTest, StaysBetweenOneAndTwoTargets) {
  BatchSize batch(1, 1000);
  batch.Finished(1, 10);
  batch.Finished(2, 1000);
  batch.Finished(2, 2000);
  EXPECT_EQ(batch.Next(kPlenty), 2u);
}

TEST(BatchSizeTest, ShrinksInOneStepWhenUnitsBecomeExpensive) {
  BatchSize batch(1, 1000);
  for (int i = 0; i < 10; ++i) batch.Finished(batch.size(), 10);
  EXPECT_EQ(batch.size(), 1024u);
  batch.Finished(1024, 1000 * 256);
  EXPECT_LE(batch.size(), 8u);
  batch.Finished(batch.size(), UINT64_MAX);
  EXPECT_EQ(batch.size(), 1u);
}

// So many batches for all units, where one takes `fixed` and what its units take.
std::uint32_t BatchesOf(std::uint32_t units, std::uint64_t fixed, std::uint64_t unit) {
  BatchSize batch(1, 1000);
  std::uint32_t batches = 0;
  for (std::uint32_t remaining = units; remaining > 0; ++batches) {
    const std::uint32_t now = batch.Next(remaining);
    remaining -= now;
    batch.Finished(now, fixed + unit * now);
  }
  return batches;
}

TEST(BatchSizeTest, DoesNotShrinkWhereTheTimeIsInTheBatch) {
  // As many as if a batch took nothing, and a few that find it out.
  const std::uint32_t shares = BatchesOf(1000000, 0, 0);
  EXPECT_LT(shares, 200u);
  EXPECT_LT(BatchesOf(1000000, 50000, 0), shares);
  EXPECT_LT(BatchesOf(1000000, 50000, 1), shares);
  // Units that take long are another matter.
  EXPECT_GT(BatchesOf(100000, 0, 500), 25000u);
}

TEST(BatchSizeTest, DoesNotShrinkWhereBatchesTakeLongerAndLonger) {
  BatchSize batch(1, 1000);
  std::uint32_t batches = 0;
  for (std::uint32_t done = 0; done < 1000000; ++batches) {
    const std::uint32_t now = batch.Next(1000000 - done);
    batch.Finished(now, done + now);
    done += now;
  }
  EXPECT_LT(batches, 300u);
}

TEST(BatchSizeTest, FindsOutThatTheTimeIsInTheUnitsAfterAll) {
  BatchSize batch(1, 1000);
  batch.Finished(1, 10);
  while (batch.size() < 1024) batch.Finished(batch.size(), 10);
  // Units that take longer and longer look like batches that do.
  batch.Finished(1024, 16000);
  std::uint32_t now = batch.size();
  batch.Finished(now, 16000);
  now = batch.size();
  for (int i = 0; i < 20; ++i) {
    now = batch.Next(kPlenty);
    batch.Finished(now, std::uint64_t{1000} * now);
  }
  EXPECT_LE(batch.size(), 2u);
}

TEST(BatchSizeTest, NeverExceedsItsShareOfTheRest) {
  BatchSize batch(4, 1000);
  for (int i = 0; i < 40; ++i) batch.Finished(batch.size(), 0);
  EXPECT_EQ(batch.size(), BatchSize::kMaxUnits);
  for (std::uint32_t remaining : {0u, 1u, 31u, 32u, 63u, 64u, 1000u, 1000000u}) {
    const std::uint32_t next = batch.Next(remaining);
    EXPECT_GE(next, 1u);
    EXPECT_LE(next, remaining / 32 == 0 ? 1u : remaining / 32);
  }
}

TEST(BatchSizeTest, BatchesCutShortDoNotGrowIt) {
  BatchSize batch(1, 1000);
  batch.Finished(1, 10);
  batch.Finished(2, 10);
  batch.Finished(3, 10);
  EXPECT_EQ(batch.size(), 4u);
}

TEST(BatchSizeTest, StartsAgainFromOneAfterASteal) {
  BatchSize batch(1, 1000);
  for (int i = 0; i < 5; ++i) batch.Finished(batch.size(), 10);
  batch.Stolen();
  EXPECT_EQ(batch.Next(kPlenty), 1u);
  // Nor is a slow batch from before compared with the first one.
  batch.Finished(1, 1500);
  batch.Stolen();
  batch.Finished(1, 1200);
  EXPECT_EQ(batch.Next(kPlenty), 1u);
}

TEST(BatchSizeTest, TargetOfZeroMeansOneAtATime) {
  BatchSize batch(1, 0);
  batch.Finished(1, 0);
  EXPECT_EQ(batch.Next(kPlenty), 1u);
}

TEST(BatchSizeTest, NoParticipantsCountAsOneAndManyDoNotOverflow) {
  EXPECT_EQ(BatchSize(0, 1).Next(100), 1u);
  BatchSize many(UINT32_MAX, 1000);
  many.Finished(1, 0);
  EXPECT_EQ(many.Next(kPlenty), 1u);
}

}  // namespace
}  // namespace filch
