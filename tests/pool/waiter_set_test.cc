// Who of several waiting threads is called for what.
#include "filch/pool/waiter_set.h"

#include <gtest/gtest.h>

namespace filch {
namespace pool_internal {
namespace {

TEST(WaiterSetTest, OneThatServesTheQueueIsCalledForWhatIsQueued) {
  WaiterSet waiters(4);
  waiters.Announce(0, false);
  waiters.Announce(1, true);
  EXPECT_EQ(waiters.Claim(true), 1);
  EXPECT_TRUE(waiters.Withdraw(1, true));
  EXPECT_FALSE(waiters.Withdraw(0, false));
}

TEST(WaiterSetTest, AnyIsCalledForTheRest) {
  WaiterSet waiters(4);
  waiters.Announce(0, false);
  waiters.Announce(1, true);
  EXPECT_EQ(waiters.Claim(false), 0);
  EXPECT_EQ(waiters.Claim(false), 1);
  EXPECT_EQ(waiters.Claim(false), -1);
  EXPECT_TRUE(waiters.Withdraw(0, false));
  EXPECT_TRUE(waiters.Withdraw(1, true));
}

TEST(WaiterSetTest, OneThatDoesNotServeTheQueueIsCalledIfNoOtherSleeps) {
  // The call may be for something else.
  WaiterSet waiters(4);
  waiters.Announce(2, false);
  EXPECT_EQ(waiters.Claim(true), 2);
  EXPECT_EQ(waiters.Claim(true), -1);
  EXPECT_TRUE(waiters.Withdraw(2, false));
}

TEST(WaiterSetTest, OneIsThereUntilItIsCalledOrGoes) {
  WaiterSet waiters(1);
  EXPECT_TRUE(waiters.Empty());
  waiters.Announce(0, true);
  EXPECT_FALSE(waiters.Empty());
  EXPECT_EQ(waiters.ApproximateSize(), 1);
  EXPECT_EQ(waiters.ApproximateSizeOfQueue(), 1);
  EXPECT_FALSE(waiters.Withdraw(0, true));
  EXPECT_TRUE(waiters.Empty());
  EXPECT_EQ(waiters.ApproximateSizeOfQueue(), 0);
}

TEST(WaiterSetTest, ACallOfEitherKindIsSeen) {
  WaiterSet waiters(1);
  for (const bool queued : {false, true}) {
    waiters.Announce(0, true);
    EXPECT_EQ(waiters.Claim(queued), 0);
    EXPECT_TRUE(waiters.Withdraw(0, true)) << queued;
  }
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
