#include "filch/deque/split_deque.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <random>
#include <thread>
#include <vector>

#include "filch/deque/deque_atomics.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

// A kernel without membarrier: the two fences do not pair up.
struct WithoutMembarrier : DequeAtomics {
  static bool IsAsymmetric() { return false; }
  static void HeavyFence() { ADD_FAILURE() << "A heavy fence is of no use here."; }
};

template <typename Atomics>
class SplitDequeTest : public testing::Test {
 protected:
  using DequeUnderTest = SplitDeque<int*, Atomics>;

  int* Item(int number) { return &items_[number]; }

  // The number of the item that the owner gets; -1 if the deque is empty.
  int Pop(DequeUnderTest* deque) {
    int* item = nullptr;
    std::uint64_t meta = 0;
    return deque->Pop(&item, &meta) ? static_cast<int>(item - items_) : -1;
  }
  int Steal(DequeUnderTest* deque) {
    const StealResult<int*> loot = deque->Steal();
    return loot.status == StealStatus::kStolen ? static_cast<int>(loot.item - items_) : -1;
  }
  void Push(DequeUnderTest* deque, int from, int to) {
    for (int i = from; i < to; ++i) deque->Push(Item(i), static_cast<std::uint64_t>(i));
  }

  int items_[4096] = {};
};

using Kernels = testing::Types<DequeAtomics, WithoutMembarrier>;
TYPED_TEST_SUITE(SplitDequeTest, Kernels);

TYPED_TEST(SplitDequeTest, StealsNothingThatIsPrivate) {
  SplitDeque<int*, TypeParam> deque;
  this->Push(&deque, 0, 4);
  EXPECT_EQ(deque.Steal().status, StealStatus::kEmpty);
  EXPECT_EQ(deque.private_size(), 4);
}

TYPED_TEST(SplitDequeTest, AThiefThatFindsNothingLeavesARequest) {
  SplitDeque<int*, TypeParam> deque;
  EXPECT_FALSE(deque.exposure_requested());
  EXPECT_EQ(deque.Steal().status, StealStatus::kEmpty);
  EXPECT_TRUE(deque.exposure_requested());
}

TYPED_TEST(SplitDequeTest, TakingTheLastSharedItemLeavesARequest) {
  SplitDeque<int*, TypeParam> deque;
  this->Push(&deque, 0, 4);
  deque.Expose();
  EXPECT_EQ(this->Steal(&deque), 0);
  EXPECT_FALSE(deque.exposure_requested());
  EXPECT_EQ(this->Steal(&deque), 1);
  EXPECT_TRUE(deque.exposure_requested());
}

TYPED_TEST(SplitDequeTest, ExposeSharesTheOlderHalfRoundedUpAndClearsTheRequest) {
  SplitDeque<int*, TypeParam> deque;
  this->Push(&deque, 0, 5);
  deque.RequestExposure();
  deque.Expose();
  EXPECT_FALSE(deque.exposure_requested());
  EXPECT_EQ(deque.private_size(), 2);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(this->Steal(&deque), i);
  EXPECT_EQ(deque.Steal().status, StealStatus::kEmpty);
}

TYPED_TEST(SplitDequeTest, ExposeAllSharesWhatIsPrivateAndClearsTheRequest) {
  for (const int shared : {0, 3}) {
    SplitDeque<int*, TypeParam> deque;
    this->Push(&deque, 0, 5);
    if (shared > 0) deque.Expose();
    EXPECT_EQ(deque.ApproximateSizes().shared, shared);
    deque.RequestExposure();
    deque.ExposeAll();
    EXPECT_FALSE(deque.exposure_requested());
    EXPECT_EQ(deque.private_size(), 0);
    EXPECT_EQ(deque.ApproximateSizes().shared, 5);
    for (int i = 0; i < 2; ++i) EXPECT_EQ(this->Steal(&deque), i);
    for (int i = 4; i >= 2; --i) EXPECT_EQ(this->Pop(&deque), i);
    deque.ExposeAll();  // nothing
    EXPECT_EQ(deque.Inspect(), (SplitDeque<int*, TypeParam>::Contents::kEmpty));
  }
}

