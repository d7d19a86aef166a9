#include "filch/deque/locked_deque.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <thread>

#include "gtest/gtest.h"
#include "tests/yield_for_a_while.h"

namespace filch {
namespace {

TEST(LockedDequeTest, HoldsAnyMovableType) {
  LockedDeque<std::unique_ptr<int>> deque(0, 2);
  for (int i = 0; i < 10; ++i) deque.Push(std::make_unique<int>(i));
  StealResult<std::unique_ptr<int>> loot = deque.Steal();
  ASSERT_EQ(loot.status, StealStatus::kStolen);
  EXPECT_EQ(*loot.item, 0);
  std::unique_ptr<int> item;
  ASSERT_TRUE(deque.Pop(&item));
  EXPECT_EQ(*item, 9);
}

// A published version left references in its slots, so that what they kept
// alive died late and on another thread.
TEST(LockedDequeTest, NothingOfAnItemStaysBehind) {
  const auto alive = std::make_shared<int>(0);
  LockedDeque<std::function<void()>> deque(0, 2);
  for (int i = 0; i < 9; ++i) deque.Push([alive] { ++*alive; });
  EXPECT_EQ(alive.use_count(), 10);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(deque.Steal().status, StealStatus::kStolen);
  EXPECT_EQ(alive.use_count(), 6);
  std::function<void()> next;
  while (deque.Pop(&next)) next = nullptr;
  EXPECT_EQ(alive.use_count(), 1);
}

TEST(LockedDequeTest, ItemsLeftInsideAreDestroyed) {
  const auto alive = std::make_shared<int>(0);
  {
    LockedDeque<std::shared_ptr<int>> deque(0, 2);
    for (int i = 0; i < 9; ++i) deque.Push(alive);
    EXPECT_EQ(alive.use_count(), 10);
  }
  EXPECT_EQ(alive.use_count(), 1);
}

TEST(LockedDequeTest, AThiefLooksIntoTheItemBeforeItTakesIt) {
  LockedDeque<std::unique_ptr<int>> deque;
  for (int i = 0; i < 3; ++i) deque.Push(std::make_unique<int>(i));
  const auto odd = [](const std::unique_ptr<int>& item) { return *item % 2 == 1; };
  EXPECT_EQ(deque.StealIf(odd).status, StealStatus::kRefused);
  EXPECT_EQ(*deque.Steal().item, 0);
  const StealResult<std::unique_ptr<int>> loot = deque.StealIf(odd);
  EXPECT_EQ(loot.status, StealStatus::kStolen);
  EXPECT_EQ(*loot.item, 1);
  std::unique_ptr<int> item;
  EXPECT_TRUE(deque.Pop(&item));
  EXPECT_EQ(deque.StealIf(odd).status, StealStatus::kEmpty);
}

TEST(LockedDequeTest, APredicateThatThrowsLosesNothing) {
  LockedDeque<int> deque;
  deque.Push(1);
  const auto throws = [](int) -> bool { throw std::runtime_error("no"); };
  EXPECT_THROW(static_cast<void>(deque.StealIf(throws)), std::runtime_error);
  int item = 0;
  EXPECT_TRUE(deque.Pop(&item));
  EXPECT_EQ(item, 1);
}

TEST(LockedDequeTest, AThiefWithoutPatienceLosesWhileAnotherHoldsTheLock) {
  LockedDeque<int> deque;
  deque.Push(1);
  deque.Push(2);
  const StealResult<int> loot = deque.StealIf([&deque](int) {
    std::thread other([&deque] {
      EXPECT_EQ(deque.TrySteal().status, StealStatus::kLost);
      EXPECT_EQ(deque.TrySteal(std::chrono::microseconds(200)).status, StealStatus::kLost);
    });
    other.join();
    return true;
  });
  EXPECT_EQ(loot.item, 1);
  EXPECT_EQ(deque.TrySteal().item, 2);
  EXPECT_EQ(deque.TrySteal().status, StealStatus::kEmpty);
}

TEST(LockedDequeTest, AThiefWithEndlessPatienceWaitsForItsTurn) {
  LockedDeque<int> deque;
  deque.Push(1);
  deque.Push(2);
  std::atomic<bool> waiting{false};
  std::thread other;
  const StealResult<int> loot = deque.StealIf([&](int) {
    other = std::thread([&] {
      waiting.store(true);
      EXPECT_EQ(deque.TrySteal(std::chrono::nanoseconds::max()).item, 2);
    });
    while (!waiting.load()) std::this_thread::yield();
    YieldForAWhile();  // let it run into the lock
    return true;
  });
  other.join();
  EXPECT_EQ(loot.item, 1);
}

// A thief that claims the oldest index and gives it back makes the deque look
// empty for a moment.  A published version believed it, and lost the item.
TEST(LockedDequeTest, AThiefThatGivesBackDoesNotMakeTheOwnerSeeAnEmptyDeque) {
  LockedDeque<int> deque;
  deque.Push(7);
  std::atomic<bool> claimed{false};
  std::thread thief([&] {
    EXPECT_EQ(deque
                  .StealIf([&](int) {
                    claimed.store(true);
                    // Long enough for the owner to run into it: until it waits
                    // for the lock, there is nothing it could tell us.
                    YieldForAWhile();
                    return false;
                  })
                  .status,
              StealStatus::kRefused);
  });
  while (!claimed.load()) std::this_thread::yield();
  int item = 0;
  EXPECT_TRUE(deque.Pop(&item));
  EXPECT_EQ(item, 7);
  thief.join();
}

TEST(LockedDequeTest, EmptyTellsTheTruth) {
  LockedDeque<int> deque;
  EXPECT_TRUE(deque.empty());
  deque.Push(1);
  EXPECT_FALSE(deque.empty());
  EXPECT_EQ(deque.Steal().item, 1);
  EXPECT_TRUE(deque.empty());
}

}  // namespace
}  // namespace filch
