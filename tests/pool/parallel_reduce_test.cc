#include "filch/pool/parallel_reduce.h"

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "filch/pool/context.h"
#include "filch/pool/pool.h"
#include "gtest/gtest.h"
#include "tests/pool/loop_values.h"
#include "tests/pool/pool_shapes.h"

namespace filch {
namespace {

class ParallelReduceTest : public PoolTest {};

TEST_P(ParallelReduceTest, CombinesNeighboursInTheOrderOfTheInterval) {
  pool_.Execute([] {
    for (int n : {1, 2, 3, 10, 64, 1000, 20000}) {
      const Piece all = ParallelReduce(
          0, n, Piece(),
          [](int begin, int end, Piece so_far) {
            for (int i = begin; i < end; i += 100) std::this_thread::yield();
            return so_far.And({begin, end, false});
          },
          [](const Piece& left, const Piece& right) { return left.And(right); });
      EXPECT_EQ(all.begin, 0);
      EXPECT_EQ(all.end, n);
      EXPECT_FALSE(all.torn) << n;
    }
  });
}

TEST_P(ParallelReduceTest, NeedNotCommute) {
  pool_.Execute([] {
    std::string expected;
    for (int i = 0; i < 3000; ++i) expected += std::to_string(i) + " ";
    const std::string text = ParallelReduce(
        0, 3000, std::string(),
        [](int begin, int end, std::string so_far) {
          for (int i = begin; i < end; ++i) so_far += std::to_string(i) + " ";
          std::this_thread::yield();
          return so_far;
        },
        [](std::string left, const std::string& right) { return left + right; });
    EXPECT_EQ(text, expected);
  });
}

TEST_P(ParallelReduceTest, AnEmptyIntervalGivesTheIdentity) {
  pool_.Execute([] {
    const auto body = [](int, int, int) -> int { throw std::logic_error("called"); };
    const auto combine = [](int, int) -> int { throw std::logic_error("called"); };
    EXPECT_EQ(ParallelReduce(5, 5, 42, body, combine), 42);
    EXPECT_EQ(ParallelReduce(5, -5, 42, body, combine), 42);
  });
}

TEST_P(ParallelReduceTest, IndicesMayBeNegativeOrAtTheLimitsOfTheirType) {
  pool_.Execute([] {
    const auto sum = [](auto begin, auto end) {
      using Index = decltype(begin);
      return ParallelReduce(
          begin, end, std::int64_t{0},
          [](Index from, Index to, std::int64_t so_far) {
            for (Index i = from; i < to; ++i) so_far += i;
            return so_far;
          },
          [](std::int64_t a, std::int64_t b) { return a + b; });
    };
    EXPECT_EQ(sum(-100, 101), 0);
    using Small = std::numeric_limits<std::int8_t>;
    EXPECT_EQ(sum(Small::min(), Small::max()), -128 - 127);
  });
}

TEST_P(ParallelReduceTest, KeepsToAnExactGrain) {
  pool_.Execute([] {
    ParallelForOptions options;
    options.grain = 7;
    options.exact_grain = true;
    std::atomic<int> too_large{0};
    const int count = ParallelReduce(
        0, 1000, 0,
        [&](int begin, int end, int so_far) {
          if (end - begin > 7) ++too_large;
          return so_far + (end - begin);
        },
        [](int a, int b) { return a + b; }, options);
    EXPECT_EQ(count, 1000);
    EXPECT_EQ(too_large.load(), 0);
  });
}

TEST_P(ParallelReduceTest, TheStaticScheduleGivesTheSameValue) {
  pool_.Execute([] {
    ParallelForOptions options;
    options.schedule = LoopSchedule::kStatic;
    const std::vector<int> all = ParallelReduce(
        0, 100, std::vector<int>(),
        [](int begin, int end, std::vector<int> so_far) {
          for (int i = begin; i < end; ++i) so_far.push_back(i);
          return so_far;
        },
        [](std::vector<int> left, const std::vector<int>& right) {
          left.insert(left.end(), right.begin(), right.end());
          return left;
        },
        options);
    ASSERT_EQ(all.size(), 100u);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(all[static_cast<std::size_t>(i)], i);
  });
}

TEST_P(ParallelReduceTest, AnExceptionArrivesAndLeavesNothingBehind) {
  std::atomic<int> alive{0};
  pool_.Execute([&] {
    const Counted identity(alive);
    for (int bad : {0, 1, 500, 999}) {
      EXPECT_THROW(ParallelReduce(
                       0, 1000, identity,
                       [bad](int begin, int end, const Counted& so_far) {
                         if (begin <= bad && bad < end) throw std::runtime_error("bad");
                         std::this_thread::yield();
                         return so_far;
                       },
                       [](const Counted& left, const Counted&) { return left; }),
                   std::runtime_error);
    }
    EXPECT_EQ(alive.load(), 1);
  });
  EXPECT_EQ(alive.load(), 0);
}

TEST_P(ParallelReduceTest, ACancelledLoopGivesWhatItHas) {
  pool_.Execute([] {
    Context context;
    ParallelForOptions options;
    options.context = &context;
    context.Cancel();
    const auto count = [&] {
      return ParallelReduce(
          0, 1000, 0, [](int begin, int end, int so_far) { return so_far + (end - begin); },
          [](int a, int b) { return a + b; }, options);
    };
    EXPECT_EQ(count(), 0);
    context.Reset();
    EXPECT_EQ(count(), 1000);
  });
}

FILCH_INSTANTIATE_POOL_TEST(ParallelReduceTest);

}  // namespace
}  // namespace filch
