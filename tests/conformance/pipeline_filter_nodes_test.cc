// Programs that look for leaks have oneTBB's headers count what filters are handles to.
namespace {
int filter_nodes = 0;
}  // namespace
#define __TBB_TEST_FILTER_NODE_COUNT filter_nodes

#include <tbb/parallel_pipeline.h>

#include "gtest/gtest.h"

namespace {

using tbb::filter_mode;

tbb::filter<void, int> Numbers(int* left) {
  return tbb::make_filter<void, int>(filter_mode::serial_in_order,
                                     [left](tbb::flow_control& control) {
                                       if (*left == 0) {
                                         control.stop();
                                         return 0;
                                       }
                                       return (*left)--;
                                     });
}

tbb::filter<int, void> Sum(int* sum) {
  return tbb::make_filter<int, void>(filter_mode::serial_in_order, [sum](int i) { *sum += i; });
}

TEST(PipelineFilterNodesTest, AChainIsANodeBesidesWhatItConnects) {
  int left = 0;
  int sum = 0;
  {
    const auto numbers = Numbers(&left);
    EXPECT_EQ(filter_nodes, 1);
    const auto all = numbers & Sum(&sum);
    EXPECT_EQ(filter_nodes, 3);
    const auto same = all;  // NOLINT(performance-unnecessary-copy-initialization): counted
    EXPECT_EQ(filter_nodes, 3);
  }
  EXPECT_EQ(filter_nodes, 0);
}

TEST(PipelineFilterNodesTest, AChainKeepsWhatItConnects) {
  int left = 4;
  int sum = 0;
  tbb::filter<void, void> all;
  {
    auto numbers = Numbers(&left);
    auto add = Sum(&sum);
    all = numbers & add;
    numbers.clear();
    add.clear();
    EXPECT_EQ(filter_nodes, 3);
  }
  tbb::parallel_pipeline(2, all);
  EXPECT_EQ(sum, 10);
  all.clear();
  EXPECT_EQ(filter_nodes, 0);
}

TEST(PipelineFilterNodesTest, AFilterOfAChainIsInsideOfOne) {
  int left = 4;
  int sum = 0;
  {
    const auto twice =
        tbb::make_filter<int, int>(filter_mode::parallel, [](int i) { return 2 * i; });
    auto all = Numbers(&left) & twice & (twice & twice) & Sum(&sum);
    EXPECT_EQ(filter_nodes, 3 + 4);
    tbb::parallel_pipeline(2, all);
  }
  EXPECT_EQ(sum, 80);
  EXPECT_EQ(filter_nodes, 0);
}

}  // namespace
