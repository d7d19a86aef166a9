#include <tbb/task.h>

#include <cstddef>

#include "gtest/gtest.h"
#include "parallelism_fixture.h"
#include "tools/bench/classic/fib_tasks.h"

namespace {

using TaskTest = ParallelismTest;

TEST_P(TaskTest, FibonacciInFourStyles) {
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(RunTree<BlockingFib>(20), 6765);
    EXPECT_EQ(RunTree<ContinuationFib>(20), 6765);
    EXPECT_EQ(RunTree<BypassFib>(20), 6765);
    EXPECT_EQ(RunTree<RecyclingFib>(20), 6765);
  }
}

INSTANTIATE_TEST_SUITE_P(Limits, TaskTest, kLimits);

}  // namespace
