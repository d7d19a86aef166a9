#include "filch/pool/parallel_for.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "filch/pool/arena.h"
#include "filch/pool/current_arena.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/enqueue.h"
#include "filch/pool/execute.h"
#include "filch/pool/helping.h"
#include "filch/pool/pool.h"
#include "filch/pool/task_group.h"
#include "filch/pool/unit_places.h"
#include "filch/topology/tick_clock.h"
#include "gtest/gtest.h"
#include "tests/pool/held_wait.h"
#include "tests/pool/of_threads.h"
#include "tests/pool/pool_shapes.h"
#include "tests/pool/yield_until.h"

namespace filch {
namespace {

void BeBusyFor(std::chrono::nanoseconds duration) {
  const auto begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - begin < duration) {
  }
}

class ParallelForTest : public PoolTest {};

TEST_P(ParallelForTest, EveryIndexRunsOnceWhateverTheSize) {
  pool_.Execute([] {
    for (int n : {0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 1000, 12345}) {
      std::vector<std::atomic<int>> runs(static_cast<std::size_t>(n));
      ParallelFor(0, n, [&](int i) { ++runs[static_cast<std::size_t>(i)]; });
      for (const auto& run : runs) ASSERT_EQ(run.load(), 1) << n;
    }
  });
}

TEST_P(ParallelForTest, PartsCoverTheIntervalOnce) {
  pool_.Execute([] {
    for (int n = 0; n < 200; ++n) {
      std::vector<std::atomic<int>> runs(static_cast<std::size_t>(n));
      ParallelFor(0, n, [&](int begin, int end) {
        ASSERT_LT(begin, end);
        for (int i = begin; i < end; ++i) ++runs[static_cast<std::size_t>(i)];
      });
      for (const auto& run : runs) ASSERT_EQ(run.load(), 1) << n;
    }
  });
}

TEST_P(ParallelForTest, AnEmptyOrInvertedIntervalRunsNothing) {
  pool_.Execute([] {
    ParallelFor(5, 5, [](int) { FAIL(); });
    ParallelFor(5, -5, [](int) { FAIL(); });
  });
}

TEST_P(ParallelForTest, IndicesMayBeNegativeOrAtTheLimitsOfTheirType) {
  pool_.Execute([] {
    const auto count = [](auto begin, auto end) {
      std::atomic<std::uint64_t> sum{0};
      std::atomic<int> outside{0};
      ParallelFor(begin, end, [&](auto i) {
        if (i < begin || !(i < end)) ++outside;
        ++sum;
      });
      EXPECT_EQ(outside.load(), 0);
      return sum.load();
    };
    constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
    constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(count(-500, 500), 1000u);
    EXPECT_EQ(count(kMin, kMin + 100), 100u);
    EXPECT_EQ(count(kMax - 100, kMax), 100u);
    EXPECT_EQ(
        count(std::numeric_limits<std::int8_t>::min(), std::numeric_limits<std::int8_t>::max()),
        255u);
    EXPECT_EQ(count(std::numeric_limits<std::uint64_t>::max() - 7,
                    std::numeric_limits<std::uint64_t>::max()),
              7u);
  });
}

TEST_P(ParallelForTest, AHugeIntervalIsCutIntoFewParts) {
  pool_.Execute([] {
    std::atomic<std::uint64_t> total{0};
    ParallelForOptions options;
    options.grain = std::uint64_t{1} << 56;
    ParallelFor(
        std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(),
        [&](std::int64_t begin, std::int64_t end) {
          total += static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin);
        },
        options);
    EXPECT_EQ(total.load(), std::numeric_limits<std::uint64_t>::max());
  });
}

TEST_P(ParallelForTest, ExactGrainBoundsEveryPart) {
  pool_.Execute([] {
    for (int n : {1, 5, 9, 10, 11, 99, 1000}) {
      ParallelForOptions options;
      options.grain = 10;
      options.exact_grain = true;
      std::atomic<int> total{0};
      ParallelFor(
          0, n,
          [&](int begin, int end) {
            EXPECT_LE(end - begin, 10);
            EXPECT_GE(end - begin, n < 5 ? n : 5);
            total += end - begin;
          },
          options);
      EXPECT_EQ(total.load(), n);
    }
  });
}

