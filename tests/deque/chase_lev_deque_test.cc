#include "filch/deque/chase_lev_deque.h"

#include "gtest/gtest.h"

namespace filch {
namespace {

TEST(ChaseLevDequeTest, AnItemCanBeStolenTheMomentItIsPushed) {
  int item = 0;
  ChaseLevDeque<int*> deque;
  EXPECT_EQ(deque.Steal().status, StealStatus::kEmpty);
  deque.Push(&item);
  const StealResult<int*> loot = deque.Steal();
  EXPECT_EQ(loot.status, StealStatus::kStolen);
  EXPECT_EQ(loot.item, &item);
  EXPECT_EQ(deque.Steal().status, StealStatus::kEmpty);
}

// A published version took an item out of a deque that never had one: its
// index was unsigned, and -1 was a large number.
TEST(ChaseLevDequeTest, APopOfAFreshDequeFindsNothing) {
  ChaseLevDeque<int*> deque;
  int* item = nullptr;
  EXPECT_FALSE(deque.Pop(&item));
  EXPECT_EQ(item, nullptr);
  EXPECT_EQ(deque.Steal().status, StealStatus::kEmpty);
  int value = 0;
  deque.Push(&value);
  EXPECT_TRUE(deque.Pop(&item));
  EXPECT_EQ(item, &value);
}

TEST(ChaseLevDequeTest, AFailedPopLeavesNoPhantomItem) {
  ChaseLevDeque<int*> deque;
  int value = 0;
  int* item = nullptr;
  for (int round = 0; round < 3; ++round) {
    deque.Push(&value);
    EXPECT_EQ(deque.Steal().status, StealStatus::kStolen);
    EXPECT_FALSE(deque.Pop(&item));
    EXPECT_FALSE(deque.Pop(&item));
    EXPECT_EQ(deque.Steal().status, StealStatus::kEmpty);
  }
}

}  // namespace
}  // namespace filch
