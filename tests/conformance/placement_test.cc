// Where the chunks of a loop run: the promises of static_partitioner and
// affinity_partitioner, on the library's ranges and on those of programs.
#include <tbb/blocked_range.h>
#include <tbb/blocked_range2d.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

#include "gtest/gtest.h"

namespace {

// A program's range, with the plain splitting constructor and no other.
class Halves {
 public:
  Halves(int begin, int end) : begin_(begin), end_(end) {}
  Halves(Halves& whole, tbb::split) : begin_((whole.begin_ + whole.end_) / 2), end_(whole.end_) {
    whole.end_ = begin_;
  }
  bool empty() const { return begin_ >= end_; }
  bool is_divisible() const { return end_ - begin_ > 1; }
  int begin() const { return begin_; }
  int end() const { return end_; }

 private:
  int begin_;
  int end_;
};

// The same with the proportional one.
class Proportions {
 public:
  Proportions(int begin, int end) : begin_(begin), end_(end) {}
  Proportions(Proportions& whole, tbb::split) : Proportions(whole, 1, 1) {}
  Proportions(Proportions& whole, tbb::proportional_split& ratio)
      : Proportions(whole, ratio.left(), ratio.right()) {}
  bool empty() const { return begin_ >= end_; }
  bool is_divisible() const { return end_ - begin_ > 1; }
  int begin() const { return begin_; }
  int end() const { return end_; }

 private:
  Proportions(Proportions& whole, std::size_t left, std::size_t right) : end_(whole.end_) {
    const auto size = static_cast<std::size_t>(whole.end_ - whole.begin_);
    const auto share = std::max<std::size_t>(size * right / (left + right), 1);
    whole.end_ = begin_ = end_ - static_cast<int>(share);
  }

  int begin_;
  int end_;
};

template <typename Range>
class PlacementTest : public testing::Test {
 private:
  tbb::global_control limit_{tbb::global_control::max_allowed_parallelism, 4};
};
using Ranges = testing::Types<Halves, Proportions, tbb::blocked_range<int>>;
TYPED_TEST_SUITE(PlacementTest, Ranges);

// The chunks of a loop, by where they begin.
struct Chunk {
  int end;
  int slot;
};
using Chunks = std::map<int, Chunk>;

enum class Algorithm { kFor, kReduce };
constexpr Algorithm kAlgorithms[] = {Algorithm::kFor, Algorithm::kReduce};

template <typename Range, typename Partitioner, typename Work>
Chunks Run(int size, Partitioner&& partitioner, const Work& work,
           Algorithm algorithm = Algorithm::kFor) {
  std::mutex mutex;
  Chunks chunks;
  const auto run = [&](const Range& part) {
    work();
    const std::lock_guard<std::mutex> lock(mutex);
    chunks[part.begin()] = {part.end(), tbb::this_task_arena::current_thread_index()};
  };
  if (algorithm == Algorithm::kFor) {
    tbb::parallel_for(Range(0, size), run, partitioner);
  } else {
    const int runs = tbb::parallel_reduce(
        Range(0, size), 0,
        [&](const Range& part, int before) {
          run(part);
          return before + 1;
        },
        [](int left, int right) { return left + right; }, partitioner);
    EXPECT_EQ(runs, static_cast<int>(chunks.size()));
  }
  int next = 0;
  for (const auto& [begin, chunk] : chunks) {
    EXPECT_EQ(begin, next);
    next = chunk.end;
  }
  EXPECT_EQ(next, size);
  return chunks;
}

bool SamePlaces(const Chunks& a, const Chunks& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.first == y.first && x.second.slot == y.second.slot;
  });
}

TYPED_TEST(PlacementTest, StaticMakesAChunkForEachThread) {
  for (const int threads : {1, 2, 3, 4, 7}) {
    tbb::task_arena arena(threads);
    arena.execute([&] {
      for (const int size : {64, 1000, 1001}) {
        const Chunks chunks = Run<TypeParam>(size, tbb::static_partitioner(), [] {});
        EXPECT_EQ(chunks.size(), static_cast<std::size_t>(threads));
        int least = size;
        int most = 0;
        for (const auto& [begin, chunk] : chunks) {
          least = std::min(least, chunk.end - begin);
          most = std::max(most, chunk.end - begin);
        }
        // Halves cannot be cut in other proportions.
        constexpr bool kHalves = std::is_same_v<TypeParam, Halves>;
        EXPECT_LE(most, kHalves ? 2 * least + 2 : least + 2) << size << " on " << threads;
      }
    });
  }
}

