// What an arena of several slots does for thieves that would otherwise wait for each other.
#include <cstdint>

#include "filch/pool/arena.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/idle_mode.h"
#include "filch/pool/next_task.h"
#include "filch/pool/pool.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"
#include "filch/pool/task_group.h"
#include "gtest/gtest.h"
#include "tests/pool/no_task.h"
#include "tests/pool/nobody.h"
#include "tests/pool/of_threads.h"

namespace filch {
namespace {

using pool_internal::Choice;
using pool_internal::Reach;
using pool_internal::Slot;

class SeveralThievesTest : public testing::Test {
 protected:
  static constexpr int kSlots = 8;

  SeveralThievesTest() {
    for (Slot*& slot : slots_) slot = arena_.slots().OccupyFromOutside();
  }

  Choice Steal(Slot& thief) { return arena_.StealFor(thief, 0, Reach::kOneThread); }
  void Push(Slot& slot, int tasks) {
    for (int i = 0; i < tasks; ++i) slot.deque.Push(&tasks_[i], 0);
  }

  NoTask tasks_[2 * kSlots];
  Nobody nobody_;
  Arena arena_{nobody_, pool_internal::IdleTimes(), {kSlots, kSlots, Priority::kNormal}, 0};
  Slot* slots_[kSlots];
};

TEST_F(SeveralThievesTest, AThreadKeepsOnePartOfWhatItHas) {
  Slot& owner = *slots_[0];
  Push(owner, 2 * kSlots);
  owner.deque.RequestExposure();
  owner.ExposeIfAsked();
  EXPECT_EQ(owner.deque.private_size(), 2);
}

TEST_F(SeveralThievesTest, AThiefIsNotAnsweredTwice) {
  Slot& owner = *slots_[0];
  Push(owner, kSlots);
  owner.deque.RequestExposure();
  owner.ExposeIfAsked();
  EXPECT_EQ(owner.deque.private_size(), 1);
  owner.deque.RequestExposure();  // it came just too late
  owner.ExposeIfAsked();
  EXPECT_EQ(owner.deque.private_size(), 1);
  EXPECT_FALSE(owner.deque.exposure_requested());
  // One that has waited for long is, for it may not take what is shared.
  owner.deque.InsistOnExposure();
  owner.ExposeIfAsked();
  EXPECT_EQ(owner.deque.private_size(), 0);
}

TEST_F(SeveralThievesTest, WhoBeginsWithItsOwnTasksSharesThemOnceThievesCame) {
  Slot& owner = *slots_[0];
  Push(owner, 1);
  owner.Attend();  // the first task of an arena is for sleepers
  EXPECT_FALSE(owner.NeedsAttentionBeforeOwn());
  EXPECT_TRUE(Steal(*slots_[1]));
  Push(owner, 1);
  owner.ExposeIfAsked();
  Push(owner, kSlots);
  EXPECT_FALSE(owner.deque.exposure_requested());
  EXPECT_TRUE(owner.NeedsAttentionBeforeOwn());
  owner.AttendBeforeOwn();
  EXPECT_EQ(owner.deque.private_size(), 1);
  EXPECT_FALSE(owner.NeedsAttentionBeforeOwn());
}

TEST(ThievesCameTest, AWaitSharesAsItBeginsWithItsOwnTasks) {
  Pool pool(OfThreads(3));
  pool.SetWorkerLimit(0);  // nobody but this thread
  pool.Execute([] {
    Slot& slot = pool_internal::CurrentSlot();
    TaskGroup group;
    int ran = 0;
    std::int64_t kept = 0;
    for (int i = 0; i < 9; ++i) {
      group.Run([&] {
        if (ran++ == 0) kept = slot.deque.private_size();
      });
    }
    EXPECT_GT(slot.deque.private_size(), 6);
    slot.thieves_came = true;
    group.Wait();
    EXPECT_EQ(ran, 9);
    EXPECT_LT(kept, 3);
    EXPECT_FALSE(slot.thieves_came);
  });
}

}  // namespace
}  // namespace filch
