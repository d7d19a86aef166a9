// What every deque promises, asked of all of them by the same questions.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "gtest/gtest.h"
#include "tests/deque/contest.h"
#include "tests/deque/deques_under_test.h"

namespace filch {
namespace {

template <typename Kind>
class DequeContractTest : public testing::Test {
 protected:
  using Deque = typename Kind::template Of<int*>;

  int* Item(int number) { return &items_[number]; }
  void Push(Deque* deque, int from, int to) {
    for (int i = from; i < to; ++i) deque->Push(Item(i));
    deque->Share();
  }
  // The item's number; -1 if there is none.
  int Pop(Deque* deque) {
    int* item = nullptr;
    return deque->Pop(&item) ? static_cast<int>(item - items_) : -1;
  }
  int Steal(Deque* deque) {
    const StealResult<int*> loot = deque->Steal();
    return loot.status == StealStatus::kStolen ? static_cast<int>(loot.item - items_) : -1;
  }

  int items_[4096] = {};
};

class KindNames {
 public:
  template <typename Kind>
  static std::string GetName(int) {
    if (std::is_same_v<Kind, ChaseLev>) return "ChaseLev";
    if (std::is_same_v<Kind, Locked>) return "Locked";
    if (std::is_same_v<Kind, PoliteSplit<DequeAtomics>>) return "Split";
    if (std::is_same_v<Kind, ForcedSplit<DequeAtomics>>) return "SplitForced";
    return "SplitWithoutMembarrier";
  }
};

using Kinds = testing::Types<ChaseLev, Locked, PoliteSplit<DequeAtomics>, ForcedSplit<DequeAtomics>,
                             ForcedSplit<WithoutMembarrier>>;
TYPED_TEST_SUITE(DequeContractTest, Kinds, KindNames);

TYPED_TEST(DequeContractTest, Smoke) {
  typename TestFixture::Deque deque;
  this->Push(&deque, 0, 1);
  EXPECT_EQ(this->Pop(&deque), 0);
  this->Push(&deque, 1, 2);
  EXPECT_EQ(this->Steal(&deque), 1);
  EXPECT_EQ(this->Pop(&deque), -1);
}

TYPED_TEST(DequeContractTest, AFreshDequeIsEmpty) {
  typename TestFixture::Deque deque;
  EXPECT_EQ(deque.Steal().status, StealStatus::kEmpty);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(this->Pop(&deque), -1);
  EXPECT_EQ(deque.Steal().status, StealStatus::kEmpty);
  this->Push(&deque, 0, 1);
  EXPECT_EQ(this->Pop(&deque), 0);
}

TYPED_TEST(DequeContractTest, TheOwnerGetsTheNewestAndAThiefTheOldest) {
  typename TestFixture::Deque deque;
  this->Push(&deque, 0, 100);
  int oldest = 0;
  int newest = 99;
  while (oldest <= newest) {
    ASSERT_EQ(this->Steal(&deque), oldest++);
    for (int i = 0; i < 2 && oldest <= newest; ++i) {
      ASSERT_EQ(this->Pop(&deque), newest--);
    }
  }
  EXPECT_EQ(this->Pop(&deque), -1);
  EXPECT_EQ(deque.Steal().status, StealStatus::kEmpty);
}

TYPED_TEST(DequeContractTest, TheRingWrapsRound) {
  typename TestFixture::Deque deque(0, 8);
  for (int i = 0; i < 1000; ++i) {
    this->Push(&deque, i, i + 3);
    ASSERT_EQ(this->Steal(&deque), i);
    ASSERT_EQ(this->Pop(&deque), i + 2);
    ASSERT_EQ(this->Steal(&deque), i + 1);
  }
}

TYPED_TEST(DequeContractTest, GrowsSeveralTimesAndKeepsTheOrder) {
  typename TestFixture::Deque deque(0, 2);
  this->Push(&deque, 0, 1);
  ASSERT_EQ(this->Steal(&deque), 0);  // so that the rings are not aligned to their first slot
  this->Push(&deque, 1, 2000);
  for (int i = 1; i < 1000; ++i) ASSERT_EQ(this->Steal(&deque), i);
  this->Push(&deque, 2000, 4000);
  for (int i = 3999; i >= 1000; --i) ASSERT_EQ(this->Pop(&deque), i);
  EXPECT_EQ(this->Pop(&deque), -1);
}

TYPED_TEST(DequeContractTest, IndicesMayStartNearTheirLimits) {
  const std::int64_t two_to_31 = std::int64_t{1} << 31;
  const std::int64_t two_to_40 = std::int64_t{1} << 40;
  const std::int64_t last = std::numeric_limits<std::int64_t>::max() - 10000;
  const std::int64_t first = std::numeric_limits<std::int64_t>::min() + 10000;
  for (const std::int64_t start : {std::int64_t{-5}, two_to_31 - 5, 2 * two_to_31 - 5,
                                   two_to_40 - 5, -two_to_40 - 5, last, first}) {
    typename TestFixture::Deque deque(start, 2);
    for (int round = 0; round < 3; ++round) {
      this->Push(&deque, 0, 20);
      for (int i = 0; i < 10; ++i) ASSERT_EQ(this->Steal(&deque), i) << start;
      for (int i = 19; i >= 10; --i) ASSERT_EQ(this->Pop(&deque), i) << start;
      ASSERT_EQ(this->Pop(&deque), -1) << start;
    }
  }
}

TYPED_TEST(DequeContractTest, DestroyedWithItemsInside) {
  typename TestFixture::Deque deque(0, 2);
  this->Push(&deque, 0, 100);
  EXPECT_EQ(this->Steal(&deque), 0);
}

TYPED_TEST(DequeContractTest, LastElementGoesToExactlyOneSide) {
  constexpr int kRounds = 1000;
  typename TestFixture::Deque deque;
  std::atomic<int> round{0};
  std::atomic<int> thief_done{0};
  std::atomic<int> stolen{0};
  std::thread thief([&] {
    for (int i = 1; i <= kRounds; ++i) {
      while (round.load(std::memory_order_acquire) < i) std::this_thread::yield();
      if (deque.Steal().status == StealStatus::kStolen) stolen.fetch_add(1);
      thief_done.store(i, std::memory_order_release);
    }
  });
  int popped = 0;
  int lost = 0;
  for (int i = 1; i <= kRounds; ++i) {
    this->Push(&deque, 0, 1);
    round.store(i, std::memory_order_release);
    if (this->Pop(&deque) == 0) ++popped;
    while (thief_done.load(std::memory_order_acquire) < i) std::this_thread::yield();
    if (this->Pop(&deque) != -1) ++lost;
    ASSERT_EQ(popped + stolen.load(), i);
  }
  thief.join();
  EXPECT_EQ(lost, 0);
}

TYPED_TEST(DequeContractTest, AStampedeOfThievesGetsEachItemOnce) {
  constexpr int kThieves = 8;
  constexpr int kItems = 4000;
  typename TestFixture::Deque deque;
  this->Push(&deque, 0, kItems);
  std::atomic<int> ready{0};
  std::vector<std::vector<int>> loot(kThieves);
  std::vector<std::thread> thieves;
  for (int t = 0; t < kThieves; ++t) {
    thieves.emplace_back([&, t] {
      ready.fetch_add(1);
      while (ready.load() < kThieves) std::this_thread::yield();
      for (;;) {
        const StealResult<int*> result = deque.Steal();
        if (result.status == StealStatus::kEmpty) break;
        if (result.status != StealStatus::kStolen) continue;
        loot[static_cast<std::size_t>(t)].push_back(static_cast<int>(result.item - this->Item(0)));
      }
    });
  }
  for (std::thread& thief : thieves) thief.join();
  std::set<int> all;
  for (const std::vector<int>& one : loot) {
    EXPECT_TRUE(std::is_sorted(one.begin(), one.end()));
    for (const int item : one) EXPECT_TRUE(all.insert(item).second) << item;
  }
  EXPECT_EQ(all.size(), static_cast<std::size_t>(kItems));
  EXPECT_EQ(this->Pop(&deque), -1);
}

TYPED_TEST(DequeContractTest, OwnerAgainstThieves) {
  for (const int thieves : {1, 3}) {
    // A first ring of two slots: the contest passes several growths.
    typename TypeParam::template Of<ContestItem*> deque(0, 2);
    ContestRules rules;
    rules.items = 50000;
    rules.thieves = thieves;
    rules.longest_burst = 64;
    Contest<typename TypeParam::template Of<ContestItem*>> contest(&deque, rules);
    contest.Run();
  }
}

TYPED_TEST(DequeContractTest, OwnerAgainstThievesOverFewItems) {
  typename TypeParam::template Of<ContestItem*> deque(0, 2);
  ContestRules rules;
  rules.items = 50000;
  rules.thieves = 2;
  rules.longest_burst = 2;
  Contest<typename TypeParam::template Of<ContestItem*>> contest(&deque, rules);
  contest.Run();
}

}  // namespace
}  // namespace filch
