#include "filch/pool/unit_tree.h"

#include <cstdint>
#include <stdexcept>
#include <thread>
#include <vector>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/context.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/evenness.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/loop_kind.h"
#include "filch/pool/pool.h"
#include "filch/pool/slot.h"
#include "gtest/gtest.h"
#include "tests/pool/noting_loop.h"
#include "tests/pool/noting_pieces.h"
#include "tests/pool/of_threads.h"
#include "tests/pool/with_thief.h"
#include "tests/pool/yield_until.h"

namespace filch {
namespace pool_internal {
namespace {

constexpr std::uint32_t kUnits = 10;

// A loop of which another thread takes the upper half: its first unit waits until that has begun
// with `upper`.
class HalfTaken {
 public:
  explicit HalfTaken(std::uint32_t upper)
      : upper_(upper), body_(kind_, kUnits, [this](std::uint32_t unit) { OnUnit(unit); }) {}

  NotingLoop& body() { return body_; }
  Context& context() { return context_; }
  // Whoever takes the upper half throws in its first unit.
  void set_throws() { throws_ = true; }
  bool half_was_taken() const { return upper_runs_on_ != owner_; }

 private:
  void OnUnit(std::uint32_t unit) {
    if (unit == upper_) {
      upper_runs_on_ = std::this_thread::get_id();
      begun_.Reach();
      if (throws_) throw std::runtime_error("the upper half");
    } else if (unit == 0) {
      begun_.AwaitThief();
      // Who has nothing left to do might run what the other one has not come to.
      if (throws_) YieldUntil([this] { return context_.IsCancelled(); });
    }
  }

  const std::thread::id owner_ = std::this_thread::get_id();
  const std::uint32_t upper_;
  Stage begun_;
  std::thread::id upper_runs_on_ = owner_;
  bool throws_ = false;
  LoopKind kind_;
  NotingLoop body_;
  Context context_;
};

// Calls f with a loop's body and context on a thread to which nobody comes.
template <typename F>
void Alone(const F& f) {
  Pool pool(OfThreads(1));
  pool.Execute([&] {
    LoopKind kind;
    NotingLoop body(kind, kUnits);
    Context context;
    f(body, context);
  });
}

TEST(UnitTreeTest, RunsTheUnitsInOrderInOneSegmentIfNobodyComes) {
  Alone([](NotingLoop& body, Context& context) {
    void* segment = nullptr;
    UnitTree(body, context).Run(CurrentSlot(), {0, kUnits}, &segment);
    EXPECT_EQ(body.order(), (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    EXPECT_EQ(body.segments(), std::vector<std::uint32_t>{0});
    EXPECT_NE(segment, nullptr);
  });
}

TEST(UnitTreeTest, PiecesAreNoLargerThanAskedFor) {
  Pool pool(OfThreads(1));
  pool.Execute([] {
    LoopKind kind;
    NotingPieces body(kind);
    Context context;
    void* segment = nullptr;
    UnitTree(body, context, 3).Run(CurrentSlot(), {0, kUnits}, &segment);
    const std::vector<UnitInterval> pieces = body.Take();
    EXPECT_TRUE(Cover(pieces, kUnits));
    EXPECT_EQ(Largest(pieces), 3u);
  });
}

TEST(UnitTreeTest, OfAnUnevenLoopEachHalfIsSharedUnasked) {
  Pool pool(OfThreads(1));
  pool.Execute([] {
    Slot& slot = CurrentSlot();
    LoopKind kind;
    NotingPieces body(kind);
    Context context;
    const auto exposures = [&](Evenness evenness) {
      const auto before = slot.stats.exposures.Read();
      void* segment = nullptr;
      UnitTree(body, context, 1, evenness).Run(slot, {0, kUnits}, &segment);
      EXPECT_TRUE(Cover(body.Take(), kUnits));
      return slot.stats.exposures.Read() - before;
    };
    EXPECT_EQ(exposures(Evenness::kEven), 0);
    EXPECT_EQ(exposures(Evenness::kUneven), kUnits - 1);
  });
}

TEST(UnitTreeTest, WhatIsTakenIsASegmentOfItsOwn) {
  WithThief([] {
    HalfTaken loop(kUnits / 2);
    void* segment = nullptr;
    UnitTree(loop.body(), loop.context()).Run(CurrentSlot(), {0, kUnits}, &segment);
    EXPECT_TRUE(loop.half_was_taken());
    EXPECT_EQ(loop.body().runs(), std::vector<int>(kUnits, 1));
    EXPECT_EQ(segment, nullptr);  // the last of these units were another thread's
  });
}

TEST(UnitTreeTest, WhatATakerThrowsIsKeptAndCancels) {
  WithThief([] {
    HalfTaken loop(kUnits / 2);
    loop.set_throws();
    void* segment = nullptr;
    UnitTree(loop.body(), loop.context()).Run(CurrentSlot(), {0, kUnits}, &segment);
    EXPECT_TRUE(loop.half_was_taken());
    EXPECT_TRUE(loop.context().IsCancelled());
    EXPECT_EQ(loop.body().runs().back(), 0);
    EXPECT_THROW(loop.context().Rethrow(), std::runtime_error);
  });
}

TEST(UnitTreeTest, OfBothIntervalsTheOtherOneIsTaken) {
  WithThief([] {
    constexpr std::uint32_t kOwn = 3;
    HalfTaken loop(kOwn);
    const std::uint64_t elapsed =
        UnitTree(loop.body(), loop.context()).RunBoth(CurrentSlot(), {0, kOwn}, {kOwn, kUnits});
    EXPECT_TRUE(loop.half_was_taken());
    EXPECT_EQ(loop.body().runs(), std::vector<int>(kUnits, 1));
    EXPECT_GT(elapsed, 0u);
  });
}

TEST(UnitTreeTest, OfBothIntervalsTheOwnOneComesFirstIfNobodyComes) {
  Alone([](NotingLoop& body, Context& context) {
    UnitTree(body, context).RunBoth(CurrentSlot(), {6, kUnits}, {0, 6});
    EXPECT_EQ(body.order(), (std::vector<std::uint32_t>{6, 7, 8, 9, 0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(body.segments(), (std::vector<std::uint32_t>{6, 0}));
  });
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
