#include <tbb/blocked_range.h>
#include <tbb/blocked_range2d.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_group.h>

#include <atomic>
#include <climits>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/argument_tails.h"
#include "tests/conformance/parallelism_fixture.h"

// A program with functions for anything, whose names the headers have, too. A call of one of
// them, with what belongs to the program, would find these.
namespace program {

template <typename Index, typename Function>
void parallel_for(Index first, Index last, Index step, const Function& f);

#define NAMED_AS_IN_THE_HEADERS(name) \
  template <typename... Arguments>    \
  void name(Arguments&&...) = delete
NAMED_AS_IN_THE_HEADERS(CheckStep);
NAMED_AS_IN_THE_HEADERS(Cut);
NAMED_AS_IN_THE_HEADERS(CutIntoParts);
NAMED_AS_IN_THE_HEADERS(ForIndicesIn);
NAMED_AS_IN_THE_HEADERS(ForIndicesInOwn);
NAMED_AS_IN_THE_HEADERS(ForRangeIn);
NAMED_AS_IN_THE_HEADERS(ForRangeInOwn);
NAMED_AS_IN_THE_HEADERS(Join);
NAMED_AS_IN_THE_HEADERS(MostParts);
NAMED_AS_IN_THE_HEADERS(OffsetCut);
NAMED_AS_IN_THE_HEADERS(RunFor);
NAMED_AS_IN_THE_HEADERS(RunGuarded);
NAMED_AS_IN_THE_HEADERS(RunIndices);
NAMED_AS_IN_THE_HEADERS(RunKeeping);
NAMED_AS_IN_THE_HEADERS(RunUnits);
NAMED_AS_IN_THE_HEADERS(StepsBefore);
NAMED_AS_IN_THE_HEADERS(WithContextUnlessCancelled);
NAMED_AS_IN_THE_HEADERS(WithOwnContext);
#undef NAMED_AS_IN_THE_HEADERS

// Adds the indices up.
struct Body {
  explicit Body(std::atomic<int>& all) : sum(&all) {}
  void operator()(int i) const { *sum += i; }
  template <typename Range>
  void operator()(const Range& part) const {
    for (int i = part.begin(); i != part.end(); ++i) *sum += i;
  }

  std::atomic<int>* sum;
};

class Range {
 public:
  Range(int begin, int end) : begin_(begin), end_(end) {}
  Range(Range& rest, tbb::split)
      : begin_(rest.begin_ + (rest.end_ - rest.begin_) / 2), end_(rest.end_) {
    rest.end_ = begin_;
  }
  bool empty() const { return begin_ == end_; }
  bool is_divisible() const { return end_ - begin_ > 1; }
  int begin() const { return begin_; }
  int end() const { return end_; }

 private:
  int begin_;
  int end_;
};

}  // namespace program

namespace {

using ParallelForTest = ParallelismTest;
INSTANTIATE_TEST_SUITE_P(Limits, ParallelForTest, kLimits);

// How often each index was run.
class Visits {
 public:
  explicit Visits(std::size_t size) : counts_(size) {}
  void Mark(std::size_t i) { counts_.at(i).fetch_add(1, std::memory_order_relaxed); }
  // The number of indices that were run another number of times than `times`.
  std::size_t NotRun(int times) const {
    std::size_t wrong = 0;
    for (const std::atomic<int>& count : counts_) {
      if (count.load(std::memory_order_relaxed) != times) ++wrong;
    }
    return wrong;
  }

