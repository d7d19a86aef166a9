// What a build for debugging says with _DEBUG alone.
#define _DEBUG 1

#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

#include "gtest/gtest.h"

namespace {

TEST(DebugMacroTest, ItAsksForAssertions) {
  EXPECT_EQ(TBB_USE_DEBUG, 1);
  EXPECT_EQ(TBB_USE_ASSERT, 1);
  EXPECT_EQ(TBB_USE_PROFILING_TOOLS, 2);
  int sum = 0;
  tbb::task_group group;
  group.run_and_wait([&] { tbb::parallel_for(0, 1, [&](int) { ++sum; }); });
  EXPECT_EQ(sum, 1);
}

}  // namespace
