#include <tbb/blocked_range.h>
#include <tbb/blocked_range2d.h>
#include <tbb/blocked_range3d.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>

#include <atomic>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "gtest/gtest.h"

namespace {

static_assert(!std::is_default_constructible_v<tbb::blocked_range<int>>);
static_assert(std::is_copy_constructible_v<tbb::blocked_range<int>>);
static_assert(std::is_copy_assignable_v<tbb::blocked_range<int>>);
static_assert(std::is_same_v<tbb::blocked_range<long>::const_iterator, long>);
static_assert(std::is_same_v<tbb::blocked_range<long>::size_type, std::size_t>);
static_assert(std::is_same_v<oneapi::tbb::blocked_range<int>, tbb::blocked_range<int>>);

// The least that a Value must offer (of the last two operators, one is for oneTBB).
class Position {
 public:
  static Position At(int at) { return Position(at); }
  int at() const { return at_; }
  friend bool operator<(const Position& a, const Position& b) { return a.at_ < b.at_; }
  friend std::size_t operator-(const Position& a, const Position& b) {
    return static_cast<std::size_t>(a.at_ - b.at_);
  }
  [[maybe_unused]] friend Position operator+(const Position& a, std::size_t n) {
    return Position(a.at_ + static_cast<int>(n));
  }
  [[maybe_unused]] friend Position operator-(const Position& a, std::size_t n) {
    return Position(a.at_ - static_cast<int>(n));
  }