 private:
  std::vector<std::atomic<int>> counts_;
};

constexpr int kSize = 1003;

TEST_P(ParallelForTest, TakesARangeInAllTenForms) {
  int forms = 0;
  ForEachTail([&](auto&&... tail) {
    Visits visits(kSize);
    tbb::parallel_for(
        tbb::blocked_range<int>(0, kSize),
        [&](const tbb::blocked_range<int>& part) {
          for (int i = part.begin(); i != part.end(); ++i) {
            visits.Mark(static_cast<std::size_t>(i));
          }
        },
        tail...);
    EXPECT_EQ(visits.NotRun(1), 0u) << "form " << forms;
    ++forms;
  });
  EXPECT_EQ(forms, 10);
}

TEST_P(ParallelForTest, TakesAnIndexInAllTenForms) {
  int forms = 0;
  ForEachTail([&](auto&&... tail) {
    Visits visits(kSize);
    tbb::parallel_for(
        0, kSize, [&](int i) { visits.Mark(static_cast<std::size_t>(i)); }, tail...);
    EXPECT_EQ(visits.NotRun(1), 0u) << "form " << forms;
    ++forms;
  });
  EXPECT_EQ(forms, 10);
}

TEST_P(ParallelForTest, TakesAStepInAllTenForms) {
  for (const int step : {1, 2, 7, 1000, 5000}) {
    ForEachTail([&](auto&&... tail) {
      std::vector<std::atomic<int>> counts(kSize);
      tbb::parallel_for(
          3, kSize, step, [&](int i) { ++counts[static_cast<std::size_t>(i)]; }, tail...);
      for (int i = 0; i < kSize; ++i) {
        const int expected = i >= 3 && (i - 3) % step == 0 ? 1 : 0;
        ASSERT_EQ(counts[static_cast<std::size_t>(i)], expected) << i << " by " << step;
      }
    });
  }
}

TEST_P(ParallelForTest, CallsNoFunctionOfTheProgramThatHasTheSameName) {
  ForEachTail([](auto&&... tail) {
    std::atomic<int> sum{0};
    tbb::parallel_for(0, 100, program::Body(sum), tail...);
    tbb::parallel_for(0, 100, 3, program::Body(sum), tail...);
    tbb::parallel_for(tbb::blocked_range<int>(0, 100), program::Body(sum), tail...);
    tbb::parallel_for(program::Range(0, 100), program::Body(sum), tail...);
    EXPECT_EQ(sum, 3 * 4950 + 1683);
  });
}

TEST_P(ParallelForTest, RefusesAStepThatIsNotPositive) {
  EXPECT_THROW(tbb::parallel_for(0, 10, 0, [](int) {}), std::invalid_argument);
  EXPECT_THROW(tbb::parallel_for(0, 10, -1, [](int) {}), std::invalid_argument);
  EXPECT_THROW(tbb::parallel_for(
                   10, 0, 0, [](int) {}, tbb::simple_partitioner()),
               std::invalid_argument);
}

TEST_P(ParallelForTest, RunsNothingOnAnEmptyRange) {
  const auto never = [](int) { FAIL() << "ran on an empty range"; };
  tbb::parallel_for(5, 5, never);
  tbb::parallel_for(5, 4, never);
  tbb::parallel_for(5, -5, 3, never);
  tbb::parallel_for(tbb::blocked_range<int>(7, 7),
                    [](const tbb::blocked_range<int>&) { FAIL() << "ran on an empty range"; });
}

template <typename Index>
void CountFromTo(Index first, Index last, std::size_t expected) {
  std::atomic<std::size_t> count{0};
  std::atomic<bool> outside{false};
  tbb::parallel_for(first, last, [&](Index i) {
    if (i < first || !(i < last)) outside = true;
    count.fetch_add(1, std::memory_order_relaxed);
  });
  EXPECT_EQ(count, expected);
  EXPECT_FALSE(outside);
}

TEST_P(ParallelForTest, ReachesTheLimitsOfItsIndexType) {
  CountFromTo<signed char>(-100, 27, 127);
  CountFromTo<unsigned char>(0, 255, 255);
  CountFromTo<short>(SHRT_MAX - 50, SHRT_MAX, 50);
  CountFromTo<int>(INT_MAX - 1000, INT_MAX, 1000);
  CountFromTo<int>(INT_MIN, INT_MIN + 1000, 1000);
  CountFromTo<unsigned>(UINT_MAX - 1000, UINT_MAX, 1000);
  CountFromTo<long long>(LLONG_MAX - 1000, LLONG_MAX, 1000);
  CountFromTo<long long>(LLONG_MIN, LLONG_MIN + 1000, 1000);
  CountFromTo<std::size_t>(SIZE_MAX - 1000, SIZE_MAX, 1000);
}

TEST_P(ParallelForTest, IteratesOverPointersAndIterators) {
  std::vector<int> data(kSize, 1);
  tbb::parallel_for(tbb::blocked_range<int*>(data.data(), data.data() + kSize),
                    [](const tbb::blocked_range<int*>& part) {
                      for (int& x : part) ++x;
                    });
  tbb::parallel_for(tbb::blocked_range<std::vector<int>::iterator>(data.begin(), data.end()),
                    [](const auto& part) {
                      for (int& x : part) ++x;
                    });
  EXPECT_EQ(data, std::vector<int>(kSize, 3));
}

// Neither an integer nor an iterator: only what blocked_range asks of a Value.
class Day {
 public:
  explicit Day(int number) : number_(number) {}
  int number() const { return number_; }
  friend bool operator<(Day a, Day b) { return a.number_ < b.number_; }
  friend std::size_t operator-(Day a, Day b) {
    return static_cast<std::size_t>(a.number_ - b.number_);
  }
  friend Day operator+(Day a, std::size_t n) { return Day(a.number_ + static_cast<int>(n)); }
  // Only oneTBB needs it.
  [[maybe_unused]] friend Day operator-(Day a, std::size_t n) {
    return Day(a.number_ - static_cast<int>(n));
  }

