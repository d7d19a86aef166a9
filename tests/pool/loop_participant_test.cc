#include "filch/pool/loop_participant.h"

#include <cstdint>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/arena.h"
#include "filch/pool/context.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/execute.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/loop_kind.h"
#include "filch/pool/loop_parts.h"
#include "filch/pool/pool.h"
#include "filch/pool/shared_loop.h"
#include "filch/pool/slot.h"
#include "filch/topology/tick_clock.h"
#include "gtest/gtest.h"
#include "tests/pool/of_threads.h"

namespace filch {
namespace pool_internal {
namespace {

constexpr int kThreads = 2;
constexpr std::uint32_t kUnits = 1000;

// Each batch takes some time; the loop is cancelled after so many of them.
class Batches final : public LoopBody {
 public:
  Batches(LoopKind& kind, Context& context, int batches)
      : LoopBody(kind), context_(context), left_(batches) {}

  void Run(UnitInterval, void** segment) override {
    *segment = this;
    for (const std::uint64_t begin = Ticks(); Ticks() - begin < 20000;) {
    }
    if (--left_ == 0) context_.Cancel();
  }

 private:
  Context& context_;
  int left_;
};

// A loop whose segments take much longer to be made than a batch, in an arena to which nobody else
// comes.
class LoopParticipantTest : public testing::Test {
 protected:
  // Calls f(loop, slot), with a loop that is cancelled after so many batches.
  template <typename F>
  void InLoop(int batches, const F& f) {
    constexpr std::uint64_t kMaking = 50000000;
    for (std::uint64_t begin = 1; begin < 20 * kMaking; begin += kMaking) {
      kind_.MadeSegment(begin, begin + kMaking);
    }
    Pool pool(OfThreads(1));
    Arena& arena = pool.AcquireArena({kThreads, kThreads, Priority::kNormal});
    ExecuteIn(arena, [&] {
      Context context;
      Batches body(kind_, context, batches);
      SharedLoop loop(body, context, CurrentSlot());
      f(loop, CurrentSlot());
    });
    pool.ReleaseArena(arena);
  }

  static std::uint32_t LeastToStealAfterWork(SharedLoop& loop, Slot& slot) {
    LoopParticipant participant(loop, slot, SharedLoop::Arrival::kInvited);
    LoopParts::Part& part = loop.parts().at(slot.index);
    loop.parts().Fill(part, {0, kUnits});
    participant.Work(part);
    participant.TakeInvitationsBack();
    participant.AwaitGuests();
    return participant.LeastToSteal();
  }

  LoopKind kind_;
};

TEST_F(LoopParticipantTest, WhatIsDearToMakeSaysNothingOfTheUnitsThatItIsMadeFor) {
  InLoop(1, [](SharedLoop& loop, Slot& slot) { EXPECT_EQ(LeastToStealAfterWork(loop, slot), 1u); });
}

TEST_F(LoopParticipantTest, WhatFollowsTellsHowManyUnitsAreWorthIt) {
  InLoop(2, [](SharedLoop& loop, Slot& slot) {
    const std::uint32_t least = LeastToStealAfterWork(loop, slot);
    EXPECT_GT(least, 1u);
    EXPECT_LT(least, 1000 * kUnits);
  });
}

TEST_F(LoopParticipantTest, WhoWaitsForOthersDoesNotWaitForItself) {
  InLoop(1, [](SharedLoop& loop, Slot& slot) {
    LoopParticipant participant(loop, slot, SharedLoop::Arrival::kInvited);
    loop.parts().Publish(kThreads - 1);
    loop.parts().Fill(loop.parts().at(slot.index), {0, kUnits});
    EXPECT_FALSE(participant.LetOthersFinish());
    loop.parts().Fill(loop.parts().at(kThreads - 1 - slot.index), {kUnits, 2 * kUnits});
    EXPECT_TRUE(participant.LetOthersFinish());
  });
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