TYPED_TEST(SplitDequeTest, OfManyThreadsTheOwnerKeepsAndTakesBackItsPartOnly) {
  SplitDeque<int*, TypeParam> deque;
  deque.ShareAmong(4);
  this->Push(&deque, 0, 10);
  deque.Expose();
  EXPECT_EQ(deque.private_size(), 2);
  EXPECT_EQ(deque.ApproximateSizes().shared, 8);
  for (int i = 9; i >= 8; --i) EXPECT_EQ(this->Pop(&deque), i);
  EXPECT_EQ(this->Pop(&deque), 7);  // one of 6 and 7
  EXPECT_EQ(deque.private_size(), 1);
  EXPECT_TRUE(deque.ForceExposure());  // the last one, too
  EXPECT_EQ(deque.private_size(), 0);
  for (int i = 0; i < 7; ++i) EXPECT_EQ(this->Steal(&deque), i);
}

TYPED_TEST(SplitDequeTest, ARequestThatIsDroppedIsMadeAnew) {
  SplitDeque<int*, TypeParam> deque;
  deque.RequestExposure();
  deque.DropRequest();
  EXPECT_FALSE(deque.exposure_requested());
  EXPECT_EQ(deque.Steal().status, StealStatus::kEmpty);
  EXPECT_TRUE(deque.exposure_requested());
}

TYPED_TEST(SplitDequeTest, ARequestThatFindsNothingPrivateStays) {
  SplitDeque<int*, TypeParam> deque;
  deque.RequestExposure();
  deque.Expose();
  EXPECT_TRUE(deque.exposure_requested());
  deque.Push(this->Item(0));
  deque.Expose();
  EXPECT_FALSE(deque.exposure_requested());
  EXPECT_EQ(this->Steal(&deque), 0);
}

TYPED_TEST(SplitDequeTest, OfSeveralRequestsTheMostUrgentStays) {
  using Deque = SplitDeque<int*, TypeParam>;
  Deque deque;
  EXPECT_EQ(deque.request_word(), Deque::kNoRequest);
  deque.RequestOwnExposure();
  EXPECT_EQ(deque.request_word(), Deque::kByOwner);
  deque.RequestExposure();
  deque.RequestOwnExposure();
  EXPECT_EQ(deque.request_word(), Deque::kByThief);
  deque.InsistOnExposure();
  deque.RequestExposure();
  EXPECT_EQ(deque.request_word(), Deque::kByInsistentThief);
  deque.Push(this->Item(0));
  deque.Expose();
  EXPECT_EQ(deque.request_word(), Deque::kNoRequest);
}

TYPED_TEST(SplitDequeTest, PopTakesSharedItemsBackOnceThePrivateOnesAreGone) {
  SplitDeque<int*, TypeParam> deque;
  this->Push(&deque, 0, 8);
  for (int i = 0; i < 8; ++i) deque.Expose();
  EXPECT_EQ(deque.private_size(), 0);
  for (int i = 7; i >= 0; --i) EXPECT_EQ(this->Pop(&deque), i);
  EXPECT_EQ(this->Pop(&deque), -1);
}

TYPED_TEST(SplitDequeTest, WhatTheOwnerTakesBackIsPrivateAgain) {
  SplitDeque<int*, TypeParam> deque;
  this->Push(&deque, 0, 8);
  for (int i = 0; i < 8; ++i) deque.Expose();
  EXPECT_EQ(this->Pop(&deque), 7);
  EXPECT_EQ(deque.private_size(), 3);  // 4, 5, 6
  for (int i = 0; i < 4; ++i) EXPECT_EQ(this->Steal(&deque), i);
  EXPECT_EQ(this->Steal(&deque), -1);
}

TYPED_TEST(SplitDequeTest, TheLastSharedItemUsesUpItsIndex) {
  SplitDeque<int*, TypeParam> deque;
  this->Push(&deque, 0, 1);
  deque.Expose();
  EXPECT_EQ(deque.bottom(), 1);
  EXPECT_EQ(this->Pop(&deque), 0);
  EXPECT_EQ(deque.bottom(), 1);
  EXPECT_EQ(this->Pop(&deque), -1);
  EXPECT_EQ(deque.bottom(), 1);
}