 private:
  int number_;
};

TEST_P(ParallelForTest, IteratesOverValuesThatAreNoIterators) {
  ForEachTail([&](auto&&... tail) {
    Visits visits(kSize);
    tbb::parallel_for(
        tbb::blocked_range<Day>(Day(0), Day(kSize), 5),
        [&](const tbb::blocked_range<Day>& part) {
          for (int i = part.begin().number(); i < part.end().number(); ++i) {
            visits.Mark(static_cast<std::size_t>(i));
          }
        },
        tail...);
    EXPECT_EQ(visits.NotRun(1), 0u);
  });
}

// A range of its own kind that only knows the plain splitting constructor.
class ListRange {
 public:
  explicit ListRange(std::vector<std::size_t> items) : items_(std::move(items)) {}
  ListRange(ListRange& rest, tbb::split)
      : items_(rest.items_.begin() + static_cast<std::ptrdiff_t>(rest.items_.size() / 2),
               rest.items_.end()) {
    rest.items_.resize(rest.items_.size() / 2);
  }
  bool empty() const { return items_.empty(); }
  bool is_divisible() const { return items_.size() > 3; }
  const std::vector<std::size_t>& items() const { return items_; }

 private:
  std::vector<std::size_t> items_;
};

TEST_P(ParallelForTest, TakesARangeThatOnlyKnowsThePlainSplit) {
  std::vector<std::size_t> items;
  for (std::size_t i = 0; i < 500; ++i) items.push_back(i * 7 % 500);
  ForEachTail([&](auto&&... tail) {
    Visits visits(500);
    tbb::parallel_for(
        ListRange(items),
        [&](const ListRange& part) {
          for (std::size_t i : part.items()) visits.Mark(i);
        },
        tail...);
    EXPECT_EQ(visits.NotRun(1), 0u);
  });
}

TEST_P(ParallelForTest, TakesTwoDimensions) {
  ForEachTail([&](auto&&... tail) {
    Visits visits(60 * 70);
    tbb::parallel_for(
        tbb::blocked_range2d<int>(0, 60, 3, 0, 70, 9),
        [&](const tbb::blocked_range2d<int>& part) {
          for (int r = part.rows().begin(); r != part.rows().end(); ++r) {
            for (int c = part.cols().begin(); c != part.cols().end(); ++c) {
              visits.Mark(static_cast<std::size_t>(r * 70 + c));
            }
          }
        },
        tail...);
    EXPECT_EQ(visits.NotRun(1), 0u);
  });
}

TEST_P(ParallelForTest, RethrowsTheFirstExceptionUnchanged) {
  ForEachTail([&](auto&&... tail) {
    std::atomic<int> ran{0};
    try {
      tbb::parallel_for(
          0, 10000,
          [&](int i) {
            ++ran;
            if (i % 100 == 7) throw std::out_of_range("index " + std::to_string(i));
          },
          tail...);
      // A context that an earlier form cancelled runs nothing at all.
      EXPECT_EQ(ran, 0);
    } catch (const std::out_of_range& error) {
      EXPECT_EQ(std::string(error.what()).rfind("index ", 0), 0u);
    }
  });
  EXPECT_THROW(tbb::parallel_for(0, 100, [](int) { throw 5; }), int);
}

TEST_P(ParallelForTest, StopsEarlyWhenItsContextIsCancelled) {
  constexpr int kMany = 10000000;
  tbb::task_group_context context;
  std::atomic<int> ran{0};
  tbb::parallel_for(
      tbb::blocked_range<int>(0, kMany),
      [&](const tbb::blocked_range<int>& part) {
        ran += static_cast<int>(part.size());
        context.cancel_group_execution();
      },
      tbb::simple_partitioner(), context);
  EXPECT_LT(ran, kMany);
  EXPECT_TRUE(context.is_group_execution_cancelled());
}

TEST_P(ParallelForTest, RunsNothingInACancelledContext) {
  tbb::task_group_context context;
  context.cancel_group_execution();
  std::atomic<int> ran{0};
  tbb::parallel_for(
      0, 100, [&](int) { ++ran; }, context);
  EXPECT_EQ(ran, 0);
  context.reset();
  tbb::parallel_for(
      0, 100, [&](int) { ++ran; }, context);
  EXPECT_EQ(ran, 100);
}

TEST_P(ParallelForTest, Nests) {
  Visits visits(20 * 30 * 10);
  tbb::parallel_for(std::size_t{0}, std::size_t{20}, [&](std::size_t a) {
    tbb::parallel_for(std::size_t{0}, std::size_t{30}, [&](std::size_t b) {
      tbb::parallel_for(std::size_t{0}, std::size_t{10},
                        [&](std::size_t c) { visits.Mark((a * 30 + b) * 10 + c); });
    });
  });
  EXPECT_EQ(visits.NotRun(1), 0u);
}

TEST_P(ParallelForTest, AnExceptionOfAnInnerLoopMayBeCaughtInTheBody) {
  std::atomic<int> caught{0};
  tbb::parallel_for(0, 50, [&](int i) {
    try {
      tbb::parallel_for(0, 50, [&](int j) {
        if (i == j) throw std::runtime_error("inner");
      });
    } catch (const std::runtime_error&) {
      ++caught;
    }
  });
  EXPECT_EQ(caught, 50);
}

TEST_P(ParallelForTest, WhatTheBodiesWroteIsVisibleAfterwards) {
  for (int repeat = 0; repeat < 200; ++repeat) {
    std::vector<int> plain(100);
    tbb::parallel_for(std::size_t{0}, plain.size(),
                      [&](std::size_t i) { plain[i] = repeat + static_cast<int>(i); });
    for (std::size_t i = 0; i < plain.size(); ++i) {
      ASSERT_EQ(plain[i], repeat + static_cast<int>(i));
    }
  }
}

// A number that is not to be mixed up with others.
class Row {
 public:
  explicit Row(int number) : number_(number) {}
  int number() const { return number_; }

