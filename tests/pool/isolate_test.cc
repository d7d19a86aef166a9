#include "filch/pool/isolate.h"

#include <vector>

#include "filch/pool/default_pool.h"
#include "filch/pool/pool.h"
#include "filch/pool/task_group.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

// Without workers, so that everything runs here and in a known order.
class IsolationTest : public testing::Test {
 protected:
  IsolationTest() { DefaultPool().SetWorkerLimit(0); }
};

TEST_F(IsolationTest, AWaitInARegionFindsItsTasksBelowOthers) {
  const Isolation region = Isolation::Make();
  TaskGroup inside;
  TaskGroup outside;
  std::vector<int> order;
  for (int i = 0; i < 3; ++i) {
    {
      const IsolationReentry scope(region);
      inside.Run([&order, i] { order.push_back(i); });
    }
    outside.Run([&order, i] { order.push_back(10 + i); });
  }
  {
    const IsolationReentry scope(region);
    inside.Wait();
  }
  EXPECT_EQ(order, (std::vector<int>{2, 1, 0}));
  outside.Wait();
  EXPECT_EQ(order, (std::vector<int>{2, 1, 0, 12, 11, 10}));
}

TEST_F(IsolationTest, ARegionIsNotAnother) {
  const Isolation one = Isolation::Make();
  const Isolation two = Isolation::Make();
  TaskGroup first;
  TaskGroup second;
  int runs = 0;
  {
    const IsolationReentry scope(one);
    first.Run([&runs] { ++runs; });
    second.Run([&runs] { ++runs; });
    const IsolationReentry inner(two);
    first.Run([&runs] { runs += 10; });
  }
  {
    // What is left of the first group belongs to the other region.
    const IsolationReentry scope(one);
    second.Wait();
    EXPECT_EQ(runs % 10, 1);
  }
  first.Wait();
  EXPECT_EQ(runs, 12);
}

}  // namespace
}  // namespace filch
