// The example of README.md and of stealing_range_partitioner.h, as a program;
// readme_example_test compares the three.
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "filch/partitioner/stealing_range_partitioner.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

TEST(BalanceWithThreadsTest, FourThreadsBalanceAnUnevenLoopInSixLines) {
  std::atomic<std::int64_t> sum{0};
  const int n = 2000;
  // The first one per cent has nearly all the work.
  const auto Work = [&sum](int i) {
    std::int64_t work = 0;
    for (int k = 0; k < (i < n / 100 ? 20000 : 10); ++k) work += k & 1;
    sum.fetch_add(i + 0 * work, std::memory_order_relaxed);
  };
  // BEGIN-EXAMPLE
  auto partitions = StealingRangePartitioner(0, n).GetPartitions(4);
  std::vector<std::thread> threads;
  for (auto& partition : partitions) {
    threads.emplace_back([&] { partition.ForEach(Work); });
  }
  for (auto& thread : threads) thread.join();
  // END-EXAMPLE
  EXPECT_EQ(sum.load(), std::int64_t{n} * (n - 1) / 2);
}

}  // namespace
}  // namespace filch