TEST_P(ParallelForTest, StaticMakesOneEvenPartForEachSlot) {
  pool_.Execute([] {
    for (int n : {1, 2, 3, 100, 1001}) {
      std::mutex mutex;
      std::set<std::pair<int, int>> parts;
      ParallelForOptions options;
      options.schedule = LoopSchedule::kStatic;
      ParallelFor(
          0, n,
          [&](int begin, int end) {
            const std::lock_guard<std::mutex> lock(mutex);
            EXPECT_TRUE(parts.emplace(begin, end).second);
          },
          options);
      EXPECT_EQ(static_cast<int>(parts.size()), std::min(n, GetParam().concurrency));
      int next = 0;
      for (const auto& [begin, end] : parts) {
        EXPECT_EQ(begin, next);
        EXPECT_LE(end - begin, n / static_cast<int>(parts.size()) + 1);
        next = end;
      }
      EXPECT_EQ(next, n);
    }
  });
}

TEST_P(ParallelForTest, LoopsNest) {
  pool_.Execute([] {
    std::vector<std::atomic<int>> runs(40 * 50);
    ParallelFor(0, 40, [&](int i) {
      ParallelFor(0, 50, [&](int j) { ++runs[static_cast<std::size_t>(i * 50 + j)]; });
    });
    for (const auto& run : runs) EXPECT_EQ(run.load(), 1);
  });
}

TEST_P(ParallelForTest, ThrowingAtAnyIndexEndsTheLoopOnce) {
  pool_.Execute([] {
    constexpr int kSize = 60;
    for (int bad = 0; bad < kSize; ++bad) {
      std::vector<std::atomic<int>> runs(kSize);
      std::atomic<int> inside{0};
      try {
        ParallelFor(0, kSize, [&](int i) {
          ++inside;
          ++runs[static_cast<std::size_t>(i)];
          --inside;
          if (i == bad) throw i;
        });
        ADD_FAILURE() << "nothing was thrown";
      } catch (int thrown) {
        EXPECT_EQ(thrown, bad);
      }
      EXPECT_EQ(inside.load(), 0);
      for (const auto& run : runs) EXPECT_LE(run.load(), 1);
    }
  });
}

TEST_P(ParallelForTest, CancellingTheContextStopsTheLoop) {
  pool_.Execute([] {
    Context context;
    std::atomic<int> runs{0};
    ParallelForOptions options;
    options.context = &context;
    ParallelFor(
        0, 100000000,
        [&](int) {
          if (++runs == 100) context.Cancel();
        },
        options);
    EXPECT_LT(runs.load(), 100000000);
    EXPECT_TRUE(context.IsCancelled());
  });
}

TEST_P(ParallelForTest, BodiesThatWaitForEachOtherAllRun) {
  // One body a thread, each blocked until all have started: the loop has to
  // bring every thread in, and no thread may hold two of them.
  const int n = GetParam().concurrency;
  if (n > 16) return;
  pool_.Execute([n] {
    for (int round = 0; round < 5; ++round) {
      std::atomic<int> started{0};
      ParallelForOptions options;
      options.exact_grain = true;
      ParallelFor(
          0, n,
          [&](int) {
            ++started;
            while (started.load() < n) std::this_thread::yield();
          },
          options);
      EXPECT_EQ(started.load(), n);
    }
  });
}

TEST_P(ParallelForTest, LoopsOfAnyNumberOfLongUnitsAreShared) {
  const int threads = GetParam().concurrency;
  if (threads == 1) return;
  pool_.Execute([threads] {
    for (const int n : {3, 2 * threads + 1, 8 * threads, 8 * threads + 1, 32 * threads}) {
      // When unit 0 is over, the rest must look worth help; then two others have to meet.
      std::atomic<int> started{0};
      ParallelFor(0, n, [&](int i) {
        if (i == 0) return BeBusyFor(std::chrono::milliseconds(1));
        ++started;
        while (started.load() < 2) std::this_thread::yield();
      });
      EXPECT_EQ(started.load(), n - 1);
    }
  });
}