TYPED_TEST(SplitDequeTest, TryPushTakesNoMemory) {
  SplitDeque<int*, TypeParam> deque(0, 8);
  EXPECT_FALSE(deque.TryPush(this->Item(0)));
  EXPECT_EQ(this->Pop(&deque), -1);
  this->Push(&deque, 0, 4);
  EXPECT_TRUE(deque.TryPush(this->Item(4), 7));
  EXPECT_TRUE(deque.TryPush(this->Item(5)));
  EXPECT_FALSE(deque.TryPush(this->Item(6)));
  EXPECT_EQ(deque.private_size(), 6);
  EXPECT_EQ(this->Pop(&deque), 5);
  int* item = nullptr;
  std::uint64_t meta = 0;
  EXPECT_TRUE(deque.Pop(&item, &meta));
  EXPECT_EQ(item, this->Item(4));
  EXPECT_EQ(meta, 7u);
  EXPECT_TRUE(deque.TryPush(this->Item(6)));
  EXPECT_EQ(this->Pop(&deque), 6);
  EXPECT_EQ(this->Pop(&deque), 3);
}

TYPED_TEST(SplitDequeTest, TryPopTakesTheNewestIfItIsPrivate) {
  SplitDeque<int*, TypeParam> deque;
  this->Push(&deque, 0, 3);
  EXPECT_EQ(deque.bottom(), 3);
  // Without membarrier there is no fast end, and Pop does it.
  const bool taken = deque.TryPop(this->Item(2));
  EXPECT_EQ(taken, TypeParam::IsAsymmetric());
  if (!taken) {
    EXPECT_EQ(this->Pop(&deque), 2);
  }
  EXPECT_EQ(deque.bottom(), 2);
  EXPECT_EQ(this->Pop(&deque), 1);
}

TYPED_TEST(SplitDequeTest, TryPopChangesNothingIfAnotherItemIsNewest) {
  SplitDeque<int*, TypeParam> deque;
  this->Push(&deque, 0, 3);
  EXPECT_FALSE(deque.TryPop(this->Item(1)));
  EXPECT_FALSE(deque.TryPop(this->Item(3)));
  EXPECT_EQ(deque.bottom(), 3);
  EXPECT_EQ(this->Pop(&deque), 2);
}

TYPED_TEST(SplitDequeTest, TryPopChangesNothingIfTheItemIsShared) {
  SplitDeque<int*, TypeParam> deque;
  this->Push(&deque, 0, 1);
  deque.Expose();
  EXPECT_FALSE(deque.TryPop(this->Item(0)));
  EXPECT_EQ(deque.bottom(), 1);
  EXPECT_EQ(this->Steal(&deque), 0);
  EXPECT_FALSE(deque.TryPop(this->Item(0)));
}

TYPED_TEST(SplitDequeTest, ForceExposureSharesTheOlderHalfRoundedUp) {
  SplitDeque<int*, TypeParam> deque;
  this->Push(&deque, 0, 5);
  EXPECT_TRUE(deque.ForceExposure());
  EXPECT_EQ(deque.private_size(), 2);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(this->Steal(&deque), i);
  EXPECT_EQ(this->Steal(&deque), -1);
  EXPECT_EQ(this->Pop(&deque), 4);
  EXPECT_EQ(this->Pop(&deque), 3);
  EXPECT_EQ(this->Pop(&deque), -1);
}

TYPED_TEST(SplitDequeTest, ForceExposureOfNothingIsFalse) {
  SplitDeque<int*, TypeParam> deque;
  EXPECT_FALSE(deque.ForceExposure());
  this->Push(&deque, 0, 1);
  deque.Expose();
  EXPECT_FALSE(deque.ForceExposure());
  EXPECT_EQ(this->Pop(&deque), 0);
  EXPECT_FALSE(deque.ForceExposure());
}

TYPED_TEST(SplitDequeTest, InspectTellsPrivateFromShared) {
  using DequeContents = typename SplitDeque<int*, TypeParam>::Contents;
  SplitDeque<int*, TypeParam> deque;
  EXPECT_EQ(deque.Inspect(), DequeContents::kEmpty);
  this->Push(&deque, 0, 2);
  EXPECT_EQ(deque.Inspect(), DequeContents::kPrivateOnly);
  deque.Expose();
  EXPECT_EQ(deque.Inspect(), DequeContents::kShared);
  EXPECT_EQ(this->Steal(&deque), 0);
  EXPECT_EQ(deque.Inspect(), DequeContents::kPrivateOnly);
  EXPECT_EQ(this->Pop(&deque), 1);
  EXPECT_EQ(deque.Inspect(), DequeContents::kEmpty);
}

