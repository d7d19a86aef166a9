// Ranges that only the program knows how to cut, in loops that come again and again.
#include <tbb/blocked_range2d.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <tbb/partitioner.h>
#include <tbb/task.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

using GeneralRangesTest = ParallelismTest;
INSTANTIATE_TEST_SUITE_P(Limits, GeneralRangesTest, kLimits);

using Area = tbb::blocked_range2d<int>;

// So often that a scheduler that remembers loops of a kind does.
constexpr int kTimes = 50;

// An interval that counts how many of them there are.
class Interval {
 public:
  Interval(int begin, int end) : begin_(begin), end_(end) { ++alive; }
  Interval(const Interval& other) : begin_(other.begin_), end_(other.end_) { ++alive; }
  Interval(Interval& other, tbb::split)
      : begin_(other.begin_ + (other.end_ - other.begin_) / 2), end_(other.end_) {
    other.end_ = begin_;
    ++alive;
  }
  Interval& operator=(const Interval&) = delete;
  ~Interval() { --alive; }

  bool empty() const { return begin_ == end_; }
  bool is_divisible() const { return end_ - begin_ > 2; }
  int begin() const { return begin_; }
  int end() const { return end_; }

  static std::atomic<int> alive;

 private:
  int begin_;
  int end_;
};
std::atomic<int> Interval::alive{0};

// An interval that throws when it is cut, if it is told to.
class BrittleInterval : public Interval {
 public:
  BrittleInterval(int begin, int end) : Interval(begin, end) {}
  BrittleInterval(BrittleInterval& other, tbb::split) : Interval(Cut(other), tbb::split()) {}

  static std::atomic<bool> breaks;
  static std::atomic<bool> has_broken;
  // Cancels its loop before.
  static std::atomic<bool> cancels;

 private:
  static Interval& Cut(BrittleInterval& whole) {
    if (breaks) {
      if (cancels) tbb::task::current_context()->cancel_group_execution();
      has_broken = true;
      throw std::length_error("it broke");
    }
    return whole;
  }
};
std::atomic<bool> BrittleInterval::breaks{false};
std::atomic<bool> BrittleInterval::has_broken{false};
std::atomic<bool> BrittleInterval::cancels{false};

void BeBusy(int steps) {
  for (volatile int i = 0; i < steps; i = i + 1) {
  }
}

TEST_P(GeneralRangesTest, EachPlaceOfAnAreaIsRunOnceWhateverItTakes) {
  for (int time = 0; time < kTimes; ++time) {
    for (const int size : {1, 2, 5, 64, 70}) {
      const auto width = static_cast<std::size_t>(size);
      std::vector<std::atomic<int>> counts(width * 7);
      const int steps = time % 10 == 9 ? 1000 : 0;
      tbb::parallel_for(Area(0, size, 0, 7), [&](const Area& part) {
        for (int r = part.rows().begin(); r != part.rows().end(); ++r) {
          for (int c = part.cols().begin(); c != part.cols().end(); ++c) {
            ++counts[static_cast<std::size_t>(r * 7 + c)];
            BeBusy(steps);
          }
        }
      });
      for (const std::atomic<int>& count : counts) ASSERT_EQ(count, 1);
    }
  }
}

TEST_P(GeneralRangesTest, ReductionsJoinInOrderWhateverTheyTake) {
  const auto text_of = [](int from, int to) {
    std::string text;
    for (int i = from; i != to; ++i) text += static_cast<char>('a' + i % 26);
    return text;
  };
  for (int time = 0; time < kTimes; ++time) {
    for (const int size : {1, 3, 100, 3000}) {
      const int steps = time % 10 == 9 ? 100 : 0;
      const std::string text = tbb::parallel_reduce(
          Interval(0, size), std::string(),
          [&](const Interval& part, std::string sum) {
            BeBusy(steps * (part.end() - part.begin()));
            return sum + text_of(part.begin(), part.end());
          },
          [](const std::string& left, const std::string& right) { return left + right; });
      ASSERT_EQ(text, text_of(0, size));
    }
  }
  EXPECT_EQ(Interval::alive, 0);
}