TYPED_TEST(PlacementTest, StaticReductionMakesAChunkForEachThread) {
  for (const int threads : {1, 2, 4, 7}) {
    tbb::task_arena arena(threads);
    arena.execute([&] {
      const Chunks chunks = Run<TypeParam>(
          1000, tbb::static_partitioner(), [] {}, Algorithm::kReduce);
      EXPECT_EQ(chunks.size(), static_cast<std::size_t>(threads));
    });
  }
}

TYPED_TEST(PlacementTest, StaticMakesNoMoreChunksThanThereAre) {
  tbb::task_arena arena(4);
  arena.execute([&] {
    EXPECT_EQ(Run<TypeParam>(3, tbb::static_partitioner(), [] {}).size(), 3u);
    EXPECT_EQ(Run<TypeParam>(1, tbb::static_partitioner(), [] {}).size(), 1u);
  });
}

// All threads are needed: each chunk waits for the others.
TYPED_TEST(PlacementTest, StaticGivesAChunkToTheSameSlotAgain) {
  constexpr int kThreads = 2;
  tbb::task_arena arena(kThreads);
  arena.execute([&] {
    for (const Algorithm algorithm : kAlgorithms) {
      Chunks before;
      int same = 0;
      // While threads come and go a chunk may run elsewhere; it settles.
      while (same < 5) {
        std::atomic<int> arrived{0};
        const auto meet = [&] {
          ++arrived;
          while (arrived.load() < kThreads) std::this_thread::yield();
        };
        const Chunks now = Run<TypeParam>(1000, tbb::static_partitioner(), meet, algorithm);
        ASSERT_EQ(now.size(), static_cast<std::size_t>(kThreads));
        EXPECT_NE(now.begin()->second.slot, now.rbegin()->second.slot);
        same = SamePlaces(now, before) ? same + 1 : 0;
        before = now;
      }
    }
  });
}

TYPED_TEST(PlacementTest, AffinityGivesAChunkToTheSameSlotAgain) {
  tbb::task_arena arena(2);
  arena.execute([&] {
    for (const Algorithm algorithm : kAlgorithms) {
      tbb::affinity_partitioner affinity;
      // The slot of each index.
      std::vector<int> before(1000, -1);
      int good = 0;
      // It settles when both threads are there.
      while (good < 3) {
        std::vector<int> now(1000);
        const Chunks chunks = Run<TypeParam>(
            1000, affinity, [] { std::this_thread::yield(); }, algorithm);
        for (const auto& [begin, chunk] : chunks) {
          std::fill(now.begin() + begin, now.begin() + chunk.end, chunk.slot);
        }
        int same = 0;
        for (std::size_t i = 0; i < now.size(); ++i) same += now[i] == before[i] ? 1 : 0;
        const auto others = std::count(now.begin(), now.end(), 1);
        good = same >= 900 && others >= 100 && others <= 900 ? good + 1 : 0;
        before = now;
      }
    }
  });
}

TYPED_TEST(PlacementTest, AffinityOutlivesArenasOfAllSizes) {
  tbb::affinity_partitioner affinity;
  for (const int threads : {4, 1, 2, 7, 4, 2}) {
    tbb::task_arena arena(threads);
    arena.execute([&] {
      for (const int size : {1000, 1, 17, 1000}) {
        for (const Algorithm algorithm : kAlgorithms) {
          EXPECT_FALSE(Run<TypeParam>(
                           size, affinity, [] {}, algorithm)
                           .empty());
        }
      }
    });
  }
}

TYPED_TEST(PlacementTest, SimpleDividesAllThatIsDivisible) {
  const Chunks chunks = Run<TypeParam>(100, tbb::simple_partitioner(), [] {});
  EXPECT_EQ(chunks.size(), 100u);
}

TEST(Placement2dTest, StaticCutsBothDimensionsIntoAChunkForEachThread) {
  using Range = tbb::blocked_range2d<int>;
  tbb::task_arena arena(4);
  arena.execute([] {
    std::atomic<int> chunks{0};
    std::atomic<int> cells{0};
    tbb::parallel_for(
        Range(0, 64, 0, 64),
        [&](const Range& part) {
          ++chunks;
          cells += static_cast<int>(part.rows().size() * part.cols().size());
        },
        tbb::static_partitioner());
    EXPECT_EQ(chunks, 4);
    EXPECT_EQ(cells, 64 * 64);
  });
}

}  // namespace