TYPED_TEST(SplitDequeTest, AThiefTestsMetaBeforeItOwnsTheItem) {
  SplitDeque<int*, TypeParam> deque;
  this->Push(&deque, 0, 4);
  deque.Expose();
  std::vector<std::uint64_t> asked;
  const auto at_least_one = [&asked](std::uint64_t meta) {
    asked.push_back(meta);
    return meta >= 1;
  };
  EXPECT_EQ(deque.StealIf(at_least_one).status, StealStatus::kRefused);
  EXPECT_EQ(this->Steal(&deque), 0);
  const StealResult<int*> loot = deque.StealIf(at_least_one);
  EXPECT_EQ(loot.status, StealStatus::kStolen);
  EXPECT_EQ(loot.item, this->Item(1));
  EXPECT_EQ(loot.meta, 1u);
  EXPECT_EQ(asked, (std::vector<std::uint64_t>{0, 1}));
}

TYPED_TEST(SplitDequeTest, PopBringsMetaBack) {
  SplitDeque<int*, TypeParam> deque;
  deque.Push(this->Item(0), 7);
  deque.Push(this->Item(1), ~std::uint64_t{0});
  int* item = nullptr;
  std::uint64_t meta = 0;
  ASSERT_TRUE(deque.Pop(&item, &meta));
  EXPECT_EQ(meta, ~std::uint64_t{0});
  deque.Expose();
  ASSERT_TRUE(deque.Pop(&item, &meta));
  EXPECT_EQ(meta, 7u);
}

TYPED_TEST(SplitDequeTest, PopOfTakesTheNewestWithItsMetaFromAnIndexOn) {
  SplitDeque<int*, TypeParam> deque(100);
  constexpr std::uint64_t kMetas[] = {1, 2, 1, 2, 3};
  for (int i = 0; i < 5; ++i) deque.Push(this->Item(i), kMetas[i]);
  int* item = nullptr;
  std::int64_t gap = 0;
  EXPECT_FALSE(deque.PopOf(4, 100, &item, &gap));
  EXPECT_FALSE(deque.PopOf(1, 103, &item, &gap));
  EXPECT_FALSE(deque.PopOf(3, 105, &item, &gap));
  ASSERT_TRUE(deque.PopOf(3, 104, &item, &gap));  // the newest of all
  EXPECT_EQ(item, this->Item(4));
  EXPECT_EQ(gap, 104);
  ASSERT_TRUE(deque.PopOf(1, std::numeric_limits<std::int64_t>::min(), &item, &gap));
  EXPECT_EQ(item, this->Item(2));
  EXPECT_EQ(gap, 102);
  EXPECT_EQ(deque.bottom(), 103);
  EXPECT_EQ(this->Pop(&deque), 3);
  EXPECT_EQ(this->Pop(&deque), 1);
  EXPECT_FALSE(deque.PopOf(1, 101, &item, &gap));
  EXPECT_EQ(this->Pop(&deque), 0);
  EXPECT_FALSE(deque.PopOf(1, std::numeric_limits<std::int64_t>::min(), &item, &gap));
}

TYPED_TEST(SplitDequeTest, HasOfFindsWhatIsSharedAndWhatIsNot) {
  SplitDeque<int*, TypeParam> deque(100);
  EXPECT_FALSE(deque.HasOf(0));
  for (int i = 0; i < 3; ++i) deque.Push(this->Item(i), static_cast<std::uint64_t>(i));
  deque.Expose();
  for (std::uint64_t meta = 0; meta < 3; ++meta) EXPECT_TRUE(deque.HasOf(meta));
  EXPECT_FALSE(deque.HasOf(3));
  EXPECT_EQ(this->Steal(&deque), 0);
  EXPECT_FALSE(deque.HasOf(0));
  EXPECT_EQ(this->Pop(&deque), 2);
  EXPECT_FALSE(deque.HasOf(2));
  EXPECT_TRUE(deque.HasOf(1));
}

