// Which slots a thief looks into, and what a worker does with a task that it may not begin with.
#include "filch/pool/arena_sources.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "filch/pool/arena.h"
#include "filch/pool/idle_mode.h"
#include "filch/pool/next_task.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"
#include "gtest/gtest.h"
#include "tests/pool/limited_stay.h"
#include "tests/pool/no_task.h"
#include "tests/pool/nobody.h"

namespace filch {
namespace pool_internal {
namespace {

class ArenaSourcesTest : public testing::Test {
 protected:
  static constexpr std::uint64_t kIsolation = 7;

  Nobody nobody_;
  Arena arena_{nobody_, IdleTimes(), {2, 2, Priority::kNormal}, 0};
  Slot& victim_ = *arena_.slots().OccupyFromOutside();
  Slot& slot_ = *arena_.slots().OccupyFromOutside();
  LimitedStay stay_;
  ArenaSources sources_{slot_, {}, stay_};
  NoTask task_;
};

TEST_F(ArenaSourcesTest, AWorkerWithinTheLimitGetsWhatItSteals) {
  victim_.SpawnIn(kIsolation, task_);
  victim_.deque.Expose();
  const Choice stolen = sources_.Steal();
  EXPECT_EQ(stolen.task, &task_);
  EXPECT_EQ(stolen.isolation, kIsolation);
  EXPECT_EQ(stolen.rule, Rule::kSteal);
}

TEST_F(ArenaSourcesTest, OneBeyondItLeavesItToOthers) {
  victim_.SpawnIn(kIsolation, task_);
  victim_.deque.Expose();
  stay_.may_begin = false;
  EXPECT_FALSE(sources_.Steal());
  arena_.Vacate(slot_);
  EXPECT_TRUE(arena_.HasLeftBehind());
  ArenaSources others(victim_, {});
  const Choice found = others.Steal();
  EXPECT_EQ(found.task, &task_);
  EXPECT_EQ(found.isolation, kIsolation);
}

TEST_F(ArenaSourcesTest, SoDoesOneWithMail) {
  arena_.Post(task_, slot_.index, kIsolation);
  stay_.may_begin = false;
  EXPECT_FALSE(sources_.TakeMail());
  arena_.Vacate(slot_);
  ArenaSources others(victim_, {});
  EXPECT_EQ(others.Steal().task, &task_);
}

TEST_F(ArenaSourcesTest, SeesWhatTheOnlyOtherSlotShares) {
  victim_.deque.Push(&task_, 0);
  EXPECT_FALSE(sources_.SeesStealable());
  victim_.deque.Expose();
  EXPECT_TRUE(sources_.SeesStealable());
  EXPECT_FALSE(ArenaSources(slot_, {kIsolation}).SeesStealable());
  EXPECT_FALSE(ArenaSources(slot_, ArenaSources::Scope::OwnAlone(0)).SeesStealable());
  EXPECT_FALSE(ArenaSources(victim_, {}).SeesStealable());
  EXPECT_EQ(sources_.Steal().task, &task_);
  EXPECT_FALSE(sources_.SeesStealable());
}

// A thief, and eight slots of others, with a thread in each unless a test vacates it.
class SeveralSlotsTest : public testing::Test {
 protected:
  SeveralSlotsTest() {
    for (int i = 0; i < 8; ++i) slots_.push_back(arena_.slots().OccupyFromOutside());
  }

  void Share(int slot) {
    slots_[static_cast<std::size_t>(slot)]->SpawnIn(0, task_);
    slots_[static_cast<std::size_t>(slot)]->deque.Expose();
  }
  // In how many of `times` looks the thief finds a task in that slot.
  int FoundIn(int times, int slot) {
    int found = 0;
    for (int i = 0; i < times; ++i) {
      Share(slot);
      if (sources_.Steal()) {
        ++found;
      } else {
        Task* task;
        std::uint64_t isolation;
        EXPECT_TRUE(slots_[static_cast<std::size_t>(slot)]->deque.Pop(&task, &isolation));
      }
    }
    return found;
  }
  // In how many of `times` looks the thief asks in that slot, where there is one that is not
  // shared.
  int AskedOf(int times, int slot) {
    auto& deque = slots_[static_cast<std::size_t>(slot)]->deque;
    int asked = 0;
    for (int i = 0; i < times; ++i) {
      deque.Push(&task_, 0);
      EXPECT_FALSE(sources_.Steal());
      asked += deque.exposure_requested() ? 1 : 0;
      deque.DropRequest();
      EXPECT_TRUE(deque.TryPop(&task_));
    }
    return asked;
  }

  Nobody nobody_;
  Arena arena_{nobody_, IdleTimes(), {8, 8, Priority::kNormal}, 0};
  std::vector<Slot*> slots_;
  ArenaSources sources_{*arena_.OccupyAsGuard(), {}};
  NoTask task_;
};

TEST_F(SeveralSlotsTest, ALookFindsWhatAnyThreadHasShared) {
  for (int slot = 0; slot < 8; ++slot) EXPECT_EQ(FoundIn(100, slot), 100);
}

TEST_F(SeveralSlotsTest, ALookThatFindsNothingAsksOneThread) {
  // One in eight.
  const int asked = AskedOf(800, 5);
  EXPECT_GT(asked, 50);
  EXPECT_LT(asked, 160);
}

TEST_F(SeveralSlotsTest, AsksThatThreadAlone) {
  EXPECT_FALSE(sources_.Steal());
  int asked = 0;
  for (const Slot* slot : slots_) asked += slot->deque.exposure_requested() ? 1 : 0;
  EXPECT_EQ(asked, 1);
}

TEST_F(SeveralSlotsTest, ALookPassesOverSlotsWithoutAThread) {
  for (Slot* const slot : slots_) {
    if (slot != slots_[5]) arena_.Vacate(*slot);
  }
  // Nearly always: chance may bring another empty one eight times.
  EXPECT_GT(AskedOf(800, 5), 400);
}

TEST_F(SeveralSlotsTest, WhatOthersHaveLeftIsFound) {
  arena_.Vacate(*slots_[5]);
  EXPECT_EQ(FoundIn(100, 5), 100);
}

TEST_F(SeveralSlotsTest, ALastResortIsIntoAllSlots) {
  for (const Reach reach : {Reach::kEverywhere, Reach::kLastResort}) {
    sources_.set_reach(reach);
    EXPECT_EQ(FoundIn(100, 5), 100);
  }
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
