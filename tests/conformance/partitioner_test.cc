#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/deep_in_stack.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

static_assert(!std::is_copy_constructible_v<tbb::affinity_partitioner>);
static_assert(std::is_copy_constructible_v<tbb::simple_partitioner>);
static_assert(std::is_default_constructible_v<tbb::static_partitioner>);
static_assert(std::is_default_constructible_v<tbb::auto_partitioner>);

using PartitionerTest = ParallelismTest;
INSTANTIATE_TEST_SUITE_P(Limits, PartitionerTest, kLimits);

using Range = tbb::blocked_range<std::size_t>;

using Chunks = std::vector<std::pair<std::size_t, std::size_t>>;

// The chunks that the body got, from left to right.
template <typename Partitioner>
Chunks ChunksOf(const Range& range, Partitioner&& partitioner) {
  std::mutex mutex;
  Chunks chunks;
  tbb::parallel_for(
      range,
      [&](const Range& part) {
        std::lock_guard<std::mutex> lock(mutex);
        chunks.emplace_back(part.begin(), part.end());
      },
      partitioner);
  std::sort(chunks.begin(), chunks.end());
  return chunks;
}

// The sizes of the chunks that the body got, after checking that they tile the
// range.
template <typename Partitioner>
std::vector<std::size_t> ChunkSizes(std::size_t size, std::size_t grain,
                                    Partitioner&& partitioner) {
  std::vector<std::size_t> sizes;
  std::size_t next = 0;
  for (const auto& [begin, end] : ChunksOf(Range(0, size, grain), partitioner)) {
    EXPECT_EQ(begin, next);
    EXPECT_GT(end, begin);
    sizes.push_back(end - begin);
    next = end;
  }
  EXPECT_EQ(next, size);
  return sizes;
}

// What is left when a range is split as long as it can be.
void SplitAll(Range range, Chunks* chunks) {
  if (!range.is_divisible()) return chunks->emplace_back(range.begin(), range.end()), void();
  Range right(range, tbb::split());
  SplitAll(range, chunks);
  SplitAll(right, chunks);
}

std::size_t Smallest(const std::vector<std::size_t>& sizes) {
  return *std::min_element(sizes.begin(), sizes.end());
}
std::size_t Largest(const std::vector<std::size_t>& sizes) {
  return *std::max_element(sizes.begin(), sizes.end());
}

TEST_P(PartitionerTest, SimpleChunksLieBetweenHalfAGrainAndAGrain) {
  for (const std::size_t grain : {1, 2, 3, 8, 100}) {
    for (const std::size_t size : {1, 2, 7, 64, 1000}) {
      const std::vector<std::size_t> sizes = ChunkSizes(size, grain, tbb::simple_partitioner());
      EXPECT_LE(Largest(sizes), grain);
      EXPECT_GE(Smallest(sizes), std::min(size, (grain + 1) / 2)) << size << " by " << grain;
    }
  }
}

TEST_P(PartitionerTest, SimpleSplitsAsLongAsItCan) {
  for (const std::size_t size : {1u, 7u, 21u, 22u, 100u, 1000u, 4097u}) {
    for (const std::size_t grain : {1u, 2u, 3u, 10u, 64u, 1000u}) {
      const Range range(5, 5 + size, grain);
      Chunks expected;
      SplitAll(range, &expected);
      EXPECT_EQ(ChunksOf(range, tbb::simple_partitioner()), expected) << size << " by " << grain;
      const Chunks reduced = tbb::parallel_reduce(
          range, Chunks(),
          [](const Range& part, Chunks before) {
            before.emplace_back(part.begin(), part.end());
            return before;
          },
          [](Chunks left, const Chunks& right) {
            left.insert(left.end(), right.begin(), right.end());
            return left;
          },
          tbb::simple_partitioner());
      EXPECT_EQ(reduced, expected) << size << " by " << grain;
    }
  }
}

