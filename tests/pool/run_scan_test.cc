#include "filch/pool/run_scan.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/context.h"
#include "filch/pool/parallel_scan.h"
#include "filch/pool/pool.h"
#include "filch/topology/tick_clock.h"
#include "gtest/gtest.h"
#include "tests/pool/loop_values.h"
#include "tests/pool/of_threads.h"
#include "tests/pool/yield_until.h"

namespace filch {
namespace {

// Long enough for help with all that comes after it to pay, whoever sleeps.
void TakeLong() {
  for (const std::uint64_t begin = Ticks(); Ticks() - begin < 1000000;) {
  }
}

// What a scan by many threads does, in this order.
enum Step { kAlone, kFirstChunk, kSum, kCombine, kSecondPass, kSteps };
constexpr Step kAllSteps[] = {kAlone, kFirstChunk, kSum, kCombine, kSecondPass};

// Sums are runs of units, and cannot be copied.  The first unit is long; if others may come,
// the chunk that follows waits until one is there.
class Steps {
 public:
  struct Run {
    Run(std::atomic<int>& alive, Piece run) : piece(run), counted(alive) {}
    Run(Run&&) = default;
    Run& operator=(Run&&) = default;

    Piece piece;
    Counted counted;
  };
  using Sum = std::unique_ptr<Run>;

  Steps(std::uint32_t units, bool others_come)
      : others_come_(others_come), summed_(units), finished_(units) {}

  Sum None() { return std::make_unique<Run>(alive_, Piece()); }
  Sum MakeSum() {
    ++sums_;
    return None();
  }
  void Add(UnitInterval block, Sum& sum) {
    sum->piece = sum->piece.And(PieceOf(block));
    for (std::uint32_t i = block.begin; i != block.end; ++i) ++summed_[i];
    Do(kSum);
  }
  void Finish(UnitInterval block, Sum& sum) {
    const bool is_right = block.begin == 0 ? sum->piece.begin < 0
                                           : sum->piece.begin == 0 && !sum->piece.torn &&
                                                 sum->piece.end == std::int64_t{block.begin};
    if (!is_right) ++wrong_;
    for (std::uint32_t i = block.begin; i != block.end; ++i) ++finished_[i];
    sum->piece = sum->piece.And(PieceOf(block));
    if (block.begin == 0) {
      TakeLong();
      Do(kAlone);
    } else if (summed_[block.begin].load() != 0) {
      Do(kSecondPass);
    } else {
      if (others_come_ && block.begin == 1) YieldUntil([this] { return Times(kSum) != 0; });
      Do(kFirstChunk);
    }
  }
  Sum Combine(Sum& left, Sum right) {
    Do(kCombine);
    right->piece = left->piece.And(right->piece);
    return right;
  }

  // Calls f in this step.
  void In(Step step, std::function<void()> f) {
    step_ = step;
    f_ = std::move(f);
  }

  int Times(Step step) const { return times_[step].load(); }
  int sums() const { return sums_.load(); }
  int alive() const { return alive_.load(); }
  // Whether each unit was scanned for good once, with all that lies left of it, and summed once
  // at most.
  bool IsComplete() const {
    const auto once = [](const std::atomic<int>& times) { return times.load() == 1; };
    const auto at_most_once = [](const std::atomic<int>& times) { return times.load() <= 1; };
    return wrong_.load() == 0 && std::all_of(finished_.begin(), finished_.end(), once) &&
           std::all_of(summed_.begin(), summed_.end(), at_most_once);
  }

 private:
  static Piece PieceOf(UnitInterval block) { return {block.begin, block.end, false}; }

  void Do(Step step) {
    ++times_[step];
    if (step == step_) f_();
  }

