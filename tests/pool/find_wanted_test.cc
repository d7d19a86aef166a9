// To which arena a worker without work goes, and when one leaves for another.
#include <memory>
#include <mutex>
#include <vector>

#include "filch/pool/wanted.h"
#include "filch/pool/workforce.h"
#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

struct FakeArena {
  explicit FakeArena(int its_priority) : priority_(its_priority) {}

  Wanted& wanted() { return wanted_; }
  int priority() const { return priority_; }
  bool InsistsOnWorker() const { return insists; }
  static bool HasLeftBehind() { return false; }
  static bool NeedsWorker() { return false; }
  static bool HasWorkerSlots() { return true; }
  int FreeWorkerSlots() const { return has_slot ? 1 : 0; }
  bool HasSlotForWorker() {
    if (is_vacated_when_asked > 0 && --is_vacated_when_asked == 0) has_slot = true;
    return has_slot;
  }
  bool LooksBusy() {
    was_looked_at = true;
    return has_work;
  }
  bool ScanForAnyWork() const { return has_work; }
  static void MarkFull() {}
  static void StartSearching(bool) {}
  static bool IsSuperfluous(const FakeArena&) { return false; }

  bool insists = false;
  bool has_slot = true;
  int is_vacated_when_asked = 0;  // so many times; 0: not
  bool has_work = false;
  bool was_looked_at = false;

 private:
  const int priority_;
  Wanted wanted_;
};

struct FakePool {
  std::mutex& mutex() { return mutex_; }
  const std::vector<std::unique_ptr<FakeArena>>& arenas() const { return arenas_; }
  FakeArena* ArenaAt(std::size_t place) {
    return place < arenas_.size() ? arenas_[place].get() : nullptr;
  }
  static bool AddWorker(int) { return false; }
  void Wake(int) { ++woken; }
  static void WakeWaiter(FakeArena&) {}
  static FakeArena* OccupyAsWorker(FakeArena& arena, int) {
    return arena.has_slot ? &arena : nullptr;
  }

  int woken = 0;
  std::mutex mutex_;
  std::vector<std::unique_ptr<FakeArena>> arenas_;
};

class FindWantedTest : public testing::Test {
 protected:
  FindWantedTest() {
    for (const int priority : {20, 10, 10}) {
      pool_.arenas_.push_back(std::make_unique<FakeArena>(priority));
    }
  }
  FakeArena& high() { return *pool_.arenas_[0]; }
  FakeArena& low() { return *pool_.arenas_[1]; }
  FakeArena& low_too() { return *pool_.arenas_[2]; }
  // Somebody is wanted there, and nobody comes.
  static void WantIn(FakeArena& arena) {
    arena.wanted().Call();
    arena.wanted().TakeBack();
  }
  FakeArena* Find() {
    bool refused = false;
    FakeArena* const found = workforce_.FindWanted(pool_, 0, &refused);
    EXPECT_FALSE(refused);
    return found;
  }

  FakePool pool_;
  Workforce workforce_{/*limit=*/2, /*capacity=*/2};
};

TEST_F(FindWantedTest, NowhereIfNobodyIsWanted) {
  high().has_work = true;
  EXPECT_EQ(Find(), nullptr);
}

TEST_F(FindWantedTest, RefusedWhereTheLimitIsInTheWay) {
  constexpr int kAboveTheLimit = 2;
  bool refused = false;
  EXPECT_EQ(workforce_.FindWanted(pool_, kAboveTheLimit, &refused), nullptr);
  EXPECT_FALSE(refused);
  WantIn(low());
  EXPECT_EQ(workforce_.FindWanted(pool_, kAboveTheLimit, &refused), nullptr);
  EXPECT_TRUE(refused);
  EXPECT_TRUE(low().wanted().IsNoted());
}

TEST_F(FindWantedTest, ToTheHighestOfThoseThatWantSomebody) {
  WantIn(low());
  WantIn(high());
  EXPECT_EQ(Find(), &high());
  EXPECT_FALSE(high().wanted().IsSet());
  EXPECT_TRUE(low().wanted().IsNoted());
}