TEST_P(PartitionerTest, AutoAndAffinityChunksAreAtLeastHalfAGrain) {
  tbb::affinity_partitioner affinity;
  for (const std::size_t grain : {1, 3, 16}) {
    for (const std::size_t size : {1, 2, 64, 1000, 50000}) {
      const std::size_t least = std::min(size, (grain + 1) / 2);
      EXPECT_GE(Smallest(ChunkSizes(size, grain, tbb::auto_partitioner())), least);
      EXPECT_GE(Smallest(ChunkSizes(size, grain, affinity)), least);
    }
  }
}

TEST_P(PartitionerTest, StaticGivesEachThreadOneEqualChunk) {
  for (const std::size_t size : {1000, 1001, 65536}) {
    const std::vector<std::size_t> sizes = ChunkSizes(size, 1, tbb::static_partitioner());
    EXPECT_EQ(sizes.size(), static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()));
    EXPECT_LE(Largest(sizes), Smallest(sizes) + 2);
  }
}

TEST_P(PartitionerTest, StaticCutsNothingSmallerThanItsGrain) {
  const std::vector<std::size_t> sizes = ChunkSizes(10, 10, tbb::static_partitioner());
  EXPECT_EQ(sizes, std::vector<std::size_t>{10});
}

// A part may be smaller than the grain: what is larger is halved for the threads.
TEST_P(PartitionerTest, StaticHalvesWhatIsLargerThanItsGrain) {
  tbb::task_arena arena(4);
  arena.execute([] {
    EXPECT_EQ(ChunkSizes(1000, 300, tbb::static_partitioner()),
              (std::vector<std::size_t>{250, 250, 250, 250}));
    EXPECT_EQ(ChunkSizes(1000, 500, tbb::static_partitioner()),
              (std::vector<std::size_t>{500, 500}));
    EXPECT_EQ(ChunkSizes(301, 300, tbb::static_partitioner()).size(), 2u);
    EXPECT_EQ(ChunkSizes(7, 2, tbb::static_partitioner()).size(), 4u);
  });
  tbb::task_arena(3).execute(
      [] { EXPECT_EQ(ChunkSizes(500, 300, tbb::static_partitioner()).size(), 3u); });
  tbb::task_arena(16).execute(
      [] { EXPECT_EQ(ChunkSizes(17, 2, tbb::static_partitioner()).size(), 9u); });
}

TEST_P(PartitionerTest, AffinityServesRangesOfChangingSizes) {
  tbb::affinity_partitioner affinity;
  for (const std::size_t size : {1000, 10, 5000, 1, 999}) {
    for (int repeat = 0; repeat < 3; ++repeat) ChunkSizes(size, 1, affinity);
  }
}

// As a partitioner that is a static variable of a function that calls itself.
TEST_P(PartitionerTest, AnAffinityMayServeLoopsInsideOfItsLoop) {
  tbb::affinity_partitioner affinity;
  std::atomic<int> calls{0};
  for (int repeat = 0; repeat < 20; ++repeat) {
    tbb::parallel_for(
        Range(0, 200),
        [&](const Range& part) {
          for (std::size_t i = part.begin(); i != part.end(); ++i) {
            tbb::parallel_for(
                Range(0, 3 + i % 5),
                [&](const Range& inner) { calls += static_cast<int>(inner.size()); }, affinity);
          }
        },
        affinity);
  }
  EXPECT_EQ(calls, 20 * 200 * 5);
}