  const bool others_come_;
  std::atomic<int> sums_{0};
  std::atomic<int> alive_{0};
  std::atomic<int> wrong_{0};
  std::vector<std::atomic<int>> summed_;
  std::vector<std::atomic<int>> finished_;
  std::atomic<int> times_[kSteps] = {};
  Step step_ = kSteps;
  std::function<void()> f_;
};

constexpr std::uint32_t kUnits = 5000;

class RunScanTest : public testing::TestWithParam<int> {
 protected:
  Pool pool_{OfThreads(GetParam())};
};

INSTANTIATE_TEST_SUITE_P(Threads, RunScanTest, testing::Values(8, 16, 64));

TEST_P(RunScanTest, NothingIsSummedIfNobodyComes) {
  pool_.SetWorkerLimit(0);
  Steps steps(kUnits, false);
  pool_.Execute([&] {
    Context context;
    const Steps::Sum all = RunScan(steps, steps.None(), kUnits, context);
    EXPECT_EQ(all->piece.end, std::int64_t{kUnits});
  });
  EXPECT_TRUE(steps.IsComplete());
  // The rest was cut for all who could have come.
  EXPECT_EQ(steps.Times(kAlone), 1);
  EXPECT_EQ(steps.Times(kFirstChunk), 8 * GetParam());
  EXPECT_EQ(steps.Times(kSum), 0);
  EXPECT_EQ(steps.Times(kCombine), 0);
  EXPECT_EQ(steps.alive(), 0);
}

TEST_P(RunScanTest, WhatOthersSumIsScannedForGoodOnce) {
  for (int repeat = 0; repeat < 5; ++repeat) {
    Steps steps(kUnits, true);
    pool_.Execute([&] {
      Context context;
      const Steps::Sum all = RunScan(steps, steps.None(), kUnits, context);
      EXPECT_EQ(all->piece.begin, 0);
      EXPECT_EQ(all->piece.end, std::int64_t{kUnits});
      EXPECT_FALSE(all->piece.torn);
    });
    EXPECT_TRUE(steps.IsComplete());
    EXPECT_GT(steps.Times(kSum), 0);
    EXPECT_EQ(steps.Times(kCombine), steps.sums());
    EXPECT_EQ(steps.Times(kSecondPass), steps.sums());
    EXPECT_EQ(steps.Times(kFirstChunk) + steps.Times(kSum), 8 * GetParam());
    EXPECT_EQ(steps.alive(), 0);
  }
}

// What comes after the step, of those that only this pass has.
int TimesAfter(const Steps& steps, Step last) {
  int times = 0;
  if (last == kAlone) times += steps.Times(kFirstChunk) + steps.Times(kSum);
  if (last < kCombine) times += steps.Times(kCombine);
  if (last < kSecondPass) times += steps.Times(kSecondPass);
  return times;
}

TEST_P(RunScanTest, AnExceptionOfEachStepArrivesAndEndsTheScan) {
  for (const Step step : kAllSteps) {
    Steps steps(kUnits, true);
    steps.In(step, [] { throw std::runtime_error("bad"); });
    pool_.Execute([&] {
      Context context;
      EXPECT_THROW(RunScan(steps, steps.None(), kUnits, context), std::runtime_error);
      EXPECT_TRUE(context.IsCancelled());
    });
    EXPECT_GT(steps.Times(step), 0) << step;
    EXPECT_EQ(TimesAfter(steps, step), 0) << step;
    EXPECT_EQ(steps.alive(), 0) << step;
  }
}

TEST_P(RunScanTest, AScanThatIsCancelledInAStepGoesNoFurther) {
  for (const Step step : kAllSteps) {
    Steps steps(kUnits, true);
    pool_.Execute([&] {
      Context context;
      steps.In(step, [&context] { context.Cancel(); });
      RunScan(steps, steps.None(), kUnits, context);
    });
    EXPECT_GT(steps.Times(step), 0) << step;
    EXPECT_EQ(TimesAfter(steps, step), 0) << step;
    EXPECT_EQ(steps.alive(), 0) << step;
  }
}

TEST_P(RunScanTest, ACancelledScanDoesNotBegin) {
  Steps steps(kUnits, true);
  pool_.Execute([&] {
    Context context;
    context.Cancel();
    RunScan(steps, steps.None(), kUnits, context);
  });
  for (const Step step : kAllSteps) EXPECT_EQ(steps.Times(step), 0);
}

TEST_P(RunScanTest, OneUnitIsScannedByItsThread) {
  pool_.Execute([] {
    for (const std::uint32_t units : {1u, 2u}) {
      Steps steps(units, false);
      Context context;
      EXPECT_EQ(RunScan(steps, steps.None(), units, context)->piece.end, std::int64_t{units});
      EXPECT_TRUE(steps.IsComplete());
      EXPECT_EQ(steps.Times(kSum), 0);
    }
  });
}

TEST_P(RunScanTest, IsWhatASerialScanIs) {
  std::minstd_rand random(1);
  pool_.Execute([&] {
    for (int repeat = 0; repeat < 40; ++repeat) {
      const int size = std::uniform_int_distribution<int>(1, repeat % 2 == 0 ? 300 : 3000)(random);
      const auto grain = std::uniform_int_distribution<std::uint64_t>(1, 20)(random);
      std::vector<std::size_t> lengths(static_cast<std::size_t>(size));
      // A text, for the order; all digits of a number count.
      const std::string all = ParallelScan(
          0, size, std::string(),
          [&](int begin, int end, std::string text, bool is_final) {
            if (begin == 0) TakeLong();
            for (int i = begin; i != end; ++i) {
              text += std::to_string(i);
              if (is_final) lengths[static_cast<std::size_t>(i)] = text.size();
            }
            std::this_thread::yield();  // to those who come
            return text;
          },
          [](const std::string& left, const std::string& right) { return left + right; }, grain);
      std::string expected;
      for (int i = 0; i < size; ++i) {
        expected += std::to_string(i);
        ASSERT_EQ(lengths[static_cast<std::size_t>(i)], expected.size()) << i;
      }
      EXPECT_EQ(all, expected);
    }
  });
}

TEST_P(RunScanTest, AScanInAScan) {
  pool_.Execute([] {
    const auto add = [](std::int64_t a, std::int64_t b) { return a + b; };
    const std::int64_t total = ParallelScan(
        0, 100, std::int64_t{0},
        [&](int begin, int end, std::int64_t sum, bool) {
          if (begin == 0) TakeLong();
          for (int i = begin; i != end; ++i) {
            sum += ParallelScan(
                0, 100, std::int64_t{0},
                [i](int from, int to, std::int64_t inner, bool) {
                  for (int j = from; j != to; ++j) inner += i;
                  return inner;
                },
                add);
          }
          return sum;
        },
        add);
    EXPECT_EQ(total, 99 * 100 / 2 * 100);
  });
}

}  // namespace
}  // namespace filch
