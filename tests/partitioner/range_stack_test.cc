#include "filch/partitioner/range_stack.h"

#include <cstdint>
#include <stdexcept>

#include "filch/partitioner/divisible_range.h"
#include "filch/partitioner/index_range.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

using partitioner_internal::RangeStack;
using Range = IndexRange<int>;

TEST(RangeStackTest, HasItsPiecesInOrderFromTheLeft) {
  for (int size = 1; size < 300; ++size) {
    RangeStack<Range, 8> stack(Range(0, size, 3));
    int next = 0;
    while (stack.size() > 0) {
      stack.CutLeft(5);
      EXPECT_EQ(stack.left().begin(), next);
      next = stack.left().end();
      stack.PopLeft();
    }
    EXPECT_EQ(next, size);
  }
}

TEST(RangeStackTest, CutsNoDeeperThanItIsTold) {
  RangeStack<Range, 8> stack(Range(0, 1024));
  stack.CutLeft(0);
  EXPECT_EQ(stack.size(), 1);
  stack.CutLeft(3);
  EXPECT_EQ(stack.size(), 4);
  EXPECT_EQ(stack.left().size(), 128);
  EXPECT_EQ(stack.right().size(), 512);
}

TEST(RangeStackTest, GivesAwayTheRightmostWhichIsTheLargest) {
  RangeStack<Range, 8> stack(Range(0, 1024));
  stack.CutLeft(100);
  EXPECT_EQ(stack.size(), 8);
  int end = 1024;
  while (stack.size() > 0) {
    EXPECT_EQ(stack.right().end(), end);
    EXPECT_GE(stack.right().size(), stack.left().size());
    end = stack.right().begin();
    stack.PopRight();
  }
  EXPECT_EQ(end, 0);
}

TEST(RangeStackTest, RefillsPlacesThatBecameFree) {
  RangeStack<Range, 8> stack(Range(0, 100000));
  int left = 0;
  int right = 100000;
  while (stack.size() > 0) {
    stack.CutLeft(1000);
    if (stack.size() > 1) {
      EXPECT_EQ(stack.right().end(), right);
      right = stack.right().begin();
      stack.PopRight();
    }
    EXPECT_EQ(stack.left().begin(), left);
    left = stack.left().end();
    stack.PopLeft();
  }
  EXPECT_EQ(left, right);
}

TEST(RangeStackTest, StopsAtTheCapacityAndTheGrain) {
  RangeStack<Range, 4> full(Range(0, 100));
  full.CutLeft(10);
  EXPECT_EQ(full.size(), 4);
  RangeStack<Range, 4> coarse(Range(0, 100, 60));
  coarse.CutLeft(10);
  EXPECT_EQ(coarse.size(), 2);
  RangeStack<Range, 1> whole(Range(0, 100));
  whole.CutLeft(10);
  EXPECT_EQ(whole.size(), 1);
}

TEST(RangeStackTest, HasAPlaceForEachHalvingOfTheLargestRange) {
  RangeStack<IndexRange<std::uint64_t>, 64> stack(IndexRange<std::uint64_t>(0, UINT64_MAX));
  std::uint64_t left = 0;
  while (left < 1000) {
    stack.CutLeft(64);
    EXPECT_EQ(stack.left().begin(), left);
    EXPECT_EQ(stack.left().end(), ++left);
    stack.PopLeft();
  }
  std::uint64_t right = UINT64_MAX;
  while (stack.size() > 0) {
    EXPECT_EQ(stack.right().end(), right);
    right = stack.right().begin();
    stack.PopRight();
  }
  EXPECT_EQ(right, left);
}

// Throws at the cut that leaves fewer than 10 items, and counts its objects.
class FragileRange {
 public:
  explicit FragileRange(int size) : size_(size) { ++alive; }
  FragileRange(const FragileRange& other) : size_(other.size_) { ++alive; }
  FragileRange(FragileRange& rest, Split) : size_(rest.size_ / 2) {
    if (size_ < 10) throw std::length_error("too small to cut");
    rest.size_ -= size_;
    ++alive;
  }
  ~FragileRange() { --alive; }
  FragileRange& operator=(const FragileRange&) = delete;
  bool empty() const { return size_ == 0; }
  bool is_divisible() const { return true; }
  int size() const { return size_; }

  static int alive;

 private:
  int size_;
};
int FragileRange::alive = 0;

TEST(RangeStackTest, LosesNothingWhenACutThrows) {
  {
    RangeStack<FragileRange, 8> stack(FragileRange(100));
    EXPECT_THROW(stack.CutLeft(10), std::length_error);
    int total = 0;
    while (stack.size() > 0) {
      total += stack.left().size();
      stack.PopLeft();
    }
    EXPECT_EQ(total, 100);
  }
  EXPECT_EQ(FragileRange::alive, 0);
}

TEST(RangeStackTest, DestroysEachRangeItHoldsOnce) {
  {
    RangeStack<FragileRange, 4> stack(FragileRange(1000));
    stack.CutLeft(10);
    EXPECT_EQ(FragileRange::alive, 4);
    stack.PopLeft();
    stack.PopRight();
    EXPECT_EQ(FragileRange::alive, 2);
  }
  EXPECT_EQ(FragileRange::alive, 0);
}

}  // namespace
}  // namespace filch