TEST_F(FindWantedTest, ToOneAboveThatHasWorkForMoreThanThoseWhoSearchThere) {
  WantIn(low());
  high().has_work = true;
  EXPECT_EQ(Find(), &high());
  EXPECT_TRUE(low().wanted().IsNoted());
}

TEST_F(FindWantedTest, NotToOneAboveWithoutWorkOrRoom) {
  WantIn(low());
  EXPECT_EQ(Find(), &low());
  EXPECT_TRUE(high().was_looked_at);
  WantIn(low());
  high().has_work = true;
  high().has_slot = false;
  EXPECT_EQ(Find(), &low());
}

// The worker serves the lower arena.
class LeaveForAboveTest : public FindWantedTest {
 protected:
  // Nobody is free to be called.
  void CallInVain(FakeArena& arena) { workforce_.Recruit(pool_, arena); }
  bool Leaves(int number) {
    bool wanted_above = false;
    return workforce_.MustLeave(pool_, low(), low(), number, &wanted_above);
  }
};

TEST_F(LeaveForAboveTest, OnlyWhileSomebodyIsWantedThere) {
  EXPECT_FALSE(Leaves(0));
  CallInVain(high());
  EXPECT_TRUE(Leaves(0));
  high().wanted().Answer();
  EXPECT_FALSE(Leaves(1));
}

// Who has come has answered, and not found anything yet.
TEST_F(LeaveForAboveTest, AfterAnotherOneIfThereAreTasksForBoth) {
  high().has_work = true;
  CallInVain(high());
  EXPECT_TRUE(Leaves(0));
  EXPECT_EQ(Find(), &high());
  ASSERT_FALSE(high().wanted().IsSet());
  EXPECT_TRUE(Leaves(1));
  high().has_work = false;
  EXPECT_FALSE(Leaves(1));
  // Nobody looks any more.
  high().was_looked_at = false;
  high().has_work = true;
  EXPECT_FALSE(Leaves(1));
  EXPECT_FALSE(high().was_looked_at);
}

TEST_F(LeaveForAboveTest, NotWithoutRoom) {
  high().has_work = true;
  high().has_slot = false;
  CallInVain(high());
  EXPECT_FALSE(Leaves(0));
}

// Worker 0 was called for what somebody else has taken, and goes to another arena.
TEST_F(FindWantedTest, ACallToWhereTheLimitIsInTheWayIsPassedOn) {
  workforce_.SetLimit(0);
  ASSERT_TRUE(high().wanted().Call());
  WantIn(low());
  low().insists = true;
  bool refused = false;
  EXPECT_EQ(workforce_.FindWanted(pool_, 0, &refused), &low());
  EXPECT_TRUE(refused);
  EXPECT_FALSE(high().wanted().IsComing());
  EXPECT_TRUE(high().wanted().IsNoted());
}

TEST_F(FindWantedTest, NobodyIsCalledToAFullArena) {
  workforce_.AnnounceSleep(0);
  EXPECT_TRUE(workforce_.CouldCome(high()));
  high().has_slot = false;
  EXPECT_FALSE(workforce_.CouldCome(high()));
  workforce_.Recruit(pool_, high());
  EXPECT_EQ(pool_.woken, 0);
  EXPECT_TRUE(high().wanted().IsNoted());
  high().has_slot = true;
  workforce_.Recruit(pool_, high());
  EXPECT_EQ(pool_.woken, 1);
  EXPECT_TRUE(high().wanted().IsComing());
}

// Who vacates one while the call is taken back relies on it.
TEST_F(FindWantedTest, ACallLooksForASlotOnceMore) {
  workforce_.AnnounceSleep(0);
  high().has_slot = false;
  high().is_vacated_when_asked = 2;
  workforce_.Recruit(pool_, high());
  EXPECT_EQ(pool_.woken, 1);
  EXPECT_TRUE(high().wanted().IsComing());
}

TEST_F(FindWantedTest, NotToAnotherOfTheSamePriority) {
  low().has_work = true;
  WantIn(low_too());
  EXPECT_EQ(Find(), &low_too());
  EXPECT_FALSE(low().was_looked_at);
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
