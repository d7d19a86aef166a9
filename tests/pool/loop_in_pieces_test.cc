#include "filch/pool/loop_in_pieces.h"

#include <cstdint>
#include <stdexcept>
#include <thread>
#include <vector>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/arena.h"
#include "filch/pool/context.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/execute.h"
#include "filch/pool/lone_start.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/loop_history.h"
#include "filch/pool/loop_kind.h"
#include "filch/pool/loop_paces.h"
#include "filch/pool/pool.h"
#include "filch/pool/scan_body.h"
#include "filch/pool/sleepers_credit.h"
#include "filch/pool/slot.h"
#include "filch/topology/tick_clock.h"
#include "gtest/gtest.h"
#include "tests/pool/noting_pieces.h"
#include "tests/pool/of_threads.h"

namespace filch {
namespace pool_internal {
namespace {

constexpr std::uint32_t kUnits = 256;
constexpr int kThreads = 2;

// In an arena for two threads, to which the second never comes.
class LoopInPiecesTest : public testing::Test {
 protected:
  // Calls f() there, on a thread that remembers no loops.
  template <typename F>
  void InArena(const F& f) {
    std::thread([&] {
      Arena& arena = pool_.AcquireArena({kThreads, kThreads, Priority::kNormal});
      ExecuteIn(arena, f);
      pool_.ReleaseArena(arena);
    }).join();
  }

  // Has this thread remember loops of this kind that are worth to be cut.
  void Know() {
    LoopPaces& paces = LoopHistory::Own().paces;
    while (Cut().piece == 0) {
      paces.NoteAlone(kind_.OfSize(kUnits), kUnits, LoopPaces::kMost, kThreads);
    }
  }
  LoopPaces::Cut Cut() const {
    return LoopHistory::Own().paces.CutOf(kind_.OfSize(kUnits), kUnits, kThreads);
  }

  bool Run(LoopBody& body, std::uint64_t worth = SleepersCredit::kAwake) {
    return RunInPiecesIfKnown(body, {0, kUnits}, context_, CurrentSlot(), {Ticks(), false, worth});
  }

  LoopKind kind_;
  NotingPieces body_{kind_};
  Context context_;

 private:
  Pool pool_{OfThreads(1)};
};

TEST_F(LoopInPiecesTest, NothingIsRunOfAKindOfWhichNothingIsKnown) {
  InArena([&] {
    EXPECT_FALSE(Run(body_));
    EXPECT_TRUE(body_.Take().empty());
  });
}

TEST_F(LoopInPiecesTest, WhatIsKnownIsRunInPiecesOfTheKnownSize) {
  InArena([&] {
    Know();
    const std::uint32_t piece = Cut().piece;
    ASSERT_LT(piece, kUnits / 4);
    EXPECT_TRUE(Run(body_));
    const std::vector<UnitInterval> pieces = body_.Take();
    EXPECT_TRUE(Cover(pieces, kUnits));
    EXPECT_LE(Largest(pieces), piece);
    EXPECT_GT(2 * Largest(pieces), piece) << "they are halves of halves";
  });
}

TEST_F(LoopInPiecesTest, WhereNobodyLooksForWorkThatNobodyCameSaysNothing) {
  InArena([&] {
    Know();
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(Run(body_));
    EXPECT_FALSE(kind_.BeginsUneven());
  });
}

TEST_F(LoopInPiecesTest, WhatIsNotWorthACallBeginsAlone) {
  InArena([&] {
    Know();
    EXPECT_FALSE(Run(body_, SleepersCredit::kAsleep));
    EXPECT_TRUE(body_.Take().empty());
  });
}

TEST_F(LoopInPiecesTest, NowAndThenItIsFoundOutAnew) {
  InArena([&] {
    Know();
    int loops = 0;
    while (Run(body_)) ASSERT_LT(++loops, 10000);
    EXPECT_GT(loops, 0);
  });
}

TEST_F(LoopInPiecesTest, WhatNeedsWhatIsDearBeginsAlone) {
  InArena([&] {
    Know();
    constexpr std::uint64_t kForever = std::uint64_t{1} << 60;
    for (std::uint64_t i = 0; i < 2; ++i)
      kind_.MadeSegment(i * kForever + 1, (i + 1) * kForever + 1);
    const LoopStart start = StartLoop(CurrentSlot(), kind_);
    EXPECT_GT(start.worth, 2 * kind_.making());
    EXPECT_FALSE(Run(body_, start.worth));
    BeginAlone(body_, {0, kUnits}, context_, CurrentSlot(), start,
               [](UnitInterval, void*) { ADD_FAILURE() << "it was worth help"; });
    EXPECT_TRUE(Cover(body_.Take(), kUnits));
  });
}

// A scan that notes in which pieces it is run, and leaves nothing over.
class NotingScan final : public ScanBody {
 public:
  explicit NotingScan(LoopKind& kind) : ScanBody(kind), pieces_(kind) {}