TEST_P(GeneralRangesTest, ExceptionsAtTheEndComeThrough) {
  for (int time = 0; time < kTimes; ++time) {
    const bool throws = time % 2 == 1;
    const auto loop = [&] {
      tbb::parallel_for(Interval(0, 1000), [&](const Interval& part) {
        if (throws && part.end() == 1000) throw std::out_of_range("the last part");
      });
    };
    if (throws) {
      EXPECT_THROW(loop(), std::out_of_range);
    } else {
      loop();
    }
    EXPECT_EQ(Interval::alive, 0);
  }
}

// Calls loop(range, context) with ranges that break and others that do not.
template <typename Loop>
void CutBrittleIntervals(const Loop& loop) {
  // The first loop, and some after others that were over soon.
  for (int time = 0; time < kTimes; ++time) {
    BrittleInterval::breaks = time % 10 == 0;
    BrittleInterval::has_broken = false;
    tbb::task_group_context context;
    bool caught = false;
    try {
      loop(BrittleInterval(0, 1000), context);
    } catch (const std::length_error&) {
      caught = true;
    }
    EXPECT_EQ(caught, BrittleInterval::has_broken);
    EXPECT_EQ(context.is_group_execution_cancelled(), BrittleInterval::has_broken);
    EXPECT_EQ(Interval::alive, 0);
  }
}

template <typename Partitioner>
void CutBrittleIntervalsOfLoops() {
  Partitioner partitioner;
  CutBrittleIntervals([&](const BrittleInterval& range, tbb::task_group_context& context) {
    tbb::parallel_for(
        range, [](const BrittleInterval&) {}, partitioner, context);
    if (std::is_same_v<Partitioner, tbb::simple_partitioner>) {
      EXPECT_FALSE(BrittleInterval::breaks);
    }
  });
}

TEST_P(GeneralRangesTest, WhatCuttingThrowsArrivesAndCancels) {
  CutBrittleIntervalsOfLoops<tbb::auto_partitioner>();
  CutBrittleIntervalsOfLoops<tbb::simple_partitioner>();
  CutBrittleIntervalsOfLoops<tbb::static_partitioner>();
  CutBrittleIntervalsOfLoops<tbb::affinity_partitioner>();
}

int CountItems(const BrittleInterval& part, int count) { return count + part.end() - part.begin(); }

template <typename Partitioner>
void CutBrittleIntervalsOfReductions() {
  Partitioner partitioner;
  CutBrittleIntervals([&](const BrittleInterval& range, tbb::task_group_context& context) {
    const int count =
        tbb::parallel_reduce(range, 0, CountItems, std::plus<int>(), partitioner, context);
    EXPECT_EQ(count, 1000);
  });
}

TEST_P(GeneralRangesTest, WhatCuttingThrowsArrivesAndCancelsReductions) {
  CutBrittleIntervalsOfReductions<tbb::auto_partitioner>();
  CutBrittleIntervalsOfReductions<tbb::simple_partitioner>();
  CutBrittleIntervalsOfReductions<tbb::static_partitioner>();
  CutBrittleIntervalsOfReductions<tbb::affinity_partitioner>();
  CutBrittleIntervals([](const BrittleInterval& range, tbb::task_group_context& context) {
    const int count =
        tbb::parallel_deterministic_reduce(range, 0, CountItems, std::plus<int>(), context);
    EXPECT_EQ(count, 1000);
    EXPECT_FALSE(BrittleInterval::breaks);
  });
}

TEST_P(GeneralRangesTest, WhatCuttingThrowsAfterACancellationIsSilent) {
  BrittleInterval::breaks = true;
  BrittleInterval::has_broken = false;
  BrittleInterval::cancels = true;
  tbb::parallel_for(
      BrittleInterval(0, 1000), [](const BrittleInterval&) {}, tbb::simple_partitioner());
  EXPECT_TRUE(BrittleInterval::has_broken);
  BrittleInterval::has_broken = false;
  tbb::parallel_reduce(BrittleInterval(0, 1000), 0, CountItems, std::plus<int>(),
                       tbb::simple_partitioner());
  EXPECT_TRUE(BrittleInterval::has_broken);
  BrittleInterval::has_broken = false;
  tbb::parallel_deterministic_reduce(BrittleInterval(0, 1000), 0, CountItems, std::plus<int>());
  BrittleInterval::cancels = false;
  EXPECT_TRUE(BrittleInterval::has_broken);
  EXPECT_EQ(Interval::alive, 0);
}

