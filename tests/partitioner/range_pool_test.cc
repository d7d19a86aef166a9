#include "filch/partitioner/range_pool.h"

#include <memory>

#include "filch/partitioner/divisible_range.h"
#include "filch/partitioner/index_range.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

using Range = IndexRange<int>;
using Pool = partitioner_internal::RangePool<Range, 4>;

TEST(RangePoolTest, BackIsTheFirstPartAndFrontTheLargest) {
  Pool pool(Range(0, 16));
  pool.CutBack(3);
  ASSERT_EQ(pool.size(), 4u);
  EXPECT_EQ(pool.back().begin(), 0);
  EXPECT_EQ(pool.back().end(), 2);
  EXPECT_EQ(pool.front().begin(), 8);
  EXPECT_EQ(pool.front().end(), 16);
}

TEST(RangePoolTest, WorkingOffTheBackVisitsEverythingInOrder) {
  Pool pool(Range(0, 100));
  int next = 0;
  while (!pool.empty()) {
    pool.CutBack(10);
    EXPECT_EQ(pool.back().begin(), next);
    next = pool.back().end();
    pool.PopBack();
  }
  EXPECT_EQ(next, 100);
}

TEST(RangePoolTest, GivingTheFrontAwayLeavesTheRest) {
  Pool pool(Range(0, 64));
  int end = 64;
  for (int round = 0; round < 20; ++round) {
    pool.CutBack(20);
    if (pool.size() < 2) break;
    const Range given = pool.TakeFront();
    EXPECT_EQ(given.end(), end);
    end = given.begin();
  }
  EXPECT_EQ(pool.size(), 1u);
  EXPECT_EQ(pool.back().begin(), 0);
  EXPECT_EQ(pool.back().end(), 1);
}

TEST(RangePoolTest, StopsAtTheDepthTheCapacityAndTheGrain) {
  Pool shallow(Range(0, 100));
  shallow.CutBack(1);
  EXPECT_EQ(shallow.size(), 2u);
  Pool full(Range(0, 100));
  full.CutBack(10);
  EXPECT_EQ(full.size(), 4u);
  Pool coarse(Range(0, 100, 60));
  coarse.CutBack(10);
  EXPECT_EQ(coarse.size(), 2u);
}

// A range that counts its living copies.
class Counted {
 public:
  explicit Counted(int size) : size_(size) {}
  Counted(Counted& whole, Split) : size_(whole.size_ / 2), alive_(whole.alive_) {
    whole.size_ -= size_;
  }
  bool empty() const { return size_ == 0; }
  bool is_divisible() const { return size_ > 1; }
  long alive() const { return alive_.use_count(); }

 private:
  int size_;
  std::shared_ptr<int> alive_ = std::make_shared<int>(0);
};

TEST(RangePoolTest, DestroysEachRangeItHoldsOnce) {
  const Counted outside(100);
  {
    partitioner_internal::RangePool<Counted, 8> pool(outside);
    pool.CutBack(7);
    EXPECT_EQ(outside.alive(), 9);
    pool.PopBack();
    pool.TakeFront();
    EXPECT_EQ(outside.alive(), 7);
  }
  EXPECT_EQ(outside.alive(), 1);
}

}  // namespace
}  // namespace filch
