#include "filch/pool/first_units.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "filch/pool/arena.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/execute.h"
#include "filch/pool/pool.h"
#include "filch/topology/tick_clock.h"
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
    // This thread may be slower than the time for which something is withheld.
    ASSERT_NE(slot.withheld_until, 0u);
    slot.withheld_until = std::numeric_limits<std::uint64_t>::max();
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

// They may have waited for it, had it not been there already.
TEST_F(FirstUnitsTest, WhatIsTakenBeforeTheyBeginIsHelpHoweverQuickTheyAre) {
  InArenaFor(4, [this](Slot& slot) {
    for (int i = 0; i < 100; ++i) {
      FirstUnits first(slot, true);
      slot.Spawn(task_);
      EXPECT_TRUE(slot.deque.ForceExposure());
      EXPECT_EQ(slot.deque.Steal().item, &task_);
      first.Begin();
      first.Ended();
      EXPECT_FALSE(first.ended_unaided());
    }
  });
}

TEST_F(FirstUnitsTest, TheQuickestOfSeveralCounts) {
  InArenaFor(4, [](Slot& slot) {
    FirstUnits first(slot, true);
    EXPECT_EQ(first.elapsed(), ~std::uint64_t{0});
    // Bounds of each, and so of the quickest, whatever interrupts this thread.
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t most = ~std::uint64_t{0};
    std::uint64_t before = Ticks();
    first.Begin();
    for (const std::uint64_t ticks : {200000u, 1000u, 300000u}) {
      const std::uint64_t begin = Ticks();
      std::uint64_t end = begin;
      while (end - begin < ticks) end = Ticks();
      least = std::min(least, end - begin);
      first.OneEnded();
      most = std::min(most, Ticks() - before);
      before = end;
    }
    EXPECT_GE(first.elapsed(), least);
    EXPECT_LE(first.elapsed(), most);
    first.Ended();  // as quick as nothing
    EXPECT_LE(first.elapsed(), most);
    EXPECT_TRUE(first.withholds());
  });
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