TEST_P(GeneralRangesTest, NothingBeginsAfterACancellation) {
  for (int time = 0; time < kTimes; ++time) {
    tbb::task_group_context context;
    std::atomic<int> begun_late{0};
    std::atomic<bool> cancelled{false};
    tbb::parallel_for(
        Interval(0, 1000),
        [&](const Interval&) {
          if (limit() == 1 && cancelled) ++begun_late;
          cancelled = true;
          context.cancel_group_execution();
        },
        tbb::auto_partitioner(), context);
    EXPECT_EQ(begun_late, 0);
    EXPECT_TRUE(context.is_group_execution_cancelled());
  }
}

TEST_P(GeneralRangesTest, LoopsInLoopsRunEachPlaceOnce) {
  for (int time = 0; time < 10; ++time) {
    std::vector<std::atomic<int>> counts(64 * 64);
    tbb::parallel_for(Interval(0, 64), [&](const Interval& outer) {
      for (int i = outer.begin(); i != outer.end(); ++i) {
        tbb::parallel_for(Interval(0, 64), [&, i](const Interval& inner) {
          for (int j = inner.begin(); j != inner.end(); ++j) {
            ++counts[static_cast<std::size_t>(i * 64 + j)];
          }
        });
      }
    });
    for (const std::atomic<int>& count : counts) ASSERT_EQ(count, 1);
  }
}

TEST_P(GeneralRangesTest, TheFirstPartMayWaitForAnother) {
  if (limit() == 1 || tbb::this_task_arena::max_concurrency() == 1) return;  // no other thread
  for (int time = 0; time < kTimes; ++time) {
    std::atomic<int> begun{0};
    tbb::parallel_for(Area(0, 64, 0, 64), [&](const Area&) {
      const bool first = begun.fetch_add(1) == 0;
      while (first && begun < 2) std::this_thread::yield();
    });
    EXPECT_GE(begun, 2);
  }
}

#if __cplusplus < 202002L  // whose concept of a range excludes it
class ExplicitlyCopied : public Interval {
 public:
  ExplicitlyCopied(int begin, int end) : Interval(begin, end) {}
  explicit ExplicitlyCopied(const ExplicitlyCopied&) = default;
  ExplicitlyCopied(ExplicitlyCopied& other, tbb::split how) : Interval(other, how) {}
};

template <typename Partitioner>
void LoopOverExplicitlyCopied(Partitioner&& partitioner) {
  const ExplicitlyCopied range(0, 1000);
  std::atomic<int> size{0};
  tbb::parallel_for(
      range, [&size](const ExplicitlyCopied& part) { size += part.end() - part.begin(); },
      partitioner);
  EXPECT_EQ(size, 1000);
  const auto add = [](const ExplicitlyCopied& part, int sum) {
    return sum + part.end() - part.begin();
  };
  EXPECT_EQ(tbb::parallel_reduce(range, 0, add, std::plus<int>(), partitioner), 1000);
}

TEST_P(GeneralRangesTest, TheCopyConstructorMayBeExplicit) {
  LoopOverExplicitlyCopied(tbb::auto_partitioner());
  LoopOverExplicitlyCopied(tbb::simple_partitioner());
  LoopOverExplicitlyCopied(tbb::static_partitioner());
  tbb::affinity_partitioner affinity;
  LoopOverExplicitlyCopied(affinity);
#ifndef CONFORMANCE_ON_ONETBB  // whose scans do not have it
  const ExplicitlyCopied range(0, 1000);
  const auto add = [](const ExplicitlyCopied& part, int sum, bool) {
    return sum + part.end() - part.begin();
  };
  EXPECT_EQ(tbb::parallel_scan(range, 0, add, std::plus<int>()), 1000);
#endif
}
#endif

}  // namespace
