// Ranges that give a single element away each time that they are cut, as lists do: there are as
// many cuts in each other as elements, and the stack must not have to do with it.
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <tbb/partitioner.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/on_onetbb.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

using UnevenRangesTest = ParallelismTest;
INSTANTIATE_TEST_SUITE_P(Limits, UnevenRangesTest, kLimits);

// So many frames are more than a stack.
constexpr int kMany = 50000;
// Enough for what is done when many cuts lie in each other.
constexpr int kSome = 1000;

// Where to cut some elements in two.
struct AfterTheFirst {
  static int Cut(int begin, int) { return begin + 1; }
};
struct BeforeTheLast {
  static int Cut(int, int end) { return end - 1; }
};
struct AtEitherEnd {
  static int Cut(int begin, int end) { return (end - begin) % 2 == 0 ? begin + 1 : end - 1; }
};
struct InManyWays {
  static int Cut(int begin, int end) {
    const int size = end - begin;
    return size % 3 == 0 ? begin + size / 3 : AtEitherEnd::Cut(begin, end);
  }
};

template <typename Shape>
class Uneven {
 public:
  Uneven(int begin, int end) : begin_(begin), end_(end) {}
  Uneven(Uneven& other, tbb::split)
      : begin_(Shape::Cut(other.begin_, other.end_)), end_(other.end_) {
    if (begin_ == breaks_at) throw std::length_error("it broke");
    other.end_ = begin_;
  }
  bool empty() const { return begin_ == end_; }
  bool is_divisible() const { return end_ - begin_ > 1; }
  int begin() const { return begin_; }
  int end() const { return end_; }

  // Throws instead of being cut there.
  static inline std::atomic<int> breaks_at{-1};

 private:
  int begin_;
  int end_;
};

// Calls with(shape) for each.
template <typename With>
void ForEachShape(const With& with) {
  with(AfterTheFirst());
  with(BeforeTheLast());
  with(AtEitherEnd());
  with(InManyWays());
}

// Calls with(partitioner) for each.
template <typename With>
void ForEachPartitioner(const With& with) {
  tbb::simple_partitioner simple;
  tbb::auto_partitioner automatic;
  tbb::static_partitioner fixed;
  tbb::affinity_partitioner affinity;
  with(simple);
  with(automatic);
  with(fixed);
  with(affinity);
}

TEST_P(UnevenRangesTest, LoopsRunEachElementOnce) {
  ForEachShape([](auto shape) {
    using Range = Uneven<decltype(shape)>;
    ForEachPartitioner([](auto& partitioner) {
      std::vector<std::atomic<int>> counts(kMany);
      tbb::parallel_for(
          Range(0, kMany),
          [&](const Range& part) {
            for (int i = part.begin(); i != part.end(); ++i) ++counts[static_cast<std::size_t>(i)];
          },
          partitioner);
      EXPECT_TRUE(std::all_of(counts.begin(), counts.end(),
                              [](const std::atomic<int>& count) { return count == 1; }));
    });
  });
}

// Neighbouring elements in their order.
class Row {
 public:
  Row() { ++alive; }
  Row(Row&, tbb::split) { ++alive; }
  ~Row() { --alive; }
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;

  template <typename Range>
  void operator()(const Range& part) {
    if (begin_ == end_) begin_ = end_ = part.begin();
    if (part.begin() <= throws_at && throws_at < part.end()) throw std::out_of_range("it is there");
    Append(part.begin(), part.end());
  }
  void join(Row& right) {
    if (right.begin_ != right.end_) Append(right.begin_, right.end_);
  }
  int begin() const { return begin_; }
  int end() const { return end_; }
  bool in_order() const { return in_order_; }

  static inline std::atomic<int> alive{0};
  static inline std::atomic<int> throws_at{-1};

 private:
  void Append(int begin, int end) {
    in_order_ = in_order_ && begin == end_;
    end_ = end;
  }

  int begin_ = 0;
  int end_ = 0;
  bool in_order_ = true;
};

TEST_P(UnevenRangesTest, ReductionsJoinInOrder) {
  ForEachShape([](auto shape) {
    const Uneven<decltype(shape)> range(0, kMany);
    const auto expect_all = [](const Row& row) {
      EXPECT_TRUE(row.in_order());
      EXPECT_EQ(row.begin(), 0);
      EXPECT_EQ(row.end(), kMany);
    };
    ForEachPartitioner([&](auto& partitioner) {
      Row row;
      tbb::parallel_reduce(range, row, partitioner);
      expect_all(row);
    });
    Row row;
    tbb::parallel_deterministic_reduce(range, row);
    expect_all(row);
  });
}

// Which parts are joined to which.
template <typename Shape>
std::string TreeOf(int begin, int end) {
  if (end - begin == 1) return std::to_string(begin);
  const int middle = Shape::Cut(begin, end);
  return "(" + TreeOf<Shape>(begin, middle) + " " + TreeOf<Shape>(middle, end) + ")";
}