 private:
  explicit Position(int at) : at_(at) {}
  int at_;
};

TEST(BlockedRangeTest, KnowsItsBoundsAndGrain) {
  const tbb::blocked_range<int> range(-3, 12, 4);
  EXPECT_EQ(range.begin(), -3);
  EXPECT_EQ(range.end(), 12);
  EXPECT_EQ(range.size(), 15u);
  EXPECT_EQ(range.grainsize(), 4u);
  EXPECT_FALSE(range.empty());
  EXPECT_TRUE(range.is_divisible());
  EXPECT_EQ(tbb::blocked_range<int>(0, 9).grainsize(), 1u);
}

TEST(BlockedRangeTest, IsEmptyWhereTheEndIsNotAboveTheBegin) {
  EXPECT_TRUE(tbb::blocked_range<int>(5, 5).empty());
  EXPECT_TRUE(tbb::blocked_range<int>(5, 4).empty());
  EXPECT_FALSE(tbb::blocked_range<int>(5, 6).empty());
}

TEST(BlockedRangeTest, IsDivisibleOnlyAboveTheGrain) {
  EXPECT_FALSE(tbb::blocked_range<int>(0, 7, 7).is_divisible());
  EXPECT_TRUE(tbb::blocked_range<int>(0, 8, 7).is_divisible());
  EXPECT_FALSE(tbb::blocked_range<int>(0, 1).is_divisible());
}

TEST(BlockedRangeTest, SplitsIntoTwoHalvesInOrder) {
  for (int begin = -9; begin < 9; ++begin) {
    for (int size = 2; size < 40; ++size) {
      tbb::blocked_range<int> left(begin, begin + size);
      const tbb::blocked_range<int> right(left, tbb::split());
      EXPECT_EQ(left.begin(), begin);
      EXPECT_EQ(left.end(), right.begin());
      EXPECT_EQ(right.end(), begin + size);
      EXPECT_EQ(left.size(), static_cast<std::size_t>(size / 2));
      EXPECT_EQ(right.grainsize(), 1u);
    }
  }
}

TEST(BlockedRangeTest, KeepsItsGrainWhenSplit) {
  tbb::blocked_range<int> left(0, 100, 13);
  const tbb::blocked_range<int> right(left, tbb::split());
  EXPECT_EQ(left.grainsize(), 13u);
  EXPECT_EQ(right.grainsize(), 13u);
}

TEST(BlockedRangeTest, SplitsInProportion) {
  for (std::size_t l = 1; l < 6; ++l) {
    for (std::size_t r = 1; r < 6; ++r) {
      const std::size_t size = 1000 * (l + r);
      tbb::blocked_range<std::size_t> left(0, size);
      tbb::proportional_split ratio(l, r);
      const tbb::blocked_range<std::size_t> right(left, ratio);
      EXPECT_EQ(left.size(), 1000 * l);
      EXPECT_EQ(right.size(), 1000 * r);
      EXPECT_EQ(left.end(), right.begin());
    }
  }
}

TEST(BlockedRangeTest, AcceptsIteratorsAndMinimalValues) {
  std::vector<int> data(11);
  tbb::blocked_range<std::vector<int>::iterator> left(data.begin(), data.end());
  const tbb::blocked_range<std::vector<int>::iterator> right(left, tbb::split());
  EXPECT_EQ(right.begin() - data.begin(), 5);

  tbb::blocked_range<Position> a(Position::At(10), Position::At(20), 2);
  tbb::proportional_split ratio(3, 2);
  const tbb::blocked_range<Position> b(a, ratio);
  EXPECT_FALSE(a.empty());
  EXPECT_EQ(a.end().at(), 16);
  EXPECT_EQ(b.begin().at(), 16);
  EXPECT_EQ(b.end().at(), 20);
}

TEST(BlockedRangeTest, DeducesItsValueType) {
  const std::vector<int> data(4);
  tbb::blocked_range by_iterator(data.begin(), data.end());
  static_assert(
      std::is_same_v<decltype(by_iterator), tbb::blocked_range<std::vector<int>::const_iterator>>);
  tbb::blocked_range by_number(0L, 4L, 2);
  static_assert(std::is_same_v<decltype(by_number), tbb::blocked_range<long>>);
  EXPECT_EQ(by_iterator.size(), by_number.size());
}

TEST(ProportionalSplitTest, HoldsItsRatioAndTurnsIntoAPlainSplit) {
  const tbb::proportional_split ratio(7, 3);
  EXPECT_EQ(ratio.left(), 7u);
  EXPECT_EQ(ratio.right(), 3u);
  const tbb::proportional_split even;
  EXPECT_EQ(even.left(), 1u);
  EXPECT_EQ(even.right(), 1u);
  tbb::blocked_range<int> left(0, 10);
  const tbb::blocked_range<int> right(left, static_cast<tbb::split>(ratio));
  EXPECT_EQ(right.begin(), 5);
}

TEST(BlockedRange2dTest, SplitsTheDimensionWithMoreGrains) {
  tbb::blocked_range2d<int, long> wide(0, 10, 0, 30);
  const tbb::blocked_range2d<int, long> right(wide, tbb::split());
  EXPECT_EQ(wide.rows().size(), 10u);
  EXPECT_EQ(wide.cols().size(), 15u);
  EXPECT_EQ(right.cols().begin(), 15);
  EXPECT_EQ(right.rows().begin(), 0);

  tbb::blocked_range2d<int> coarse(0, 10, 1, 0, 30, 10);
  const tbb::blocked_range2d<int> lower(coarse, tbb::split());
  EXPECT_EQ(coarse.rows().size(), 5u);
  EXPECT_EQ(lower.rows().begin(), 5);
  EXPECT_EQ(lower.cols().size(), 30u);
}

TEST(BlockedRange2dTest, IsEmptyOrDivisibleByItsDimensions) {
  EXPECT_TRUE(tbb::blocked_range2d<int>(0, 0, 0, 5).empty());
  EXPECT_TRUE(tbb::blocked_range2d<int>(0, 5, 0, 0).empty());
  EXPECT_FALSE(tbb::blocked_range2d<int>(0, 1, 0, 1).empty());
  EXPECT_FALSE(tbb::blocked_range2d<int>(0, 4, 4, 0, 6, 6).is_divisible());
  EXPECT_TRUE(tbb::blocked_range2d<int>(0, 4, 4, 0, 7, 6).is_divisible());
}

TEST(BlockedRange2dTest, SplitsInProportion) {
  tbb::blocked_range2d<int> left(0, 10, 0, 100);
  tbb::proportional_split ratio(1, 3);
  const tbb::blocked_range2d<int> right(left, ratio);
  EXPECT_EQ(left.cols().size(), 25u);
  EXPECT_EQ(right.cols().size(), 75u);
}

TEST(BlockedRange3dTest, SplitsTheLongestOfThree) {
  tbb::blocked_range3d<int> a(0, 100, 0, 10, 0, 10);
  const tbb::blocked_range3d<int> b(a, tbb::split());
  EXPECT_EQ(a.pages().size(), 50u);
  EXPECT_EQ(b.pages().begin(), 50);

  tbb::blocked_range3d<int> c(0, 10, 0, 100, 0, 20);
  const tbb::blocked_range3d<int> d(c, tbb::split());
  EXPECT_EQ(c.rows().size(), 50u);
  EXPECT_EQ(d.pages().size(), 10u);

  tbb::blocked_range3d<int> e(0, 10, 5, 0, 10, 5, 0, 10, 1);
  const tbb::blocked_range3d<int> f(e, tbb::split());
  EXPECT_EQ(e.cols().size(), 5u);
  EXPECT_EQ(f.cols().end(), 10);
}

// Cuts to the end and counts the cells: no cell is lost, none is doubled.
template <typename Range>
void CountCells(Range range, std::vector<int>* cells) {
  if (range.is_divisible()) {
    Range right(range, tbb::split());
    CountCells(range, cells);
    CountCells(right, cells);
    return;
  }
  for (int p = range.pages().begin(); p != range.pages().end(); ++p) {
    for (int r = range.rows().begin(); r != range.rows().end(); ++r) {
      for (int c = range.cols().begin(); c != range.cols().end(); ++c) {
        ++(*cells)[static_cast<std::size_t>((p * 9 + r) * 11 + c)];
      }
    }
  }
}

TEST(BlockedRange3dTest, LosesNoCellWhenCutToTheEnd) {
  std::vector<int> cells(7 * 9 * 11);
  CountCells(tbb::blocked_range3d<int>(0, 7, 2, 0, 9, 1, 0, 11, 3), &cells);
  EXPECT_EQ(cells, std::vector<int>(7 * 9 * 11, 1));
}

// Values of which only their differences can be added to them, and these only be halved.
class Distance {
 public:
  explicit Distance(int n) : n_(n) {}
  operator std::size_t() const { return static_cast<std::size_t>(n_); }
  Distance operator/(unsigned divisor) const { return Distance(n_ / static_cast<int>(divisor)); }
  int Get() const { return n_; }