  void Run(UnitInterval units, void** segment) override { pieces_.Run(units, segment); }
  LoopBody* GatherLeftOver(std::uint32_t*) override { return nullptr; }
  std::uint32_t BeginAgain() override { return 0; }
  std::vector<UnitInterval> Take() { return pieces_.Take(); }

 private:
  NotingPieces pieces_;
};

TEST_F(LoopInPiecesTest, AScanOfFewLongUnitsIsRunInSingleUnits) {
  NotingScan scan(kind_);
  static int finished;
  finished = 0;
  const auto run = [&](std::uint32_t units, std::uint64_t alone, std::uint64_t worth) {
    LoopPaces& paces = LoopHistory::Own().paces;
    const void* const kind = kind_.OfSize(units);
    for (int i = 0; i < 10; ++i) paces.NoteAlone(kind, units, alone, kThreads);
    return RunScanInPiecesIfKnown(scan, {0, units}, context_, CurrentSlot(),
                                  {Ticks(), false, worth},
                                  [](ScanBody&, Context&, Slot&) { ++finished; });
  };
  InArena([&] {
    constexpr std::uint32_t kFew = 5;
    constexpr std::uint64_t kLong = LoopPaces::kMost / 2;
    EXPECT_FALSE(run(kUnits, kLong, SleepersCredit::kAwake));
    EXPECT_FALSE(run(kFew, kLong, 2 * kLong));
    EXPECT_FALSE(run(kFew, SleepersCredit::kAwake / 2, SleepersCredit::kAwake));
    EXPECT_TRUE(scan.Take().empty());
    EXPECT_EQ(finished, 0);
    // What is remembered is soon right about longer ones.
    bool runs = false;
    for (int i = 0; i < 100 && !runs; ++i) runs = run(kFew, kLong, SleepersCredit::kAwake);
    EXPECT_TRUE(runs);
    const std::vector<UnitInterval> pieces = scan.Take();
    EXPECT_EQ(pieces.size(), kFew);
    EXPECT_TRUE(Cover(pieces, kFew));
    EXPECT_EQ(finished, 1);
    // And about those for which somebody is called.
    runs = false;
    for (int i = 0; i < 100 && !runs; ++i) runs = run(kFew, kLong, kLong / 2);
    EXPECT_TRUE(runs);
    EXPECT_EQ(finished, 2);
    EXPECT_FALSE(run(kFew, kLong, 2 * kLong));
  });
}

class ThrowingLoop final : public LoopBody {
 public:
  explicit ThrowingLoop(LoopKind& kind) : LoopBody(kind) {}
  void Run(UnitInterval, void**) override { throw std::runtime_error("each"); }
};

TEST_F(LoopInPiecesTest, WhatAUnitThrowsIsKeptAndSaysNothing) {
  InArena([&] {
    Know();
    ThrowingLoop body(kind_);
    for (int i = 0; i < 1000; ++i) {
      EXPECT_TRUE(Run(body));
      EXPECT_TRUE(context_.IsCancelled());
      context_.Reset();
    }
    EXPECT_NE(Cut().piece, 0u);
  });
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
