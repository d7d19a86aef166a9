#include "filch/pool/cut_loop.h"

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/context.h"
#include "filch/pool/context_scope.h"
#include "filch/pool/first_units.h"
#include "filch/pool/loop_kind.h"
#include "filch/topology/tick_clock.h"
#include "gtest/gtest.h"
#include "tests/pool/pool_shapes.h"

namespace filch {
namespace {

using CutLoopTest = PoolTest;

// A kind that no thread remembers.
LoopKind& NewKind() {
  static LoopKind kinds[1000];
  static int used = 0;
  return kinds[used++];
}

// A loop of a kind of its own that records how it is run.
class RecordedLoop final : public CutLoop {
 public:
  RecordedLoop() : CutLoop(NewKind()) {}

  // How it is.
  bool can_be_cut = true;
  bool first_piece_ends = true;
  std::uint64_t ticks = 0;  // that each call of Run takes
  bool throws = false;
  Context* cancels = nullptr;

  // How the last loop was run.
  std::uint32_t units = 0;  // it was to be cut in so many
  std::vector<UnitInterval> alone;
  int shared = 0;
  bool watched = false;

  bool TryToCut(std::uint32_t pieces) override {
    units = pieces;
    return can_be_cut;
  }
  void Run(UnitInterval piece, void**) override {
    alone.push_back(piece);
    if (throws) throw std::runtime_error("alone");
    if (cancels != nullptr) cancels->Cancel();
    for (const std::uint64_t begin = Ticks(); Ticks() - begin < ticks;) {
    }
  }
  void Share(pool_internal::FirstUnits* first) override {
    ++shared;
    watched = first != nullptr;
    if (watched && first_piece_ends) first->Ended();
    if (throws) throw std::runtime_error("shared");
  }

  // How many units ran alone, one after the other from the first on.
  std::uint32_t RanAlone() const {
    std::uint32_t next = 0;
    for (const UnitInterval& piece : alone) {
      EXPECT_EQ(piece.begin, next);
      next = piece.end;
    }
    return next;
  }

  void RunOnce(Context& context) {
    units = 0;
    alone.clear();
    shared = 0;
    RunCutLoop(*this, context);
  }
  void RunOnce() {
    Context context(CurrentContext());
    RunOnce(context);
  }
  // Until such a loop was run alone.  Not at once if the thread is interrupted.
  void Convince() {
    do {
      RunOnce();
    } while (shared != 0);
  }
};

// A loop has more units where there are more threads, and one call of Run, however many it
// runs, would look like long ones.
constexpr int kFewThreads = 4;

TEST_P(CutLoopTest, AKindWhoseFirstPieceWasAidedIsSharedFromItsFirstPieceOn) {
  pool_.Execute([] {
    RecordedLoop loop;
    loop.first_piece_ends = false;
    for (int i = 0; i < 10; ++i) {
      loop.RunOnce();
      EXPECT_EQ(loop.shared, 1);
      EXPECT_TRUE(loop.watched);
      EXPECT_EQ(loop.units, 0u);
      EXPECT_EQ(loop.RanAlone(), 0u);
    }
  });
}

TEST_P(CutLoopTest, AShortLoopIsRunAloneOnceItsKindIsKnown) {
  if (GetParam().concurrency > kFewThreads) GTEST_SKIP() << "too many units";
  const auto threads = static_cast<std::uint32_t>(GetParam().concurrency);
  pool_.Execute([threads] {
    RecordedLoop loop;
    loop.RunOnce();
    EXPECT_EQ(loop.shared, 1);
    loop.Convince();
    EXPECT_EQ(loop.RanAlone(), loop.units);
    EXPECT_GT(loop.units, 8 * threads);  // more than can be running and wait for each other
    EXPECT_EQ(loop.units & (loop.units - 1), 0u);
  });
}

TEST_P(CutLoopTest, WhatIsWorthHelpIsSharedOnce) {
  if (GetParam().concurrency > kFewThreads) GTEST_SKIP() << "too many units";
  pool_.Execute([] {
    RecordedLoop loop;
    loop.Convince();
    loop.ticks = 1000000;
    loop.RunOnce();
    EXPECT_EQ(loop.shared, 1);
    EXPECT_FALSE(loop.watched);
    EXPECT_GT(loop.RanAlone(), 0u);
    EXPECT_LT(loop.RanAlone(), loop.units / 4);
    // Others should have been called at once, so the next one is shared at once.
    loop.RunOnce();
    EXPECT_EQ(loop.shared, 1);
    EXPECT_EQ(loop.RanAlone(), 0u);
  });
}

TEST_P(CutLoopTest, WhatCannotBeCutIsShared) {
  if (GetParam().concurrency > kFewThreads) GTEST_SKIP() << "too many units";
  pool_.Execute([] {
    RecordedLoop loop;
    loop.Convince();
    loop.can_be_cut = false;
    loop.RunOnce();
    EXPECT_EQ(loop.shared, 1);
    EXPECT_TRUE(loop.watched);
    EXPECT_EQ(loop.RanAlone(), 0u);
  });
}

TEST_P(CutLoopTest, ExceptionsComeThrough) {
  if (GetParam().concurrency > kFewThreads) GTEST_SKIP() << "too many units";
  pool_.Execute([] {
    RecordedLoop loop;
    loop.throws = true;
    EXPECT_THROW(loop.RunOnce(), std::runtime_error);
    EXPECT_EQ(loop.shared, 1);
    loop.throws = false;
    loop.Convince();
    loop.throws = true;
    EXPECT_THROW(loop.RunOnce(), std::runtime_error);
    EXPECT_EQ(loop.shared, 0);
    EXPECT_EQ(loop.alone.size(), 1u);
  });
}

TEST_P(CutLoopTest, ACancelledLoopEndsAlone) {
  if (GetParam().concurrency > kFewThreads) GTEST_SKIP() << "too many units";
  pool_.Execute([] {
    RecordedLoop loop;
    loop.Convince();
    Context context(CurrentContext());
    loop.cancels = &context;
    loop.ticks = 1000000;  // were it not over, it would be worth help
    loop.RunOnce(context);
    EXPECT_EQ(loop.alone.size(), 1u);
    EXPECT_EQ(loop.shared, 0);
  });
}

FILCH_INSTANTIATE_POOL_TEST(CutLoopTest);

}  // namespace
}  // namespace filch