TEST_P(UnevenRangesTest, DeterministicReductionsJoinAsTheyCut) {
  ForEachShape([](auto shape) {
    using Shape = decltype(shape);
    // In so many forks, and about as many as are treated the same.
    for (const int size : {1, 2, 60, 63, 64, 65, 66, 70, kSome}) {
      const std::string tree = TreeOf<Shape>(0, size);
      for (int repeat = 0; repeat < 5; ++repeat) {
        EXPECT_EQ(tbb::parallel_deterministic_reduce(
                      Uneven<Shape>(0, size), std::string(),
                      [](const Uneven<Shape>& part, const std::string&) {
                        return std::to_string(part.begin());
                      },
                      [](const std::string& left, const std::string& right) {
                        return "(" + left + " " + right + ")";
                      }),
                  tree);
      }
    }
  });
}

TEST_P(UnevenRangesTest, ScansAddInOrder) {
  ForEachShape([](auto shape) {
    constexpr int kSize = 4 * kMany;  // a smaller frame
    using Range = Uneven<decltype(shape)>;
    std::vector<int> counts(kSize);
    const int total = tbb::parallel_scan(
        Range(0, kSize), 0,
        [&](const Range& part, int count, bool is_final) {
          for (int i = part.begin(); i != part.end(); ++i) {
            ++count;
            if (is_final) counts[static_cast<std::size_t>(i)] = count;
          }
          return count;
        },
        std::plus<int>(), tbb::simple_partitioner());
    EXPECT_EQ(total, kSize);
    for (int i = 0; i < kSize; ++i) ASSERT_EQ(counts[static_cast<std::size_t>(i)], i + 1);
  });
}

// Calls run(range, context) for each algorithm that cuts down to single elements.
template <typename Range, typename Run>
void ForEachAlgorithm(const Run& run) {
  run([](const Range& range, tbb::task_group_context& context) {
    tbb::parallel_for(
        range, [](const Range& part) { Row()(part); }, tbb::simple_partitioner(), context);
  });
  run([](const Range& range, tbb::task_group_context& context) {
    Row row;
    tbb::parallel_reduce(range, row, tbb::simple_partitioner(), context);
  });
  run([](const Range& range, tbb::task_group_context& context) {
    Row row;
    tbb::parallel_deterministic_reduce(range, row, context);
  });
}

TEST_P(UnevenRangesTest, ExceptionsArriveAndCancel) {
  ForEachShape([](auto shape) {
    using Range = Uneven<decltype(shape)>;
    ForEachAlgorithm<Range>([](const auto& run) {
      for (const int place : {1, kSome / 3, kSome / 2, kSome - 2}) {
        Row::throws_at = place;
        tbb::task_group_context context;
        EXPECT_THROW(run(Range(0, kSome), context), std::out_of_range);
        EXPECT_TRUE(context.is_group_execution_cancelled());
        Row::throws_at = -1;
        Range::breaks_at = place;
        tbb::task_group_context other_context;
        EXPECT_THROW(run(Range(0, kSome), other_context), std::length_error);
        EXPECT_TRUE(other_context.is_group_execution_cancelled());
        Range::breaks_at = -1;
        // oneTBB 2021.8 loses the body of a deterministic reduction's right part whose range
        // throws.
        if (!kOnOneTbb) {
          EXPECT_EQ(Row::alive, 0);
        }
      }
    });
  });
}

TEST_P(UnevenRangesTest, CancelledLoopsStop) {
  ForEachShape([](auto shape) {
    using Range = Uneven<decltype(shape)>;
    tbb::task_group_context context;
    std::atomic<int> parts{0};
    tbb::parallel_for(
        Range(0, kMany),
        [&](const Range&) {
          if (++parts == kSome) context.cancel_group_execution();
        },
        tbb::simple_partitioner(), context);
    EXPECT_GE(parts, kSome);
    EXPECT_LT(parts, kMany);
  });
}

// What a cancelled reduction has come to: every part that ran, and in order.
TEST_P(UnevenRangesTest, ReductionsKeepWhatRanBeforeTheyWereCancelled) {
  // oneTBB does not join then.
  if (kOnOneTbb) GTEST_SKIP();
  ForEachShape([](auto shape) {
    using Range = Uneven<decltype(shape)>;
    tbb::task_group_context context;
    std::atomic<int> ran{0};
    const std::vector<int> seen = tbb::parallel_deterministic_reduce(
        Range(0, kMany), std::vector<int>(),
        [&](const Range& part, std::vector<int> before) {
          before.push_back(part.begin());
          if (++ran == kSome) context.cancel_group_execution();
          return before;
        },
        [](std::vector<int> left, const std::vector<int>& right) {
          left.insert(left.end(), right.begin(), right.end());
          return left;
        },
        context);
    EXPECT_EQ(static_cast<int>(seen.size()), ran);
    EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  });
}

}  // namespace
