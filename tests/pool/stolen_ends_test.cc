// A thief counts the ends of tasks that it runs one after the other in one go.
#include "filch/pool/stolen_ends.h"

#include <vector>

#include "filch/pool/arena.h"
#include "filch/pool/arena_sources.h"
#include "filch/pool/context.h"
#include "filch/pool/dispatch.h"
#include "filch/pool/idle_mode.h"
#include "filch/pool/next_task.h"
#include "filch/pool/slot.h"
#include "filch/pool/wait_group.h"
#include "gtest/gtest.h"
#include "tests/pool/limited_stay.h"
#include "tests/pool/nobody.h"

namespace filch {
namespace pool_internal {
namespace {

// The thread of the test is both: it pushes in the slot of one, and runs tasks in the other's.
class StolenEndsTest : public testing::Test {
 protected:
  // A task that says whose ends are left while it runs: 0 or 1, or -1 for none.
  void Push(int group) {
    groups_[group].RunOn(home_, [this] {
      left_.push_back(thief_.stolen_ends.AreOf(groups_[0])   ? 0
                      : thief_.stolen_ends.AreOf(groups_[1]) ? 1
                                                             : -1);
    });
  }
  // Shares all that was pushed.
  void Share() { home_.deque.ExposeAll(); }
  void RunAllStolen() {
    RunTasks(worker_, worker_.Steal(), [] { return false; });
  }

  using Left = std::vector<int>;

  Nobody nobody_;
  Arena arena_{nobody_, IdleTimes(), {2, 2, Priority::kNormal}, 0};
  Slot& home_ = *arena_.slots().OccupyFromOutside();
  Slot& thief_ = *arena_.slots().OccupyFromOutside();
  LimitedStay stay_;
  ArenaSources worker_{thief_, {}, stay_};
  Context context_;
  WaitGroup groups_[2]{{context_, home_}, {context_, home_}};
  Left left_;
};

TEST_F(StolenEndsTest, AreLeftWhileTheNextTaskIsOfTheGroup) {
  for (int i = 0; i < 3; ++i) Push(0);
  Share();
  RunAllStolen();
  EXPECT_EQ(left_, (Left{-1, 0, 0}));
  EXPECT_TRUE(thief_.stolen_ends.Empty());
  EXPECT_TRUE(groups_[0].IsComplete());
}

TEST_F(StolenEndsTest, NotBesideATaskOfAnotherGroup) {
  for (const int group : {0, 1, 1, 0}) Push(group);
  Share();
  RunAllStolen();
  EXPECT_EQ(left_, (Left{-1, -1, 1, -1}));
  EXPECT_TRUE(thief_.stolen_ends.Empty());
  EXPECT_TRUE(groups_[0].IsComplete());
  EXPECT_TRUE(groups_[1].IsComplete());
}

TEST_F(StolenEndsTest, NotBesideATaskOfAnotherKind) {
  Push(0);
  bool complete = false;
  groups_[1].RunOn(home_, [&] { complete = groups_[0].IsComplete(); });
  Share();
  RunAllStolen();
  EXPECT_TRUE(complete);
}

TEST_F(StolenEndsTest, NotByWhoLeaves) {
  for (int i = 0; i < 2; ++i) Push(0);
  Share();
  RunTasks(worker_, worker_.Steal(), [] { return true; });
  EXPECT_EQ(left_, Left{-1});
  EXPECT_TRUE(thief_.stolen_ends.Empty());
  RunAllStolen();
  EXPECT_TRUE(groups_[0].IsComplete());
}

TEST_F(StolenEndsTest, NotByWhoWaits) {
  for (int i = 0; i < 2; ++i) Push(0);
  Share();
  ArenaSources waiter(thief_, {});
  RunTasks(waiter, waiter.Steal(), [] { return false; });
  EXPECT_EQ(left_, (Left{-1, -1}));
  EXPECT_TRUE(groups_[0].IsComplete());
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