TEST_P(ParallelForTest, LoopsThatWereShortAndTurnLongAreShared) {
  const int threads = GetParam().concurrency;
  if (threads == 1) return;
  pool_.Execute([threads] {
    for (const int n : {threads + 1, 2 * threads + 1, 8 * threads + 1}) {
      std::atomic<int> started{0};
      // When unit 0 is over, the rest must look worth help; then two others have to meet.
      const auto loop = [&](bool is_long) {
        ParallelFor(0, n, [&](int i) {
          if (!is_long) return;
          if (i == 0) return BeBusyFor(std::chrono::milliseconds(1));
          ++started;
          while (started.load() < 2) std::this_thread::yield();
        });
      };
      for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 100; ++i) loop(false);
        started = 0;
        loop(true);
        EXPECT_EQ(started.load(), n - 1);
      }
    }
  });
}

TEST_P(ParallelForTest, LoopsOfSomeMicrosecondsAreRunOnceAndTurnLongAtAnyUnit) {
  const int threads = GetParam().concurrency;
  if (threads == 1 || threads > 16) return;
  pool_.Execute([threads] {
    const int n = 64 * threads;
    std::vector<int> runs(static_cast<std::size_t>(n));
    std::atomic<int> started{0};
    // When unit 0 is over, the rest must look worth help; from some unit on two threads have
    // to meet then.
    const auto loop = [&](int first_long) {
      ParallelFor(0, n, [&](int i) {
        ++runs[static_cast<std::size_t>(i)];
        if (i == 0 && first_long < n) return BeBusyFor(std::chrono::milliseconds(1));
        if (i < first_long) return BeBusyFor(std::chrono::nanoseconds(10000 / n));
        ++started;
        while (started.load() < 2) std::this_thread::yield();
      });
    };
    int rounds = 0;
    for (const int first_long : {1, n / 4, n / 2, n - n / 4}) {
      for (int i = 0; i < 20; ++i, ++rounds) loop(n);
      started = 0;
      loop(first_long);
      ++rounds;
      EXPECT_EQ(started.load(), n - first_long);
    }
    for (const int count : runs) EXPECT_EQ(count, rounds);
  });
}

TEST_P(ParallelForTest, LoopsOfAUnitAThreadMayWaitForEachOtherAfterShortOnes) {
  const int n = GetParam().concurrency;
  if (n > 16) return;
  pool_.Execute([n] {
    std::atomic<int> started{0};
    const auto loop = [&](bool waits) {
      ParallelFor(0, n, [&](int) {
        if (!waits) return;
        ++started;
        while (started.load() < n) std::this_thread::yield();
      });
    };
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < 100; ++i) loop(false);
      started = 0;
      loop(true);
      EXPECT_EQ(started.load(), n);
    }
  });
}

// A loop of many units, whose first one waits for another to begin if `*waits`.  Each
// kKind is a kind of its own.
template <int kKind>
void RunWaitingLoop(const bool* waits, const ParallelForOptions& options) {
  std::atomic<int> started{0};
  ParallelFor(
      0, 1000,
      [&started, waits](int) {
        const bool first = started.fetch_add(1) == 0;
        while (first && *waits && started.load() < 2) std::this_thread::yield();
      },
      options);
  EXPECT_EQ(started.load(), 1000);
}

TEST_P(ParallelForTest, UnitsOfANewKindMayWaitForAnother) {
  if (GetParam().concurrency == 1) return;
  pool_.Execute([] {
    const bool waits = true;
    ParallelForOptions options;
    options.exact_grain = true;
    for (int round = 0; round < 10; ++round) {
      RunWaitingLoop<0>(&waits, options);
      RunWaitingLoop<1>(&waits, options);
      RunWaitingLoop<2>(&waits, options);
    }
  });
}

TEST_P(ParallelForTest, UnitsThatAreSharedAtOnceMayWaitForAnotherAfterOthersDidNot) {
  if (GetParam().concurrency == 1) return;
  pool_.Execute([] {
    bool waits = false;
    ParallelForOptions options;
    options.exact_grain = true;
    options.schedule = LoopSchedule::kStealingAtOnce;
    for (int round = 0; round < 3; ++round) {
      waits = false;
      for (int i = 0; i < 50; ++i) RunWaitingLoop<3>(&waits, options);
      waits = true;
      RunWaitingLoop<3>(&waits, options);
    }
  });
}

