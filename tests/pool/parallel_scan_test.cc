#include "filch/pool/parallel_scan.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "filch/pool/context.h"
#include "filch/pool/pool.h"
#include "filch/topology/tick_clock.h"
#include "gtest/gtest.h"
#include "tests/pool/loop_values.h"
#include "tests/pool/pool_shapes.h"

namespace filch {
namespace {

class ParallelScanTest : public PoolTest {};

TEST_P(ParallelScanTest, EveryIndexIsScannedForGoodOnceWithAllThatLiesLeftOfIt) {
  pool_.Execute([] {
    for (int n : {1, 2, 3, 10, 64, 1000, 20000}) {
      std::vector<std::atomic<int>> times(static_cast<std::size_t>(n));
      std::atomic<int> wrong{0};
      const Piece all = ParallelScan(
          0, n, Piece(),
          [&](int begin, int end, Piece sum, bool is_final) {
            if (is_final && (sum.begin < 0 ? begin != 0 : sum.begin != 0 || sum.end != begin)) {
              ++wrong;
            }
            for (int i = begin; i < end; ++i) {
              if (is_final) ++times[static_cast<std::size_t>(i)];
              if (i % 100 == 0) std::this_thread::yield();
            }
            return sum.And({begin, end, false});
          },
          [](const Piece& left, const Piece& right) { return left.And(right); });
      EXPECT_EQ(all.begin, 0);
      EXPECT_EQ(all.end, n);
      EXPECT_FALSE(all.torn) << n;
      EXPECT_EQ(wrong.load(), 0) << n;
      for (const auto& count : times) EXPECT_EQ(count.load(), 1);
    }
  });
}

TEST_P(ParallelScanTest, WritesRunningSums) {
  pool_.Execute([] {
    for (int repeat = 0; repeat < 20; ++repeat) {
      std::vector<std::int64_t> out(30000);
      const std::int64_t total = ParallelScan(
          std::size_t{0}, out.size(), std::int64_t{0},
          [&](std::size_t begin, std::size_t end, std::int64_t sum, bool is_final) {
            for (std::size_t i = begin; i != end; ++i) {
              sum += static_cast<std::int64_t>(i);
              if (is_final) out[i] += sum;
            }
            return sum;
          },
          [](std::int64_t left, std::int64_t right) { return left + right; });
      for (std::size_t i = 0; i != out.size(); ++i) {
        ASSERT_EQ(out[i], static_cast<std::int64_t>(i * (i + 1) / 2));
      }
      EXPECT_EQ(total, out.back());
    }
  });
}

TEST_P(ParallelScanTest, NeedNotCommute) {
  pool_.Execute([] {
    std::string expected;
    for (int i = 0; i < 2000; ++i) expected += std::to_string(i) + " ";
    const std::string text = ParallelScan(
        0, 2000, std::string(),
        [](int begin, int end, std::string sum, bool) {
          for (int i = begin; i < end; ++i) sum += std::to_string(i) + " ";
          std::this_thread::yield();
          return sum;
        },
        [](const std::string& left, const std::string& right) { return left + right; });
    EXPECT_EQ(text, expected);
  });
}

void Take(std::uint64_t ticks) {
  for (const std::uint64_t begin = Ticks(); Ticks() - begin < ticks;) {
  }
}

// A number that takes long to be copied.
struct DearNumber {
  explicit DearNumber(int n) : value(n) {}
  DearNumber(const DearNumber& other) : value(other.value) { Take(100000); }
  DearNumber(DearNumber&&) = default;
  DearNumber& operator=(DearNumber&&) = default;
  int value;
};

TEST_P(ParallelScanTest, UnitsThatBecomeLongAreWorthASumThatIsDear) {
  constexpr int kNumbers = 400;
  pool_.Execute([] {
    for (int repeat = 0; repeat < 10; ++repeat) {
      std::vector<int> sums(kNumbers);
      ParallelScan(
          0, kNumbers, DearNumber(0),
          [&](int begin, int end, DearNumber sum, bool is_final) {
            for (int i = begin; i != end; ++i) {
              Take(i < kNumbers / 2 ? 4000 : 40000);
              sum.value += i;
              if (is_final) sums[static_cast<std::size_t>(i)] = sum.value;
            }
            return sum;
          },
          [](const DearNumber& left, DearNumber right) {
            Take(100000);
            right.value += left.value;
            return right;
          },
          1);
      for (int i = 0; i < kNumbers; ++i) {
        ASSERT_EQ(sums[static_cast<std::size_t>(i)], i * (i + 1) / 2) << i;
      }
    }
  });
}

TEST_P(ParallelScanTest, AnEmptyIntervalGivesTheIdentity) {
  pool_.Execute([] {
    const auto scan = [](int, int, int, bool) -> int { throw std::logic_error("called"); };
    const auto combine = [](int, int) -> int { throw std::logic_error("called"); };
    EXPECT_EQ(ParallelScan(5, 5, 42, scan, combine), 42);
    EXPECT_EQ(ParallelScan(5, -5, 42, scan, combine), 42);
  });
}

TEST_P(ParallelScanTest, IndicesMayBeNegativeOrAtTheLimitsOfTheirType) {
  pool_.Execute([] {
    using Small = std::numeric_limits<std::int8_t>;
    const int sum = ParallelScan(
        Small::min(), Small::max(), 0,
        [](std::int8_t begin, std::int8_t end, int so_far, bool) {
          for (std::int8_t i = begin; i < end; ++i) so_far += i;
          return so_far;
        },
        [](int a, int b) { return a + b; });
    EXPECT_EQ(sum, -128 - 127);
  });
}

TEST_P(ParallelScanTest, PartsHaveHalfAGrainAtLeast) {
  pool_.Execute([] {
    std::atomic<int> too_small{0};
    const int count = ParallelScan(
        0, 10000, 0,
        [&](int begin, int end, int sum, bool) {
          if (end - begin < 50) ++too_small;
          return sum + (end - begin);
        },
        [](int a, int b) { return a + b; }, 100);
    EXPECT_EQ(count, 10000);
    EXPECT_EQ(too_small.load(), 0);
  });
}

TEST_P(ParallelScanTest, AnExceptionArrivesAndLeavesNothingBehind) {
  std::atomic<int> alive{0};
  pool_.Execute([&] {
    const Counted identity(alive);
    for (int bad : {0, 1, 500, 999}) {
      EXPECT_THROW(ParallelScan(
                       0, 1000, identity,
                       [bad](int begin, int end, const Counted& sum, bool) {
                         if (begin <= bad && bad < end) throw std::runtime_error("bad");
                         std::this_thread::yield();
                         return sum;
                       },
                       [](const Counted& left, const Counted&) { return left; }),
                   std::runtime_error);
    }
    EXPECT_EQ(alive.load(), 1);
  });
  EXPECT_EQ(alive.load(), 0);
}

TEST_P(ParallelScanTest, AnExceptionOfCombineArrives) {
  pool_.Execute([] {
    std::atomic<bool> combined{false};
    try {
      ParallelScan(
          0, 1000, 0,
          [](int, int, int sum, bool) {
            std::this_thread::yield();
            return sum;
          },
          [&](int, int) -> int {
            combined = true;
            throw std::runtime_error("bad");
          });
      EXPECT_FALSE(combined.load());
    } catch (const std::runtime_error&) {
      EXPECT_TRUE(combined.load());
    }
  });
}

TEST_P(ParallelScanTest, ACancelledContextStopsIt) {
  pool_.Execute([] {
    Context context;
    std::atomic<int> scanned{0};
    const auto scan = [&] {
      return ParallelScan(
          0, 100000, 0,
          [&](int begin, int end, int sum, bool is_final) {
            if (is_final) scanned += end - begin;
            return sum + (end - begin);
          },
          [](int a, int b) { return a + b; }, 1, &context);
    };
    context.Cancel();
    scan();
    EXPECT_EQ(scanned.load(), 0);
    context.Reset();
    EXPECT_EQ(scan(), 100000);
    EXPECT_EQ(scanned.load(), 100000);
  });
}

FILCH_INSTANTIATE_POOL_TEST(ParallelScanTest);

}  // namespace
}  // namespace filch
