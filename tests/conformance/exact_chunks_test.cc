// The chunks that do not depend on who comes in time: programs count them, remember where they
// begin, and compare what they make of each.
#include <tbb/blocked_range.h>
#include <tbb/blocked_range2d.h>
#include <tbb/blocked_range3d.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/on_onetbb.h"

namespace {

using Range = tbb::blocked_range<std::size_t>;
using Doubles = tbb::blocked_range<double>;
using Chunks = std::vector<std::string>;

template <typename Value>
std::string Name(const tbb::blocked_range<Value>& chunk) {
  return std::to_string(chunk.begin()) + "-" + std::to_string(chunk.end());
}
std::string Name(const tbb::blocked_range2d<int>& chunk) {
  return Name(chunk.rows()) + "x" + Name(chunk.cols());
}
std::string Name(const tbb::blocked_range3d<int>& chunk) {
  return Name(chunk.pages()) + "x" + Name(chunk.rows()) + "x" + Name(chunk.cols());
}

// In any order.
template <typename R, typename Partitioner>
Chunks ChunksOfLoop(const R& range, const Partitioner& partitioner) {
  std::mutex mutex;
  Chunks chunks;
  const auto note = [&](const R& chunk) {
    const std::lock_guard<std::mutex> lock(mutex);
    chunks.push_back(Name(chunk));
  };
  tbb::parallel_for(range, note, partitioner);
  std::sort(chunks.begin(), chunks.end());
  return chunks;
}

// From left to right.
template <typename R, typename Partitioner>
Chunks ChunksOfReduction(const R& range, const Partitioner& partitioner) {
  const auto note = [](const R& chunk, Chunks chunks) {
    chunks.push_back(Name(chunk));
    return chunks;
  };
  const auto join = [](Chunks left, const Chunks& right) {
    left.insert(left.end(), right.begin(), right.end());
    return left;
  };
  const Chunks chunks = tbb::parallel_reduce(range, Chunks(), note, join, partitioner);
  EXPECT_EQ(tbb::parallel_deterministic_reduce(range, Chunks(), note, join, partitioner), chunks);
  return chunks;
}

template <typename R, typename Partitioner>
void ExpectChunks(const R& range, const Partitioner& partitioner, Chunks expected) {
  EXPECT_EQ(ChunksOfReduction(range, partitioner), expected);
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(ChunksOfLoop(range, partitioner), expected);
}

// What is left when a range is halved as long as it can be.
template <typename R>
void Halve(R range, Chunks& chunks) {
  if (!range.is_divisible()) return chunks.push_back(Name(range));
  R right(range, tbb::split());
  Halve(range, chunks);
  Halve(right, chunks);
}

// What each of so many threads gets of a range.
template <typename R>
void Share(R range, std::size_t threads, Chunks& chunks) {
  if (threads == 1 || !range.is_divisible()) return chunks.push_back(Name(range));
  tbb::proportional_split ratio(threads - threads / 2, threads / 2);
  R right(range, ratio);
  Share(range, ratio.left(), chunks);
  Share(right, ratio.right(), chunks);
}

template <typename R>
void ExpectAreCutAsTheirRanges(const R& range) {
  Chunks halves;
  Halve(range, halves);
  ExpectChunks(range, tbb::simple_partitioner(), halves);
  for (const int threads : {1, 2, 3, 5, 8}) {
    Chunks shares;
    Share(range, static_cast<std::size_t>(threads), shares);
    tbb::task_arena arena(threads);
    arena.execute([&] { ExpectChunks(range, tbb::static_partitioner(), shares); });
  }
}

TEST(ExactChunksTest, SimpleAndStaticCutAsRangesAreSplit) {
  for (const std::size_t size : {1, 2, 3, 7, 10, 33, 100, 1001}) {
    for (const std::size_t grain : {1, 2, 3, 10, 100}) {
      ExpectAreCutAsTheirRanges(Range(5, 5 + size, grain));
      if (size * grain > 100) continue;
      ExpectAreCutAsTheirRanges(
          tbb::blocked_range2d<int>(0, static_cast<int>(size), grain, -3, 2, 2));
      ExpectAreCutAsTheirRanges(
          tbb::blocked_range3d<int>(0, static_cast<int>(size), grain, -3, 2, 2, 0, 3, 1));
    }
  }
  for (const double end : {0.5, 1.5, 3.25, 100.25}) ExpectAreCutAsTheirRanges(Doubles(0.25, end));
}

TEST(ExactChunksTest, AnOddItemIsInTheRightHalf) {
  ExpectChunks(Range(0, 7, 3), tbb::simple_partitioner(), {"0-3", "3-5", "5-7"});
  tbb::task_arena two(2);
  two.execute([] { ExpectChunks(Range(0, 7), tbb::static_partitioner(), {"0-3", "3-7"}); });
  tbb::task_arena four(4);
  four.execute([] {
    ExpectChunks(Range(0, 10), tbb::static_partitioner(), {"0-2", "2-5", "5-7", "7-10"});
    ExpectChunks(Range(0, 3, 2), tbb::static_partitioner(), {"0-1", "1-3"});
  });
}

TEST(ExactChunksTest, ManyItemsAreCountedInFloat) {
  tbb::task_arena arena(2);
  arena.execute([] {
    ExpectChunks(Range(0, 123456789), tbb::static_partitioner(),
                 {"0-61728393", "61728393-123456789"});
  });
}

TEST(ExactChunksTest, FractionalRangesAreCutInTheMiddle) {
  ExpectChunks(Doubles(0, 2.5), tbb::simple_partitioner(),
               {"0.000000-1.250000", "1.250000-2.500000"});
  tbb::task_arena arena(2);
  arena.execute([] {
    ExpectChunks(Doubles(0, 3.25), tbb::static_partitioner(),
                 {"0.000000-1.250000", "1.250000-3.250000"});
  });
}

// Where a float has every eighth number.
TEST(ExactChunksTest, NothingIsCutBetweenNeighbouringValues) {
  if (kOnOneTbb) GTEST_SKIP() << "oneTBB cuts it for ever";
  std::atomic<int> parts{0};
  tbb::parallel_for(
      tbb::blocked_range<float>(1e8f, 1e8f + 16),
      [&parts](const tbb::blocked_range<float>&) { ++parts; }, tbb::simple_partitioner());
  EXPECT_EQ(parts, 2);
}

}  // namespace