// Wants each unit in the slot of its number, and remembers who came.
class WishedPlaces final : public UnitPlaces {
 public:
  explicit WishedPlaces(std::uint32_t slots) : slots_(slots) {}

  void Begin(std::uint32_t units) override { noted_ = std::vector<std::atomic<int>>(units); }
  std::uint32_t PlaceOf(std::uint32_t unit) const override { return unit % slots_; }
  void Note(std::uint32_t unit, std::uint32_t slot) override {
    EXPECT_LT(slot, slots_);
    ++noted_[unit];
  }
  const std::vector<std::atomic<int>>& noted() const { return noted_; }

 private:
  const std::uint32_t slots_;
  std::vector<std::atomic<int>> noted_;
};

TEST_P(ParallelForTest, PlacedPartsRunOnceAndAreNoted) {
  pool_.Execute([] {
    // The extra slot counts, too; slots beyond it have nobody who would come.
    const auto slots = static_cast<std::uint32_t>(CurrentArena().concurrency());
    WishedPlaces places(slots + 1);
    ParallelForOptions options;
    options.places = &places;
    for (const int size : {1, 7, 1000}) {
      std::vector<std::atomic<int>> ran(static_cast<std::size_t>(size));
      ParallelFor(
          0, size, [&](int i) { ++ran[static_cast<std::size_t>(i)]; }, options);
      for (const std::atomic<int>& count : ran) ASSERT_EQ(count, 1);
      if (slots == 1 || size == 1) continue;  // the caller alone, who remembers nothing
      for (const std::atomic<int>& count : places.noted()) ASSERT_EQ(count, 1);
    }
  });
}

TEST_P(ParallelForTest, PlacedPartsThrowAndStop) {
  pool_.Execute([] {
    WishedPlaces places(static_cast<std::uint32_t>(CurrentArena().concurrency()) + 1);
    ParallelForOptions options;
    options.places = &places;
    const auto loop = [&] {
      ParallelFor(
          0, 1000,
          [](int i) {
            if (i == 300) throw i;
          },
          options);
    };
    EXPECT_THROW(loop(), int);
  });
}

// Wants as many neighbours in each slot.
class EvenPlaces final : public UnitPlaces {
 public:
  explicit EvenPlaces(std::uint32_t slots) : slots_(slots) {}

  void Begin(std::uint32_t units) override { units_ = units; }
  std::uint32_t PlaceOf(std::uint32_t unit) const override { return unit * slots_ / units_; }
  void Note(std::uint32_t, std::uint32_t) override {}

 private:
  const std::uint32_t slots_;
  std::uint32_t units_ = 0;
};

TEST_P(ParallelForTest, PlacedPartsOfANewKindMayWaitForTheirNeighbours) {
  if (GetParam().concurrency < 2) GTEST_SKIP() << "nobody else would come";
  pool_.Execute([] {
    const auto slots = static_cast<std::uint32_t>(CurrentArena().concurrency());
    EvenPlaces places(slots);
    ParallelForOptions options;
    options.places = &places;
    std::atomic<bool> second{false};
    // The first share has units left when all others are over.
    ParallelFor(
        0, static_cast<int>(4 * slots),
        [&](int i) {
          if (i == 0) YieldUntil(second);
          if (i == 1) second = true;
        },
        options);
    EXPECT_TRUE(second);
  });
}

TEST(PlacedPartsTest, ThoseThatAreScatteredAreGathered) {
  // There is no worker: the caller runs its own and then the others, which are neighbours.
  Pool pool(OfThreads(1));
  Arena& arena = pool.AcquireArena({2, 2, Priority::kNormal});
  ExecuteIn(arena, [] {
    WishedPlaces places(2);
    ParallelForOptions options;
    options.places = &places;
    int next = 0;
    int jumps = 0;
    ParallelFor(
        0, 1000,
        [&](int i) {
          if (i != next) ++jumps;
          next = i + 1;
        },
        options);
    EXPECT_LE(jumps, 2);
    EXPECT_GT(places.noted().size(), 4u);
    for (const std::atomic<int>& count : places.noted()) EXPECT_EQ(count, 1);
  });
  pool.ReleaseArena(arena);
}

