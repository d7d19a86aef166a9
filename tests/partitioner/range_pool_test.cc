#include "filch/partitioner/range_pool.h"

#include <memory>
#include <new>

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

// A range whose copies throw after so many.
class Fragile {
 public:
  Fragile(int size, int* copies_left) : counted_(size), copies_left_(copies_left) {}
  Fragile(const Fragile& other) : counted_(other.counted_), copies_left_(other.copies_left_) {
    if ((*copies_left_)-- == 0) throw std::bad_alloc();
  }
  Fragile(Fragile& whole, Split)
      : counted_(whole.counted_, Split{}), copies_left_(whole.copies_left_) {}
  bool empty() const { return counted_.empty(); }
  bool is_divisible() const { return counted_.is_divisible(); }
  long alive() const { return counted_.alive(); }

 private:
  Counted counted_;
  int* copies_left_;
};

TEST(RangePoolTest, DestroysEachRangeItHoldsOnceWhereverACopyThrows) {
  for (int copies = 1; copies <= 16; ++copies) {
    int copies_left = 1000;
    const Fragile outside(100, &copies_left);
    bool thrown = false;
    try {
      partitioner_internal::RangePool<Fragile, 8> pool(outside);
      copies_left = copies;
      pool.CutBack(7);
      while (!pool.empty()) pool.TakeFront();
    } catch (const std::bad_alloc&) {
      thrown = true;
    }
    EXPECT_TRUE(thrown);
    EXPECT_EQ(outside.alive(), 1);
  }
}

}  // namespace
}  // namespace filch