TYPED_TEST(SplitDequeTest, PopOfTakesBackWhatIsSharedFromItsItemOn) {
  SplitDeque<int*, TypeParam> deque;
  this->Push(&deque, 0, 4);
  for (int i = 0; i < 3; ++i) deque.Expose();
  int* item = nullptr;
  std::int64_t gap = 0;
  ASSERT_TRUE(deque.PopOf(1, 0, &item, &gap));
  EXPECT_EQ(item, this->Item(1));
  EXPECT_EQ(gap, 1);
  EXPECT_EQ(deque.private_size(), 2);
  EXPECT_EQ(this->Steal(&deque), 0);
  EXPECT_EQ(this->Steal(&deque), -1);
  EXPECT_EQ(this->Pop(&deque), 3);
  EXPECT_EQ(this->Pop(&deque), 2);
}

// The oldest shared one goes as if it were stolen: nothing moves.
TYPED_TEST(SplitDequeTest, PopOfTakesTheOldestSharedItemAsAThief) {
  SplitDeque<int*, TypeParam> deque;
  this->Push(&deque, 0, 3);
  deque.Expose();
  int* item = nullptr;
  std::int64_t gap = 0;
  ASSERT_TRUE(deque.PopOf(0, 0, &item, &gap));
  EXPECT_EQ(item, this->Item(0));
  EXPECT_EQ(gap, 3);
  EXPECT_EQ(deque.bottom(), 3);
  EXPECT_EQ(this->Steal(&deque), 1);
  EXPECT_EQ(this->Pop(&deque), 2);
}

// Each item comes out once, whoever takes it: the owner out of the middle, or thieves that
// share by force what it is at.
TYPED_TEST(SplitDequeTest, PopOfAgainstThieves) {
  constexpr int kItems = 4096;
  constexpr int kMetas = 3;
  for (int round = 0; round < 5; ++round) {
    SplitDeque<int*, TypeParam> deque(round, 4);
    std::vector<std::atomic<int>> taken(kItems);
    const auto take = [&](const int* item) {
      taken[static_cast<std::size_t>(item - this->items_)]++;
    };
    std::atomic<bool> done{false};
    std::thread thief([&] {
      do {
        deque.ForceExposure();
        const StealResult<int*> loot = deque.Steal();
        if (loot.status == StealStatus::kStolen) take(loot.item);
      } while (!done);
    });
    int* item = nullptr;
    std::int64_t gap = 0;
    for (int i = 0; i < kItems; ++i) {
      deque.Push(this->Item(i), static_cast<std::uint64_t>(i % kMetas));
      if (i % 8 != 7) continue;
      for (int j = 0; j < 4; ++j) {
        if (deque.PopOf(static_cast<std::uint64_t>(j % kMetas), deque.bottom() - 8, &item, &gap)) {
          take(item);
        }
      }
    }
    for (int meta = 0; meta < kMetas; ++meta) {
      while (deque.PopOf(static_cast<std::uint64_t>(meta), 0, &item, &gap)) take(item);
    }
    EXPECT_EQ(this->Pop(&deque), -1);
    done = true;
    thief.join();
    for (int i = 0; i < kItems; ++i) EXPECT_EQ(taken[static_cast<std::size_t>(i)], 1) << i;
  }
}

TYPED_TEST(SplitDequeTest, AThiefThatTheItemSlipsAwayFromHasLost) {
  SplitDeque<int*, TypeParam> deque;
  this->Push(&deque, 0, 2);
  deque.Expose();
  // Between the question and the exchange the owner takes the item.
  const StealResult<int*> loot = deque.StealIf([&](std::uint64_t) {
    EXPECT_EQ(this->Pop(&deque), 1);
    EXPECT_EQ(this->Pop(&deque), 0);
    return true;
  });
  EXPECT_EQ(loot.status, StealStatus::kLost);
}

TYPED_TEST(SplitDequeTest, ARefusalOfAnItemThatIsGoneIsALoss) {
  SplitDeque<int*, TypeParam> deque;
  this->Push(&deque, 0, 2);
  deque.Expose();
  const StealResult<int*> loot = deque.StealIf([&](std::uint64_t) {
    EXPECT_EQ(this->Steal(&deque), 0);
    return false;
  });
  EXPECT_EQ(loot.status, StealStatus::kLost);
}