// Runs f in the extra slot of an arena of two slots, whose threads wait and do not help.
template <typename F>
void RunInExtraSlot(const F& f) {
  Pool pool(OfThreads(2));
  Arena& arena = pool.AcquireArena({2, 2, Priority::kNormal});
  HeldWait waits[2];
  std::thread threads[2];
  for (int i = 0; i < 2; ++i) {
    threads[i] = std::thread([&arena, &wait = waits[i]] {
      ExecuteIn(arena,
                [&] { wait.Begin([](TaskGroup& group) { group.Wait(Helping::kOwnTasks); }); });
    });
  }
  for (const HeldWait& wait : waits) wait.UntilBegun();
  std::atomic<bool> done{false};
  Enqueue(arena, [&] {
    EXPECT_EQ(pool_internal::CurrentSlot().index, 2);
    f();
    done = true;
  });
  YieldUntil(done);
  for (HeldWait& wait : waits) wait.End();
  for (std::thread& thread : threads) thread.join();
  pool.ReleaseArena(arena);
}

// Has scattered places for the first loop, of both other slots and of none; from then on
// those where the units ran.
class ScatteredPlaces final : public UnitPlaces {
 public:
  void Begin(std::uint32_t units) override {
    if (units == places_.size()) return;
    places_ = std::vector<std::atomic<std::uint32_t>>(units);
    for (std::uint32_t unit = 0; unit < units; ++unit) places_[unit] = unit % 4;
  }
  std::uint32_t PlaceOf(std::uint32_t unit) const override { return places_[unit]; }
  void Note(std::uint32_t unit, std::uint32_t slot) override {
    EXPECT_LT(slot, 3u);
    places_[unit] = slot;
  }

 private:
  std::vector<std::atomic<std::uint32_t>> places_;
};

void ExpectEachOnce(int size, const ParallelForOptions& options) {
  std::vector<std::atomic<int>> ran(static_cast<std::size_t>(size));
  ParallelFor(
      0, size, [&](int i) { ++ran[static_cast<std::size_t>(i)]; }, options);
  for (const std::atomic<int>& count : ran) ASSERT_EQ(count, 1) << size;
}

// Both threads stop in the middle of what they have, and the one that comes second need not see
// yet that the loop is cancelled.
TEST(ThrowingLoopTest, SeveralThreadsMayThrowAtOnce) {
  PoolOptions options_of_two;
  options_of_two.concurrency = 2;
  Pool pool(options_of_two);
  pool.Execute([] {
    constexpr int kRounds = 20000;
    int caught = 0;
    for (int round = 0; round < kRounds; ++round) {
      std::atomic<int> inside{0};
      ParallelForOptions options;
      options.schedule = LoopSchedule::kStealingAtOnce;
      try {
        ParallelFor(
            0, 200,
            [&inside](int) {
              ++inside;
              for (int looks = 0; looks < 10000 && inside < 2; ++looks) {
              }
              throw std::runtime_error("both");
            },
            options);
      } catch (const std::runtime_error&) {
        ++caught;
      }
    }
    EXPECT_EQ(caught, kRounds);
  });
}

TEST(ExtraSlotLoopTest, PlacedPartsRunOnce) {
  RunInExtraSlot([] {
    for (const int size : {2, 3, 4, 7, 1000}) {
      ScatteredPlaces places;
      ParallelForOptions options;
      options.places = &places;
      for (int repeat = 0; repeat < 5; ++repeat) ExpectEachOnce(size, options);
    }
  });
}

TEST(ExtraSlotLoopTest, PartsOfEverySlotRunOnce) {
  RunInExtraSlot([] {
    for (const auto schedule :
         {LoopSchedule::kStatic, LoopSchedule::kStealing, LoopSchedule::kStealingAtOnce}) {
      ParallelForOptions options;
      options.schedule = schedule;
      for (const int size : {1, 2, 3, 4, 7, 1000}) ExpectEachOnce(size, options);
    }
  });
}

FILCH_INSTANTIATE_POOL_TEST(ParallelForTest);

}  // namespace
}  // namespace filch
