#include "filch/partitioner/shared_counter.h"

#include <cstdint>

#include "filch/partitioner/unit_interval.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

using partitioner_internal::SharedCounter;

TEST(SharedCounterTest, ChunksFollowEachOtherAndTheLastIsCutShort) {
  SharedCounter counter(10);
  EXPECT_EQ(counter.Take(4), (UnitInterval{0, 4}));
  EXPECT_EQ(counter.Take(4), (UnitInterval{4, 8}));
  EXPECT_EQ(counter.Take(4), (UnitInterval{8, 10}));
  EXPECT_TRUE(counter.Take(4).empty());
  EXPECT_TRUE(counter.Take(4).empty());
}

TEST(SharedCounterTest, SharesShrinkAndCoverEverything) {
  for (std::uint32_t units : {0u, 1u, 5u, 100u, UINT32_MAX}) {
    for (std::uint32_t parts : {1u, 2u, 7u}) {
      SharedCounter counter(units);
      std::uint32_t end = 0;
      std::uint32_t last = UINT32_MAX;
      for (UnitInterval share = counter.TakeShare(parts); !share.empty();
           share = counter.TakeShare(parts)) {
        EXPECT_EQ(share.begin, end);
        EXPECT_LE(share.size(), last);
        last = share.size();
        end = share.end;
      }
      EXPECT_EQ(end, units);
    }
  }
}

// Late takers must not run a 32-bit counter around to the beginning.
TEST(SharedCounterTest, StaysExhaustedWithTheLargestSpaceAndChunk) {
  SharedCounter counter(UINT32_MAX);
  EXPECT_EQ(counter.Take(UINT32_MAX).size(), UINT32_MAX);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(counter.Take(UINT32_MAX).empty());
  SharedCounter almost(UINT32_MAX);
  EXPECT_EQ(almost.Take(UINT32_MAX - 1).size(), UINT32_MAX - 1);
  EXPECT_EQ(almost.Take(UINT32_MAX).size(), 1u);
  EXPECT_TRUE(almost.Take(1).empty());
}

TEST(SharedCounterTest, StopDropsTheRest) {
  SharedCounter counter(100);
  EXPECT_FALSE(counter.Take(1).empty());
  counter.Stop();
  EXPECT_TRUE(counter.Take(1).empty());
  EXPECT_TRUE(counter.TakeShare(2).empty());
}

// A body may stop its loop at every index.
TEST(SharedCounterTest, StoppingAgainAndAgainStaysStopped) {
  SharedCounter counter(100);
  for (int i = 0; i < 1 << 24; ++i) counter.Stop();
  EXPECT_TRUE(counter.Take(1).empty());
  EXPECT_TRUE(counter.TakeShare(2).empty());
}

}  // namespace
}  // namespace filch