// Whoever finds it in use does without, and whoever finds it free has it as it was left.
TEST_P(PartitionerTest, AnAffinityMayServeSeveralThreads) {
  constexpr int kThreads = 4;
  constexpr int kRepeats = 200;
  tbb::affinity_partitioner affinity;
  std::atomic<int> calls{0};
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&affinity, &calls, i] {
      for (int repeat = 0; repeat < kRepeats; ++repeat) {
        tbb::parallel_for(
            0, 2 + i, [&calls](int) { ++calls; }, affinity);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(calls, kRepeats * (2 + 3 + 4 + 5));
}

// Of two threads only one is there the second time, and takes no work of others that deep in its
// stack.
TEST_P(PartitionerTest, WhatAnotherThreadRanRunsDeepInTheStackToo) {
  tbb::affinity_partitioner affinity;
  std::atomic<int> calls{0};
  const auto loop = [&] {
    tbb::parallel_for(
        0, 64, [&](int) { ++calls; }, affinity);
  };
  tbb::task_arena arena(2, 2);
  arena.execute([&] {
    std::thread([&] { arena.execute(loop); }).join();
    DeepInStack(loop);
  });
  EXPECT_EQ(calls, 2 * 64);
}

class CountedAffinity : public tbb::affinity_partitioner {
 public:
  int loops = 0;
};
class NamedSimple : public tbb::simple_partitioner {};

// Programs derive from partitioners to keep something with them, and pass references
// on in wrappers.
TEST_P(PartitionerTest, MayBeOfADerivedClassOrInAReferenceWrapper) {
  CountedAffinity affinity;
  const NamedSimple simple;
  tbb::task_group_context context;
  std::atomic<int> ran{0};
  const auto count = [&](int) { ++ran; };
  const auto count_part = [&](const Range& part) { ran += static_cast<int>(part.size()); };
  tbb::parallel_for(0, 10, count, affinity);
  tbb::parallel_for(0, 20, 2, count, simple, context);
  tbb::parallel_for(Range(0, 10), count_part, affinity, context);
  tbb::parallel_for(Range(0, 10), count_part,
                    std::ref(static_cast<tbb::affinity_partitioner&>(affinity)));
  EXPECT_EQ(ran, 40);
  const auto sum = [](const Range& part, std::size_t so_far) { return so_far + part.size(); };
  EXPECT_EQ(tbb::parallel_reduce(Range(0, 10), std::size_t{0}, sum, std::plus<>(), affinity), 10u);
  EXPECT_EQ(
      tbb::parallel_deterministic_reduce(Range(0, 10), std::size_t{0}, sum, std::plus<>(), simple),
      10u);
}

// Says by which constructor it is split.
struct Splits {
  std::atomic<int> even{0};
  std::atomic<int> proportional{0};
};
class CountedRange {
 public:
  CountedRange(int size, Splits* splits) : size_(size), splits_(splits) {}
  CountedRange(CountedRange& rest, tbb::split) : CountedRange(rest.size_ / 2, rest.splits_) {
    rest.size_ -= size_;
    ++splits_->even;
  }
  CountedRange(CountedRange& rest, tbb::proportional_split& ratio)
      : CountedRange(static_cast<int>(static_cast<std::size_t>(rest.size_) * ratio.right() /
                                      (ratio.left() + ratio.right())),
                     rest.splits_) {
    rest.size_ -= size_;
    ++splits_->proportional;
  }
  bool empty() const { return size_ == 0; }
  bool is_divisible() const { return size_ > 1; }

 private:
  int size_;
  Splits* splits_;
};

template <typename Partitioner>
void ExpectSplits(bool proportional, Partitioner&& partitioner) {
  Splits splits;
  tbb::parallel_for(
      CountedRange(1000, &splits), [](const CountedRange&) {}, partitioner);
  EXPECT_EQ(proportional ? splits.even : splits.proportional, 0);
  Splits reduced;
  tbb::parallel_reduce(
      CountedRange(1000, &reduced), 0, [](const CountedRange&, int sum) { return sum; },
      std::plus<int>(), partitioner);
  EXPECT_EQ(proportional ? reduced.even : reduced.proportional, 0);
}

TEST_P(PartitionerTest, SimpleAndAutoSplitInHalvesAndStaticInProportion) {
  ExpectSplits(false, tbb::simple_partitioner());
  ExpectSplits(false, tbb::auto_partitioner());
  ExpectSplits(true, tbb::static_partitioner());
}

}  // namespace