// The word that thieves compete on holds 40 bits of the index; the count is
// beside it.  Pass the points where those bits run over.
TYPED_TEST(SplitDequeTest, TheTailWrapsInTheSharedWord) {
  const std::int64_t two_to_40 = std::int64_t{1} << 40;
  for (const std::int64_t start :
       {two_to_40 - 3, 5 * two_to_40 - 3, -two_to_40 - 3, std::int64_t{-3}, std::int64_t{-600}}) {
    SplitDeque<int*, TypeParam> deque(start, 4);
    for (int round = 0; round < 3; ++round) {
      this->Push(&deque, 0, 10);
      deque.Expose();
      EXPECT_EQ(deque.Inspect(), (SplitDeque<int*, TypeParam>::Contents::kShared));
      for (int i = 0; i < 3; ++i) EXPECT_EQ(this->Steal(&deque), i);
      for (int i = 9; i >= 3; --i) EXPECT_EQ(this->Pop(&deque), i);
      EXPECT_EQ(this->Pop(&deque), -1);
      EXPECT_EQ(deque.Inspect(), (SplitDeque<int*, TypeParam>::Contents::kEmpty));
    }
  }
}

// What is private lies in one piece, which may reach beyond the ring's end.
TYPED_TEST(SplitDequeTest, ItemsBeyondTheRingsEndAreSharedLikeOthers) {
  using Deque = SplitDeque<int*, TypeParam>;
  for (std::int64_t start = 0; start < 8; ++start) {
    for (const bool by_force : {false, true}) {
      Deque deque(start, 8);
      this->Push(&deque, 0, 6);
      if (by_force) {
        EXPECT_TRUE(deque.ForceExposure());
      } else {
        deque.Expose();
      }
      EXPECT_EQ(deque.private_size(), 3);
      for (int i = 0; i < 3; ++i) EXPECT_EQ(this->Steal(&deque), i);
      EXPECT_EQ(deque.Inspect(), Deque::Contents::kPrivateOnly);
      this->Push(&deque, 6, 9);
      EXPECT_EQ(deque.bottom(), start + 9);
      for (int i = 0; i < 3; ++i) deque.Expose();
      EXPECT_EQ(this->Steal(&deque), 3);
      for (int i = 8; i > 3; --i) EXPECT_EQ(this->Pop(&deque), i);
      EXPECT_EQ(this->Pop(&deque), -1);
      EXPECT_EQ(deque.Inspect(), Deque::Contents::kEmpty);
    }
  }
}

// To lay out anew what is private takes longer the more there is: for one free slot it is not
// worth it.
TYPED_TEST(SplitDequeTest, ARingThatIsNearlyFullGrows) {
  SplitDeque<int*, TypeParam> deque(0, 16);
  this->Push(&deque, 0, 14);
  deque.Expose();
  EXPECT_EQ(this->Steal(&deque), 0);
  this->Push(&deque, 14, 15);
  for (int i = 15; i < 30; ++i) EXPECT_TRUE(deque.TryPush(this->Item(i))) << i;
  // Where much has been freed it does not.
  SplitDeque<int*, TypeParam> other(0, 16);
  this->Push(&other, 0, 14);
  other.Expose();
  for (int i = 0; i < 7; ++i) EXPECT_EQ(this->Steal(&other), i);
  this->Push(&other, 14, 15);
  int pushed = 0;
  while (other.TryPush(this->Item(pushed))) ++pushed;
  EXPECT_EQ(pushed, 6);
}

// Another thread counts what is there, in whatever ring that is, and finds something always.
TYPED_TEST(SplitDequeTest, IsNeverEmptyForOthersWhileItGrows) {
  using Deque = SplitDeque<int*, TypeParam>;
  constexpr int kItems = 4096;
  for (int round = 0; round < 50; ++round) {
    Deque deque(round, 4);
    std::atomic<bool> begun{false};
    std::atomic<bool> done{false};
    std::thread watcher([&] {
      while (!begun) std::this_thread::yield();
      do {
        EXPECT_NE(deque.Inspect(), Deque::Contents::kEmpty);
        const auto sizes = deque.ApproximateSizes();
        EXPECT_GE(sizes.all, 1);
        EXPECT_LE(sizes.all, 2 * kItems);
      } while (!done);
    });
    this->Push(&deque, 0, 1);
    begun = true;
    this->Push(&deque, 1, kItems);
    done = true;
    watcher.join();
  }
}

