#include "filch/pool/static_loop.h"

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "filch/pool/arena.h"
#include "filch/pool/context.h"
#include "filch/pool/execute.h"
#include "filch/pool/loop_kind.h"
#include "filch/pool/pool.h"
#include "filch/pool/slot.h"
#include "gtest/gtest.h"
#include "tests/pool/noting_loop.h"
#include "tests/pool/of_threads.h"

namespace filch {
namespace pool_internal {
namespace {

using Units = std::vector<std::uint32_t>;

// In an arena of four slots to which nobody comes, so that what is sent comes back.
class StaticLoopTest : public testing::Test {
 protected:
  static constexpr int kSlots = 4;

  // Runs the loop on a thread in this slot.
  void Run(NotingLoop& body, std::uint32_t units, int slot = 0) {
    Arena& arena = pool_.AcquireArena({kSlots, kSlots, Priority::kNormal});
    std::vector<Slot*> others;
    for (int i = 0; i < slot; ++i) others.push_back(arena.slots().OccupyFromOutside());
    ExecuteIn(arena, [&] {
      ASSERT_EQ(current_slot->index, slot);
      RunStaticLoop(body, units, context_, *current_slot);
    });
    for (Slot* other : others) arena.Vacate(*other);
    pool_.ReleaseArena(arena);
  }

  LoopKind kind_;
  Context context_;

 private:
  Pool pool_{OfThreads(1)};
};

TEST_F(StaticLoopTest, WhatNobodyComesForIsTakenBackInOrderAsOneSegment) {
  NotingLoop body(kind_, 4);
  Run(body, 4);
  EXPECT_EQ(body.order(), (Units{0, 1, 2, 3}));
  EXPECT_EQ(body.segments(), Units{0});
}

// Slots 0 and 1 have threads, which do not come.
TEST_F(StaticLoopTest, WhatWasSentToSlotsWithoutAThreadIsTakenBackFirst) {
  NotingLoop body(kind_, 4);
  Run(body, 4, 2);
  EXPECT_EQ(body.order(), (Units{2, 3, 0, 1}));
  EXPECT_EQ(body.segments(), (Units{2, 0}));
}

TEST_F(StaticLoopTest, UnitsWithoutASlotAreTheCallers) {
  NotingLoop body(kind_, 7);
  Run(body, 7);
  EXPECT_EQ(body.order(), (Units{0, 4, 5, 6, 1, 2, 3}));
  EXPECT_EQ(body.segments(), (Units{0, 4, 1}));
}

TEST_F(StaticLoopTest, WhoseSlotHasNoUnitTakesAllBack) {
  NotingLoop body(kind_, 2);
  Run(body, 2, 3);
  EXPECT_EQ(body.order(), (Units{0, 1}));
  EXPECT_EQ(body.segments(), Units{0});
}

TEST_F(StaticLoopTest, WhatIsThrownDropsWhatHasNotBegun) {
  NotingLoop body(kind_, 4, [](std::uint32_t unit) {
    if (unit == 1) throw std::runtime_error("one");
  });
  Run(body, 4);
  EXPECT_EQ(body.order(), (Units{0, 1}));
  EXPECT_THROW(context_.Rethrow(), std::runtime_error);
}

TEST_F(StaticLoopTest, ACancelledOneRunsNothing) {
  context_.Cancel();
  NotingLoop body(kind_, 4);
  Run(body, 4);
  EXPECT_TRUE(body.order().empty());
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
