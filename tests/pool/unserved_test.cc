// Who sees which notes, and which are left for others.
#include "filch/pool/unserved.h"

#include <gtest/gtest.h>

namespace filch {
namespace pool_internal {
namespace {

TEST(UnservedTest, ANoteIsForWorkersBelow) {
  Unserved unserved;
  for (int priority = 0; priority < 3; ++priority) EXPECT_FALSE(unserved.AnyAbove(priority));
  unserved.Note(1);
  EXPECT_TRUE(unserved.AnyAbove(0));
  EXPECT_FALSE(unserved.AnyAbove(1));
  EXPECT_FALSE(unserved.AnyAbove(2));
}

TEST(UnservedTest, NobodyIsBelowTheLowestPriority) {
  Unserved unserved;
  unserved.Note(0);
  EXPECT_FALSE(unserved.AnyAbove(0));
}

TEST(UnservedTest, OneThatIsTakenIsGone) {
  Unserved unserved;
  unserved.Note(2);
  unserved.Note(2);
  unserved.TakeAbove(0);
  EXPECT_FALSE(unserved.AnyAbove(0));
  unserved.Note(2);
  EXPECT_TRUE(unserved.AnyAbove(0));
}

TEST(UnservedTest, WhoTakesThemLeavesThoseThatAreForOthers) {
  Unserved unserved;
  unserved.Note(2);
  unserved.Note(1);
  unserved.TakeAbove(1);
  EXPECT_FALSE(unserved.AnyAbove(1));
  EXPECT_TRUE(unserved.AnyAbove(0));
  unserved.TakeAbove(2);
  EXPECT_TRUE(unserved.AnyAbove(0));
  unserved.TakeAbove(0);
  EXPECT_FALSE(unserved.AnyAbove(0));
}

TEST(UnservedTest, HasRoomForThirtyOnePriorities) {
  Unserved unserved;
  unserved.Note(30);
  EXPECT_TRUE(unserved.AnyAbove(29));
  EXPECT_FALSE(unserved.AnyAbove(30));
  unserved.TakeAbove(30);
  EXPECT_TRUE(unserved.AnyAbove(0));
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
