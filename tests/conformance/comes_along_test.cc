// What programs use without including it, because the headers of TBB bring it along.
#include <tbb/parallel_sort.h>

#include <atomic>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/comes_along_part.h"

namespace {

TEST(ComesAlongTest, EverythingThatSchedulesComesWithASort) {
  std::atomic<int> sum{0};
  tbb::parallel_for(
      tbb::blocked_range<int>(0, 100),
      [&](const tbb::blocked_range<int>& part) {
        for (int i = part.begin(); i != part.end(); ++i) sum += i;
      },
      tbb::auto_partitioner());
  tbb::task_group group;
  group.run([&] { ++sum; });
  group.wait();
  tbb::task_group_context context;
  tbb::task_arena arena(2);
  arena.execute([&] { ++sum; });
  EXPECT_EQ(sum, 4952);
  EXPECT_GE(tbb::this_task_arena::max_concurrency(), 1);
  std::vector<int, tbb::cache_aligned_allocator<int>> numbers{2, 1};
  tbb::parallel_sort(numbers.begin(), numbers.end());
  EXPECT_EQ(numbers.front(), 1);
  static_assert(TBB_INTERFACE_VERSION >= 11103);
}

TEST(ComesAlongTest, AllocatorsAndTasksComeWithThreadSpecifics) {
  EXPECT_EQ(CountWithThreadSpecifics(100), 100);
}

TEST(ComesAlongTest, AGroupComesWithAPipelineAndAnInvocation) { EXPECT_EQ(RunAfterPipeline(), 3); }

}  // namespace
