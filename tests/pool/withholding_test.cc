#include "filch/pool/withholding.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "filch/pool/arena.h"
#include "filch/pool/idle_mode.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"
#include "filch/topology/tick_clock.h"
#include "gtest/gtest.h"
#include "tests/pool/no_task.h"
#include "tests/pool/nobody.h"

namespace filch {
namespace pool_internal {
namespace {

// A thread in an arena for so many.
class Withholder {
 public:
  explicit Withholder(int threads)
      : arena_(nobody_, IdleTimes(), {threads, threads, Priority::kNormal}, 0),
        slot_(*arena_.slots().OccupyFromOutside()) {
    // The first push in a new arena shares what it pushes.
    slot_.Spawn(task_);
    TakeBack();
  }

  Slot& slot() { return slot_; }

  // What is withheld is so for ever: this thread may be slower than any time tells.
  void WithholdForEver() {
    ASSERT_NE(slot_.withheld_until, 0u);
    slot_.withheld_until = std::numeric_limits<std::uint64_t>::max();
  }

  // Spawns a task as thieves ask for one; whether they get it.
  bool Shares() {
    slot_.deque.RequestExposure();
    slot_.Spawn(task_);
    const bool shared = slot_.deque.HasShared();
    TakeBack();
    return shared;
  }

 private:
  void TakeBack() {
    Task* task = nullptr;
    std::uint64_t isolation = 0;
    ASSERT_TRUE(slot_.deque.Pop(&task, &isolation));
    EXPECT_EQ(task, &task_);
  }

  NoTask task_;
  Nobody nobody_;
  Arena arena_;
  Slot& slot_;
};

TEST(WithholdingTest, SeveralThievesGetNothingWhileItLives) {
  for (const int threads : {3, 4, 16}) {
    Withholder thread(threads);
    {
      const Withholding withholding(thread.slot(), true);
      EXPECT_TRUE(withholding.active());
      thread.WithholdForEver();
      EXPECT_FALSE(thread.Shares());
      EXPECT_FALSE(thread.slot().WorkIsWanted());
    }
    EXPECT_TRUE(thread.Shares());
  }
}

TEST(WithholdingTest, NothingIsWithheldForLong) {
  Withholder thread(4);
  const Withholding withholding(thread.slot(), true);
  EXPECT_LE(thread.slot().withheld_until, Ticks() + Withholding::kLongest);
  while (Ticks() < thread.slot().withheld_until) {
  }
  EXPECT_TRUE(thread.Shares());
  EXPECT_TRUE(withholding.active());
}

TEST(WithholdingTest, AnOnlyThiefGetsWhatItAsksFor) {
  Withholder thread(2);
  const Withholding withholding(thread.slot(), true);
  EXPECT_FALSE(withholding.active());
  EXPECT_TRUE(thread.Shares());
}

TEST(WithholdingTest, ButNotIfItIsForFewThreads) {
  Withholder thread(2);
  {
    const Withholding withholding(thread.slot(), true, 2);
    EXPECT_TRUE(withholding.active());
    thread.WithholdForEver();
    EXPECT_FALSE(thread.Shares());
  }
  EXPECT_TRUE(thread.Shares());
  EXPECT_FALSE(Withholding(Withholder(1).slot(), true, 2).active());
}

TEST(WithholdingTest, WhoDoesNotWishItWithholdsNothing) {
  Withholder thread(4);
  thread.slot().deque.RequestExposure();
  Withholding withholding(thread.slot(), false);
  EXPECT_FALSE(withholding.active());
  EXPECT_TRUE(thread.slot().deque.exposure_requested());
  EXPECT_TRUE(thread.Shares());
}

TEST(WithholdingTest, WhoInsistedBeforeThereWasAnythingHasToAskAnew) {
  Withholder thread(4);
  thread.slot().deque.RequestExposure();
  thread.slot().deque.InsistOnExposure();
  const Withholding withholding(thread.slot(), true);
  EXPECT_FALSE(thread.slot().deque.exposure_requested());
  EXPECT_FALSE(thread.slot().NeedsAttention());
}

TEST(WithholdingTest, WhatIsReleasedIsForThievesAndRemembered) {
  Withholder thread(4);
  Withholding withholding(thread.slot(), true);
  thread.WithholdForEver();
  EXPECT_FALSE(thread.Shares());
  withholding.Release();
  EXPECT_TRUE(thread.Shares());
  EXPECT_TRUE(withholding.active());
}

TEST(WithholdingTest, OneThatWithholdsNothingReleasesNothing) {
  Withholder thread(4);
  std::optional<Withholding> outer(std::in_place, thread.slot(), true);
  thread.WithholdForEver();
  {
    Withholding inner(thread.slot(), false);
    inner.Release();
  }
  EXPECT_FALSE(thread.Shares());
  outer.reset();
  EXPECT_TRUE(thread.Shares());
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
