// What a worker does with a task that it may not begin with.
#include "filch/pool/arena_sources.h"

#include <cstdint>

#include "filch/pool/arena.h"
#include "filch/pool/idle_mode.h"
#include "filch/pool/next_task.h"
#include "filch/pool/slot.h"
#include "filch/pool/stay.h"
#include "filch/pool/task.h"
#include "gtest/gtest.h"
#include "tests/pool/no_task.h"
#include "tests/pool/nobody.h"

namespace filch {
namespace pool_internal {
namespace {

class LimitedStay final : public Stay {
 public:
  bool MustLeave() override { return !may_begin; }
  bool MayBegin() override { return may_begin; }
  bool IsForQueueAlone() override { return false; }
  bool IsWantedElsewhere() override { return false; }
  void AnnounceSleep() override {}
  bool WithdrawSleep() override { return true; }

  bool may_begin = true;
};

class ArenaSourcesTest : public testing::Test {
 protected:
  static constexpr std::uint64_t kIsolation = 7;

  Nobody nobody_;
  Arena arena_{nobody_, IdleTimes(), {2, 2, Priority::kNormal}, 0};
  Slot& victim_ = *arena_.OccupyFromOutside();
  Slot& slot_ = *arena_.OccupyFromOutside();
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

}  // namespace
}  // namespace pool_internal
}  // namespace filch