 private:
  int n_;
};
struct Point {
  int n;
};
bool operator<(Point a, Point b) { return a.n < b.n; }
Distance operator-(Point a, Point b) { return Distance(a.n - b.n); }
Point operator+(Point point, Distance distance) { return Point{point.n + distance.Get()}; }

void CountPoints(tbb::blocked_range<Point> range, std::vector<int>* points) {
  if (range.is_divisible()) {
    tbb::blocked_range<Point> right(range, tbb::split());
    CountPoints(range, points);
    CountPoints(right, points);
    return;
  }
  for (int n = range.begin().n; n != range.end().n; ++n) ++(*points)[static_cast<std::size_t>(n)];
}

TEST(BlockedRangeTest, ValuesMayTakeNothingButTheirDifferences) {
  std::vector<int> points(1000);
  CountPoints(tbb::blocked_range<Point>(Point{0}, Point{1000}), &points);
  EXPECT_EQ(points, std::vector<int>(1000, 1));

  std::vector<std::atomic<int>> visits(777);
  const auto visit = [&visits](const tbb::blocked_range<Point>& range) {
    for (int n = range.begin().n; n != range.end().n; ++n) ++visits[static_cast<std::size_t>(n)];
  };
  const tbb::blocked_range<Point> range(Point{0}, Point{777});
  tbb::parallel_for(range, visit);
  tbb::parallel_for(range, visit, tbb::simple_partitioner());
  for (const std::atomic<int>& count : visits) EXPECT_EQ(count, 2);
}

}  // namespace