// Does at random what one thread can do, in rings of all small sizes, and compares with a list.
TYPED_TEST(SplitDequeTest, DoesWhatAListDoes) {
  using Deque = SplitDeque<int*, TypeParam>;
  std::mt19937 random(20261126);
  for (int round = 0; round < 400; ++round) {
    const auto start = static_cast<std::int64_t>(random() % 64) - 32;
    Deque deque(start, std::int64_t{4} << (random() % 3));
    const std::size_t threads = 2 + random() % 4;
    deque.ShareAmong(static_cast<std::int64_t>(threads));
    const auto others_part = [threads](std::size_t items) { return items - items / threads; };
    std::deque<int> list;
    std::size_t shared = 0;
    int next = 0;
    const auto liking_for_pushes = 20 + random() % 30;
    for (int step = 0; step < 300; ++step) {
      const auto choice = random() % 100;
      if (choice < liking_for_pushes) {
        this->Push(&deque, next, next + 1);
        list.push_back(next++);
      } else if (choice < 55) {
        const bool alone = shared == list.size();
        int* item = this->Item(4095);
        std::uint64_t meta = 4095;
        ASSERT_EQ(deque.Pop(&item, &meta), !list.empty());
        if (!list.empty()) {
          ASSERT_EQ(item, this->Item(list.back()));
          ASSERT_EQ(meta, static_cast<std::uint64_t>(list.back()));
          list.pop_back();
        }
        // Of several, the owner's part is private again.
        if (alone && shared > 0) shared = others_part(shared - 1);
      } else if (choice < 62) {
        const int wanted = list.empty() || random() % 8 == 0
                               ? next
                               : list[static_cast<std::size_t>(random()) % list.size()];
        const auto found = std::find(list.begin(), list.end(), wanted);
        const auto place = static_cast<std::size_t>(found - list.begin());
        const std::int64_t oldest = deque.bottom() - static_cast<std::int64_t>(list.size());
        const std::int64_t index = oldest + static_cast<std::int64_t>(place);
        const std::int64_t from = oldest + static_cast<std::int64_t>(random() % 4);
        int* item = this->Item(4095);
        std::int64_t gap = 0;
        ASSERT_EQ(deque.PopOf(static_cast<std::uint64_t>(wanted), from, &item, &gap),
                  found != list.end() && index >= from);
        if (item != this->Item(4095)) {
          ASSERT_EQ(item, this->Item(wanted));
          const bool as_thief = place == 0 && shared > 0;
          ASSERT_EQ(gap, as_thief ? oldest + static_cast<std::int64_t>(list.size()) : index);
          list.erase(found);
          shared = as_thief ? shared - 1 : std::min(shared, place);
        }
      } else if (choice < 70) {
        const int newest = list.empty() ? 0 : list.back();
        if (deque.TryPop(this->Item(newest))) {
          ASSERT_LT(shared, list.size());
          list.pop_back();
        }
      } else if (choice < 85) {
        const StealResult<int*> loot = deque.Steal();
        ASSERT_EQ(loot.status, shared > 0 ? StealStatus::kStolen : StealStatus::kEmpty);
        if (shared > 0) {
          ASSERT_EQ(loot.item, this->Item(list.front()));
          ASSERT_EQ(loot.meta, static_cast<std::uint64_t>(list.front()));
          list.pop_front();
          --shared;
        }
      } else if (choice < 93) {
        deque.Expose();
        shared += others_part(list.size() - shared);
      } else {
        const bool forced = deque.ForceExposure();
        ASSERT_EQ(forced, shared < list.size());
        shared += others_part(list.size() - shared);
      }
      ASSERT_EQ(deque.private_size(), static_cast<std::int64_t>(list.size() - shared));
      const auto sizes = deque.ApproximateSizes();
      ASSERT_EQ(sizes.all, static_cast<std::int64_t>(list.size()));
      ASSERT_EQ(sizes.shared, static_cast<std::int64_t>(shared));
      constexpr std::int64_t kTailMask = (std::int64_t{1} << 40) - 1;
      ASSERT_EQ(static_cast<std::int64_t>(sizes.oldest), (deque.bottom() - sizes.all) & kTailMask);
      ASSERT_EQ(deque.Inspect(), shared > 0        ? Deque::Contents::kShared
                                 : list.size() > 0 ? Deque::Contents::kPrivateOnly
                                                   : Deque::Contents::kEmpty);
    }
  }
}

}  // namespace
}  // namespace filch
