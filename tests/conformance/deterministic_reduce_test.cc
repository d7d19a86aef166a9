// The tree of a deterministic reduction is a contract: programs compare sums of floating-point
// numbers bit for bit, also those of a run with another TBB.  What is written here as text has the
// same cuts, splits and joins.
#include <tbb/blocked_range.h>
#include <tbb/blocked_range2d.h>
#include <tbb/parallel_reduce.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <string>
#include <thread>

#include "gtest/gtest.h"

namespace {

using Range = tbb::blocked_range<int>;

std::string Name(const Range& range) {
  return std::to_string(range.begin()) + "-" + std::to_string(range.end());
}
std::string Name(const tbb::blocked_range2d<int>& range) {
  return Name(range.rows()) + "x" + Name(range.cols());
}

// A range that only knows how to be halved.
class Halved {
 public:
  Halved(int begin, int end) : range_(begin, end) {}
  Halved(Halved& other, tbb::split) : range_(other.range_, tbb::split()) {}
  bool empty() const { return range_.empty(); }
  bool is_divisible() const { return range_.is_divisible(); }
  const Range& range() const { return range_; }

 private:
  Range range_;
};
std::string Name(const Halved& range) { return Name(range.range()); }

// A range of which each cut leaves one number on the left.
class GivesOne {
 public:
  GivesOne(int begin, int end) : begin_(begin), end_(end) {}
  GivesOne(GivesOne& other, tbb::split) : begin_(other.begin_ + 1), end_(other.end_) {
    other.end_ = begin_;
  }
  bool empty() const { return begin_ == end_; }
  bool is_divisible() const { return end_ - begin_ > 1; }
  Range range() const { return {begin_, end_}; }

 private:
  int begin_;
  int end_;
};
std::string Name(const GivesOne& range) { return Name(range.range()); }

// "[s]" is a body that was split from one that had seen s, "(l r)" is l and r joined.
class Text {
 public:
  Text() = default;
  Text(Text& from, tbb::split) : text_("[" + from.text_ + "]") {}
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;

  template <typename R>
  void operator()(const R& part) {
    text_ += Name(part);
    std::this_thread::yield();
  }
  void join(Text& right) { text_ = "(" + text_ + " " + right.text_ + ")"; }

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

template <typename R, typename Partitioner>
std::string Tree(const R& range, const Partitioner& partitioner) {
  Text text;
  tbb::parallel_deterministic_reduce(range, text, partitioner);
  return text.text();
}

// Of static_partitioner where there is room for so many threads, the same every time.
template <typename R>
std::string StaticTree(int threads, const R& range) {
  tbb::task_arena arena(threads);
  std::string first;
  arena.execute([&] {
    first = Tree(range, tbb::static_partitioner());
    for (int repeat = 0; repeat < 100; ++repeat) {
      EXPECT_EQ(Tree(range, tbb::static_partitioner()), first);
    }
  });
  return first;
}

TEST(DeterministicReduceTest, StaticSplitsAndJoinsAlongOneTree) {
  EXPECT_EQ(StaticTree(1, Range(0, 8)), "0-8");
  EXPECT_EQ(StaticTree(2, Range(0, 7)), "(0-3 []3-7)");
  EXPECT_EQ(StaticTree(3, Range(0, 100)), "((0-33 []33-67) []67-100)");
  EXPECT_EQ(StaticTree(4, Range(0, 3)), "(0-1 ([]1-2 [[]]2-3))");
  EXPECT_EQ(StaticTree(4, Range(0, 1001)), "((0-250 []250-500) ([]500-750 [[]]750-1001))");
  EXPECT_EQ(StaticTree(5, Range(0, 1000, 300)),
            "(((0-200 []200-400) []400-600) ([]600-800 [[]]800-1000))");
  EXPECT_EQ(StaticTree(8, Range(0, 33)),
            "(((0-4 []4-8) ([]8-12 [[]]12-16)) (([]16-20 [[]]20-24) ([[]]24-28 [[[]]]28-33)))");
}

TEST(DeterministicReduceTest, StaticDoesSoForAllRanges) {
  EXPECT_EQ(StaticTree(4, Halved(0, 10)), "((0-2 []2-5) ([]5-7 [[]]7-10))");
  EXPECT_EQ(StaticTree(5, Halved(0, 10)), "(((0-1 []1-2) []2-5) ([]5-7 [[]]7-10))");
  EXPECT_EQ(StaticTree(3, tbb::blocked_range2d<int>(0, 3, 0, 10)),
            "((0-3x0-3 []0-3x3-7) []0-3x7-10)");
}

TEST(DeterministicReduceTest, SimpleSplitsAndJoinsAlongTheTreeOfHalves) {
  for (int repeat = 0; repeat < 100; ++repeat) {
    EXPECT_EQ(Tree(Range(0, 7, 2), tbb::simple_partitioner()), "((0-1 []1-3) ([]3-5 [[]]5-7))");
    EXPECT_EQ(Tree(tbb::blocked_range2d<int>(0, 2, 0, 3), tbb::simple_partitioner()),
              "((0-1x0-1 []1-2x0-1) (([]0-1x1-2 [[]]0-1x2-3) ([[]]1-2x1-2 [[[]]]1-2x2-3)))");
  }
}

TEST(DeterministicReduceTest, SoItDoesWhereThePartsOfACutAreNotAlike) {
  for (int repeat = 0; repeat < 100; ++repeat) {
    EXPECT_EQ(Tree(Range(0, 3), tbb::simple_partitioner()), "(0-1 ([]1-2 [[]]2-3))");
    EXPECT_EQ(Tree(Range(0, 6), tbb::simple_partitioner()),
              "((0-1 ([]1-2 [[]]2-3)) ([]3-4 ([[]]4-5 [[[]]]5-6)))");
    EXPECT_EQ(Tree(GivesOne(0, 5), tbb::simple_partitioner()),
              "(0-1 ([]1-2 ([[]]2-3 ([[[]]]3-4 [[[[]]]]4-5))))");
  }
}

TEST(DeterministicReduceTest, SoItDoesHoweverDeepTheTreeIs) {
  constexpr int kParts = 300;
  std::string left;
  std::string right;
  std::string brackets;
  for (int i = 0; i < kParts; ++i) {
    const bool is_last = i == kParts - 1;
    left += (is_last ? "" : "(") + brackets + Name(Range(i, i + 1)) + (is_last ? "" : " ");
    right += is_last ? "" : ")";
    brackets = "[" + brackets + "]";
  }
  for (int repeat = 0; repeat < 20; ++repeat) {
    EXPECT_EQ(Tree(GivesOne(0, kParts), tbb::simple_partitioner()), left + right);
  }
}

// A body that throws for one number.
class Thrower {
 public:
  explicit Thrower(int thrown) : thrown_(thrown) {}
  Thrower(Thrower& from, tbb::split) : thrown_(from.thrown_) {}
  void operator()(const Range& part) {
    for (int i : {part.begin(), part.end() - 1}) {
      if (i == thrown_) throw i;
    }
  }
  void join(Thrower&) {}

 private:
  const int thrown_;
};

TEST(DeterministicReduceTest, WhatOneOfThreePartsThrowsArrives) {
  for (int repeat = 0; repeat < 100; ++repeat) {
    for (int thrown = 0; thrown < 3; ++thrown) {
      Thrower body(thrown);
      try {
        tbb::parallel_deterministic_reduce(Range(0, 3), body);
        ADD_FAILURE() << thrown;
      } catch (int caught) {
        EXPECT_EQ(caught, thrown);
      }
    }
  }
}

}  // namespace
