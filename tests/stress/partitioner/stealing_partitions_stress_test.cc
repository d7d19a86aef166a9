// Many threads on one loop, with a flag for every index: uneven items, consumers
// that throw, break, stop or never start, more threads than cpus.  The argument
// "long" multiplies the rounds and takes up to eight times as many threads as
// cpus, "one-cpu" keeps them all on one; the default is a few seconds under
// sanitizers.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

#include "filch/partitioner/stealing_range_partitioner.h"
#include "filch/topology/thread_binding.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

int rounds = 60;
std::uint32_t most_threads = 8;

// A number in [0, bound).
std::uint32_t Below(std::uint32_t bound, std::mt19937* random) {
  return static_cast<std::uint32_t>((*random)() % bound);
}

class Flags {
 public:
  explicit Flags(std::int64_t size) : size_(size) {
    flags_ = std::make_unique<std::atomic<int>[]>(static_cast<std::size_t>(size));
    plain_.resize(static_cast<std::size_t>(size));
  }
  void Mark(std::int64_t index) {
    ASSERT_TRUE(index >= 0 && index < size_);
    const auto i = static_cast<std::size_t>(index);
    ASSERT_EQ(flags_[i].fetch_add(1, std::memory_order_relaxed), 0);
    plain_[i] = 1;  // A data race if two threads get one index, or read it too early.
  }
  void ExpectAllMarked() const {
    for (int mark : plain_) ASSERT_EQ(mark, 1);
  }

 private:
  std::int64_t size_;
  std::unique_ptr<std::atomic<int>[]> flags_;
  std::vector<int> plain_;
};

void Spin(std::uint32_t iterations) {
  std::atomic<std::uint32_t> sink{0};
  for (std::uint32_t i = 0; i < iterations; ++i) sink.store(i, std::memory_order_relaxed);
}

// After its own end, every consumer reads what all the others did, with no edge
// but the partition's end.
TEST(StealingPartitionsStressTest, EveryIndexRunsOnceAndIsVisibleAtEveryEnd) {
  std::mt19937 random(7);
  for (int round = 0; round < rounds; ++round) {
    const auto size = std::int64_t{Below(3000, &random)};
    const std::uint32_t threads = 1 + Below(most_threads, &random);
    const std::uint32_t batch = round % 3 == 0 ? 0 : 1 + Below(64, &random);
    const std::uint32_t heavy = Below(2000, &random);
    auto partitions =
        StealingRangePartitioner<std::int64_t>(0, size, {1 + Below(3, &random), batch})
            .GetPartitions(threads);
    Flags flags(size);
    std::vector<std::thread> pool;
    for (auto& partition : partitions) {
      pool.emplace_back([&partition, &flags, heavy, size] {
        partition.ForEach([&](std::int64_t index) {
          flags.Mark(index);
          if (index < size / 100 + 1) Spin(heavy);
        });
        flags.ExpectAllMarked();
      });
    }
    for (std::thread& thread : pool) thread.join();
  }
}

// Whatever the consumers do, the last one that stays gets everything done.
TEST(StealingPartitionsStressTest, LeavingConsumersLoseNothing) {
  std::mt19937 random(8);
  for (int round = 0; round < rounds; ++round) {
    const std::int64_t size = 200 + std::int64_t{Below(800, &random)};
    const std::uint32_t threads = 2 + Below(most_threads - 1, &random);
    const std::uint32_t batch = round % 2 == 0 ? 0 : 1 + Below(32, &random);
    auto partitions =
        StealingRangePartitioner<std::int64_t>(0, size, {1, batch}).GetPartitions(threads);
    Flags flags(size);
    std::vector<std::thread> pool;
    for (std::uint32_t p = 0; p < threads; ++p) {
      const std::uint32_t seed = Below(UINT32_MAX, &random);
      pool.emplace_back([&flags, p, seed, partition = std::move(partitions[p])]() mutable {
        std::mt19937 mine(seed);
        // Partition 0 stays; the others leave in every way, some at once.
        std::uint32_t budget = p == 0 ? UINT32_MAX : Below(40, &mine);
        if (p != 0 && Below(4, &mine) == 0) return;
        try {
          for (std::int64_t index : partition) {
            flags.Mark(index);
            Spin(Below(200, &mine));
            if (budget-- == 0) {
              if (Below(2, &mine) == 0) break;
              throw std::runtime_error("enough");
            }
          }
        } catch (const std::runtime_error&) {
        }
        if (p == 0) flags.ExpectAllMarked();
      });
    }
    for (std::thread& thread : pool) thread.join();
  }
}

TEST(StealingPartitionsStressTest, StoppedLoopsEndForEverybody) {
  std::mt19937 random(9);
  for (int round = 0; round < rounds; ++round) {
    const std::int64_t size = 100000;
    const auto stop_at = std::int64_t{Below(2000, &random)};
    auto partitions =
        StealingRangePartitioner<std::int64_t>(0, size).GetPartitions(most_threads / 2);
    Flags flags(size);
    std::vector<std::thread> pool;
    for (auto& partition : partitions) {
      pool.emplace_back([&partition, &flags, stop_at] {
        partition.ForEach([&](std::int64_t index) {
          flags.Mark(index);
          if (index == stop_at) partition.Stop();
        });
      });
    }
    for (std::thread& thread : pool) thread.join();
  }
}

}  // namespace
}  // namespace filch

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "long") == 0) {
      filch::rounds *= 100;
      filch::most_threads = 8 * std::max(1u, std::thread::hardware_concurrency());
    } else if (std::strcmp(argv[i], "one-cpu") == 0) {
      const auto cpus = filch::ThisThreadBinding();
      if (!cpus.ok() || !filch::BindThisThread({cpus->First()}).ok()) return EXIT_FAILURE;
    } else {
      return EXIT_FAILURE;
    }
  }
  return RUN_ALL_TESTS();
}
