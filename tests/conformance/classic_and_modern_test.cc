// Files that include either root in one program, on one pool.
#include <tbb/parallel_for.h>
#include <tbb/task.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <tbb/version.h>

#include <atomic>
#include <cstdint>

#include "classic_part.h"
#include "gtest/gtest.h"

namespace {

TEST(ClassicAndModernTest, EachSeesItsVersion) {
  EXPECT_EQ(TBB_runtime_interface_version(), 12200);
  EXPECT_EQ(TBB_INTERFACE_VERSION, 12200);
  EXPECT_EQ(ClassicInterfaceVersion(), 11103);
  EXPECT_EQ(ClassicRuntimeInterfaceVersion(), 11103);
}

TEST(ClassicAndModernTest, ShareThePool) {
  std::atomic<int> wrong{0};
  tbb::parallel_for(0, 50, [&](int i) {
    if (tbb::this_task_arena::current_thread_index() != ClassicThreadIndex()) ++wrong;
    if (SumWithTasks(0, 1000 * i) != std::int64_t{1000} * i * (1000 * i - 1) / 2) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
}

TEST(ClassicAndModernTest, ACancelledGroupReachesTheClassicTasksBelowIt) {
  tbb::task_group group;
  std::int64_t sum = 0;
  group.run_and_wait([&] {
    group.cancel();
    sum = SumWithTasks(0, 100000);
  });
  EXPECT_EQ(sum, 0);
  EXPECT_EQ(SumWithTasks(0, 1000), 499500);
}

}  // namespace
