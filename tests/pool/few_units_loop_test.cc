#include "filch/pool/few_units_loop.h"

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/arena.h"
#include "filch/pool/context.h"
#include "filch/pool/context_scope.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/execute.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/loop_history.h"
#include "filch/pool/loop_kind.h"
#include "filch/pool/pool.h"
#include "filch/pool/slot.h"
#include "filch/topology/tick_clock.h"
#include "gtest/gtest.h"
#include "tests/pool/as_if_awake.h"
#include "tests/pool/noting_loop.h"
#include "tests/pool/noting_pieces.h"
#include "tests/pool/of_threads.h"
#include "tests/pool/pool_shapes.h"
#include "tests/pool/yield_until.h"

namespace filch {
namespace pool_internal {
namespace {

constexpr int kSlots = 2;
// More than two for each thread, and still few.
constexpr std::uint32_t kUnits = 12;
constexpr std::uint64_t kLongPiece = 50000;  // ticks

using Pieces = std::vector<UnitInterval>;

// In an arena for two threads, to which the second never comes.
class LonelyFewUnitsLoopTest : public testing::Test {
 protected:
  // Calls f(slot) there, on a thread that remembers no loops, where nobody is to be called.
  template <typename F>
  void InArena(const F& f) {
    std::thread([&] {
      Arena& arena = pool_.AcquireArena({kSlots, kSlots, Priority::kNormal});
      ExecuteIn(arena, [&] {
        Slot& slot = CurrentSlot();
        ASSERT_NO_FATAL_FAILURE(AsIfAwake(slot));
        f(slot);
      });
      pool_.ReleaseArena(arena);
    }).join();
  }

  Pieces Run(Slot& slot) {
    Context context;
    RunFewUnits(body_, {0, kUnits}, context, slot);
    Pieces pieces = body_.Take();
    EXPECT_TRUE(Cover(pieces, kUnits));
    return pieces;
  }
  // Until a loop is run in larger pieces.  Not at once if the thread is interrupted.
  void RunUntilAlone(Slot& slot) {
    while (Run(slot).size() == kUnits) {
    }
  }

  LoopKind kind_;
  NotingPieces body_{kind_};

 private:
  Pool pool_{OfThreads(1)};
};

TEST_F(LonelyFewUnitsLoopTest, EachUnitIsOfferedUntilItIsKnownThatTheLoopIsOverInNoTime) {
  InArena([&](Slot& slot) {
    EXPECT_EQ(Run(slot).size(), kUnits);
    RunUntilAlone(slot);
  });
}

TEST_F(LonelyFewUnitsLoopTest, OneThatGetsLongIsOfferedAgain) {
  InArena([&](Slot& slot) {
    RunUntilAlone(slot);
    body_.set_ticks(kLongPiece);
    // Not at once if it was known to be worth pieces, as is everything with a sanitizer.
    int loops = 0;
    while (LoopHistory::Own().brief.Contains(kind_.OfSize(kUnits))) {
      ASSERT_LT(++loops, 1000);
      Run(slot);
    }
    EXPECT_EQ(Run(slot).size(), kUnits);
    // And may be over in no time again.
    body_.set_ticks(0);
    RunUntilAlone(slot);
  });
}

// All units but the last one take no time.
class LongAtTheEnd final : public LoopBody {
 public:
  explicit LongAtTheEnd(LoopKind& kind) : LoopBody(kind) {}

  void Run(UnitInterval units, void** /*segment*/) override {
    if (units.end != kUnits) return;
    for (const std::uint64_t begin = Ticks(); Ticks() - begin < kLongPiece;) {
    }
  }
};

TEST_F(LonelyFewUnitsLoopTest, OneThatIsLongAtItsEndIsSoonKnownToBeUneven) {
  InArena([&](Slot& slot) {
    LongAtTheEnd body(kind_);
    int loops = 0;
    while (!kind_.BeginsUneven()) {
      ASSERT_LT(++loops, 100);
      Context context;
      RunFewUnits(body, {0, kUnits}, context, slot);
    }
    EXPECT_FALSE(LoopHistory::Own().brief.Contains(kind_.OfSize(kUnits)));
  });
}

TEST_F(LonelyFewUnitsLoopTest, WhatWasCutShortIsNotTakenForBrief) {
  InArena([&](Slot& slot) {
    for (int i = 0; i < 100; ++i) {
      Context context;
      context.Cancel();
      RunFewUnits(body_, {0, kUnits}, context, slot);
    }
    EXPECT_TRUE(body_.Take().empty());
    EXPECT_EQ(Run(slot).size(), kUnits);
  });
}

using FewUnitsLoopTest = PoolTest;

TEST_P(FewUnitsLoopTest, AsManyUnitsAsThreadsMayWaitForEachOther) {
  const auto threads = static_cast<std::uint32_t>(pool_.concurrency());
  if (threads == 1) GTEST_SKIP() << "one unit waits for nobody";
  pool_.Execute([threads] {
    LoopKind kind;
    for (int i = 0; i < 20; ++i) {
      // Some do not, so that the next ones look as if they would be over in no time.
      const bool waits = i % 5 == 4;
      std::atomic<std::uint32_t> begun{0};
      NotingLoop body(kind, threads, [&](std::uint32_t) {
        ++begun;
        if (waits) YieldUntil([&] { return begun == threads; });
      });
      Context context(CurrentContext());
      RunFewUnits(body, {0, threads}, context, CurrentSlot());
      EXPECT_EQ(body.runs(), std::vector<int>(threads, 1));
    }
  });
}

FILCH_INSTANTIATE_POOL_TEST(FewUnitsLoopTest);

}  // namespace
}  // namespace pool_internal
}  // namespace filch
