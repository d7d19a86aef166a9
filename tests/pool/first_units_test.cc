#include "filch/pool/first_units.h"

#include <cstdint>

#include "filch/pool/arena.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/execute.h"
#include "filch/pool/pool.h"
#include "gtest/gtest.h"
#include "tests/pool/no_task.h"

namespace filch {
namespace pool_internal {
namespace {

class FirstUnitsTest : public testing::Test {
 protected:
  FirstUnitsTest() : pool_(Alone()) {}

  // Calls f(slot) in an arena for so many threads, to which nobody else comes.
  template <typename F>
  void InArenaFor(int threads, const F& f) {
    Arena& arena = pool_.AcquireArena({threads, threads, Priority::kNormal});
    ExecuteIn(arena, [&] {
      Slot& slot = CurrentSlot();
      // The first push in a new arena shares what it pushes.
      slot.Spawn(task_);
      TakeBack(slot);
      f(slot);
    });
    pool_.ReleaseArena(arena);
  }

  // Spawns a task as thieves ask for one; whether they get it.
  bool IsShared(Slot& slot) {
    slot.deque.RequestExposure();
    slot.Spawn(task_);
    return slot.deque.HasShared();
  }
  void TakeBack(Slot& slot) {
    Task* task = nullptr;
    std::uint64_t isolation = 0;
    ASSERT_TRUE(slot.deque.Pop(&task, &isolation));
    EXPECT_EQ(task, &task_);
  }

  NoTask task_;

 private:
  static PoolOptions Alone() {
    PoolOptions options;
    options.concurrency = 1;
    return options;
  }

  Pool pool_;
};

TEST_F(FirstUnitsTest, WhatIsWithheldIsSharedWhenTheyBegin) {
  InArenaFor(4, [this](Slot& slot) {
    FirstUnits first(slot, true);
    EXPECT_FALSE(IsShared(slot));
    first.Begin();
    EXPECT_FALSE(slot.deque.HasShared());
    slot.ExposeIfAsked();
    EXPECT_TRUE(slot.deque.HasShared());
    EXPECT_TRUE(first.unaided());
    TakeBack(slot);
  });
}

TEST_F(FirstUnitsTest, WhatIsWithheldIsSharedUnaskedWhenTheyHaveEnded) {
  InArenaFor(4, [this](Slot& slot) {
    FirstUnits first(slot, true);
    slot.Spawn(task_);
    first.Begin();
    EXPECT_FALSE(slot.deque.HasShared());
    first.Ended();
    EXPECT_TRUE(slot.deque.HasShared());
    EXPECT_TRUE(first.ended_unaided());
    TakeBack(slot);
  });
}

TEST_F(FirstUnitsTest, ALoopThatNeverBeginsWithholdsNothingLater) {
  InArenaFor(4, [this](Slot& slot) {
    { const FirstUnits first(slot, true); }
    EXPECT_TRUE(IsShared(slot));
    TakeBack(slot);
  });
}

TEST_F(FirstUnitsTest, ThievesThatAskedBeforeHaveToAskAnew) {
  InArenaFor(4, [](Slot& slot) {
    slot.deque.RequestExposure();
    const FirstUnits first(slot, true);
    EXPECT_FALSE(slot.deque.exposure_requested());
  });
}

TEST_F(FirstUnitsTest, NothingIsWithheldUnlessItIsAskedForAndThereAreMoreThanTwo) {
  InArenaFor(4, [this](Slot& slot) {
    const FirstUnits first(slot);
    EXPECT_TRUE(IsShared(slot));
    TakeBack(slot);
  });
  InArenaFor(2, [this](Slot& slot) {
    const FirstUnits first(slot, true);
    EXPECT_TRUE(IsShared(slot));
    TakeBack(slot);
  });
}

TEST_F(FirstUnitsTest, TheyAreNotUnaidedOnceSomethingIsTaken) {
  InArenaFor(4, [this](Slot& slot) {
    FirstUnits first(slot);
    EXPECT_TRUE(IsShared(slot));
    EXPECT_EQ(slot.deque.Steal().item, &task_);
    first.Begin();
    first.Ended();
    EXPECT_FALSE(first.ended_unaided());
    EXPECT_TRUE(first.IsOwner());
  });
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