  friend bool operator<(Row a, Row b) { return a.number_ < b.number_; }
  friend Row operator+(Row a, Row b) { return Row(a.number_ + b.number_); }
  friend Row operator*(Row a, Row b) { return Row(a.number_ * b.number_); }
  friend Row operator/(Row a, Row b) { return Row(a.number_ / b.number_); }
  friend Row operator-(Row a, Row b) { return Row(a.number_ - b.number_); }
  friend Row operator+(Row a, std::size_t n) { return Row(a.number_ + static_cast<int>(n)); }
  operator std::size_t() const { return static_cast<std::size_t>(number_); }
  Row& operator++() { return *this += Row(1); }
  Row& operator+=(Row other) { return *this = *this + other; }

 private:
  int number_;
};

TEST_P(ParallelForTest, CountsWithAClassThatCounts) {
  std::vector<std::atomic<int>> visits(100);
  const auto visit = [&](Row row) { ++visits[static_cast<std::size_t>(row.number())]; };
  tbb::parallel_for(Row(10), Row(90), visit);
  tbb::parallel_for(Row(0), Row(100), Row(3), visit, tbb::simple_partitioner());
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(visits[static_cast<std::size_t>(i)], (i >= 10 && i < 90) + (i % 3 == 0)) << i;
  }
}

#if TBB_INTERFACE_VERSION >= 12130  // the reference before wants indices as differences
// A place, between two of which lies a number and no place.
class Place {
 public:
  Place(std::size_t at) : at_(at) {}
  std::size_t at() const { return at_; }

  friend bool operator<(Place a, Place b) { return a.at_ < b.at_; }
  bool operator<=(const Place& other) const { return at_ <= other.at_; }
  friend Place operator+(Place a, Place b) { return Place(a.at_ + b.at_); }
  friend Place operator*(Place a, Place b) { return Place(a.at_ * b.at_); }
  friend Place operator/(Place a, Place b) { return Place(a.at_ / b.at_); }
  std::size_t operator-(const Place& other) const { return at_ - other.at_; }
  Place operator+(std::size_t n) const { return Place(at_ + n); }
  Place& operator++() { return *this += Place(1); }
  Place& operator+=(const Place& other) {
    at_ += other.at_;
    return *this;
  }

 private:
  std::size_t at_;
};

TEST_P(ParallelForTest, CountsPlacesWhoseDifferencesAreNumbers) {
  std::vector<std::atomic<int>> visits(100);
  const auto visit = [&](Place place) { ++visits[place.at()]; };
  tbb::parallel_for(Place(10), Place(90), visit);
  tbb::parallel_for(Place(1), Place(100), Place(3), visit);
  for (std::size_t i = 0; i < visits.size(); ++i) {
    EXPECT_EQ(visits[i], (i >= 10 && i < 90) + (i % 3 == 1)) << i;
  }
}
#endif

}  // namespace
