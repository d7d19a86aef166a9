#include "filch/partitioner/stealing_range.h"

#include <cstdint>
#include <memory>
#include <vector>

#include "filch/partitioner/unit_interval.h"
#include "filch/topology/cache_line.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

using Outcome = StealAttempt::Outcome;

TEST(StealingRangeTest, NewRangeIsEmptyToEverybody) {
  StealingRange range;
  EXPECT_EQ(range.remaining(), 0u);
  EXPECT_FALSE(range.thieves_waiting());
  EXPECT_TRUE(range.Claim(kAllUnits).empty());
  const StealAttempt attempt = range.Steal();
  EXPECT_TRUE(attempt.empty());
  EXPECT_EQ(attempt.outcome, Outcome::kEmpty);
  EXPECT_TRUE(range.thieves_waiting());
}

TEST(StealingRangeTest, EmptyAndBackwardIntervalsLeaveItEmpty) {
  StealingRange range;
  for (UnitInterval units : {UnitInterval{0, 0}, UnitInterval{7, 7}, UnitInterval{9, 2},
                             UnitInterval{UINT32_MAX, UINT32_MAX}, UnitInterval{UINT32_MAX, 0}}) {
    range.Reset(units);
    EXPECT_EQ(range.remaining(), 0u);
    EXPECT_TRUE(range.Claim(1).empty());
    EXPECT_EQ(range.Steal().outcome, Outcome::kEmpty);
  }
}

TEST(StealingRangeTest, OwnerTakesTheLowEndAndThievesTheUpperHalf) {
  StealingRange range;
  range.Reset({10, 20});
  EXPECT_EQ(range.Claim(3), (UnitInterval{10, 13}));
  const StealAttempt first = range.Steal();
  EXPECT_EQ(first.outcome, Outcome::kStolen);
  EXPECT_EQ(static_cast<UnitInterval>(first), (UnitInterval{16, 20}));
  const UnitInterval second = range.Steal();
  EXPECT_EQ(second, (UnitInterval{14, 16}));
  const UnitInterval third = range.Steal();
  EXPECT_EQ(third, (UnitInterval{13, 14}));
  EXPECT_EQ(range.Steal().outcome, Outcome::kEmpty);
  EXPECT_TRUE(range.Claim(1).empty());
}

TEST(StealingRangeTest, ThiefMayTakeTheOnlyUnitWhileTheOwnerIsStuck) {
  StealingRange range;
  range.Reset({0, 2});
  EXPECT_EQ(range.Claim(1), (UnitInterval{0, 1}));
  const UnitInterval stolen = range.Steal();
  EXPECT_EQ(stolen, (UnitInterval{1, 2}));
}

TEST(StealingRangeTest, WorksUpToTheLastUnitNumber) {
  StealingRange range;
  range.Reset({0, UINT32_MAX});
  EXPECT_EQ(range.remaining(), UINT32_MAX);
  const UnitInterval stolen = range.Steal();
  EXPECT_EQ(stolen, (UnitInterval{UINT32_MAX / 2, UINT32_MAX}));
  EXPECT_EQ(range.Claim(kAllUnits), (UnitInterval{0, UINT32_MAX / 2}));

  range.Reset({UINT32_MAX - 1, UINT32_MAX});
  EXPECT_EQ(range.Claim(kAllUnits), (UnitInterval{UINT32_MAX - 1, UINT32_MAX}));
  EXPECT_TRUE(range.Claim(kAllUnits).empty());
}

TEST(StealingRangeTest, GiveBackNeedsAnEmptyRangeAndTwoUnits) {
  StealingRange range;
  range.Reset({0, 6});
  UnitInterval batch = range.Claim(5);
  EXPECT_FALSE(range.GiveBack(&batch));
  EXPECT_EQ(batch, (UnitInterval{0, 5}));
  EXPECT_EQ(range.remaining(), 1u);

  EXPECT_FALSE(range.Steal().empty());
  EXPECT_TRUE(range.GiveBack(&batch));
  EXPECT_EQ(batch, (UnitInterval{0, 3}));
  const UnitInterval given = range.Steal();
  EXPECT_EQ(given, (UnitInterval{4, 5}));
  EXPECT_EQ(range.Claim(kAllUnits), (UnitInterval{3, 4}));

  UnitInterval one{0, 1};
  EXPECT_FALSE(range.GiveBack(&one));
  UnitInterval none{};
  EXPECT_FALSE(range.GiveBack(&none));
}

TEST(StealingRangeTest, WaitingThiefIsRememberedUntilThereIsSomethingToSteal) {
  StealingRange range;
  range.Reset({0, 4});
  UnitInterval batch = range.Claim(4);
  EXPECT_FALSE(range.thieves_waiting());
  EXPECT_EQ(range.Steal().outcome, Outcome::kEmpty);
  EXPECT_TRUE(range.thieves_waiting());
  EXPECT_TRUE(range.GiveBack(&batch));
  EXPECT_FALSE(range.thieves_waiting());

  EXPECT_FALSE(range.Steal().empty());
  EXPECT_FALSE(range.Steal().empty());
  EXPECT_EQ(range.Steal().outcome, Outcome::kEmpty);
  EXPECT_TRUE(range.thieves_waiting());
  range.Reset({10, 12});
  EXPECT_FALSE(range.thieves_waiting());
}

// Runs every sequence of owner and thief moves from one range of `size` units
// by replaying each from the start, and counts every unit.
class EverySequence {
 public:
  EverySequence(std::uint32_t first, std::uint32_t size) : first_(first), size_(size) {}

  // The number of complete sequences.
  int Run() {
    Extend();
    return complete_;
  }

 private:
  enum Move { kClaimOne, kClaimTwo, kClaimAll, kExecute, kSteal, kGiveBack, kMoves };

  void Count(UnitInterval units) {
    for (std::uint32_t unit = units.begin; unit != units.end; ++unit) {
      ASSERT_LT(unit - first_, size_) << "foreign unit";
      ASSERT_EQ(count_[unit - first_]++, 0) << "unit " << unit << " came out twice";
    }
  }

  // Replays moves_; false if the last one changes nothing.
  bool Replay() {
    StealingRange range;
    range.Reset({first_, first_ + size_});
    batch_ = {};
    count_.assign(size_, 0);
    bool changed = true;
    for (Move move : moves_) {
      const UnitInterval before = batch_;
      const std::uint32_t remaining = range.remaining();
      switch (move) {
        case kClaimOne:
        case kClaimTwo:
        case kClaimAll:
          if (batch_.empty()) {
            batch_ = range.Claim(move == kClaimOne ? 1 : move == kClaimTwo ? 2 : kAllUnits);
          }
          break;
        case kExecute:
          Count(TakeLower(&batch_, 1));
          break;
        case kSteal:
          Count(range.Steal());
          break;
        case kGiveBack:
          range.GiveBack(&batch_);
          break;
        case kMoves:
          break;
      }
      changed = batch_ != before || range.remaining() != remaining;
    }
    done_ = batch_.empty() && range.remaining() == 0;
    return changed;
  }

  void Extend() {
    const bool changed = Replay();
    if (::testing::Test::HasFatalFailure() || !changed) return;
    if (done_) {
      ++complete_;
      for (int count : count_) ASSERT_EQ(count, 1) << "a unit was lost";
      return;
    }
    for (int move = 0; move < kMoves; ++move) {
      moves_.push_back(static_cast<Move>(move));
      Extend();
      moves_.pop_back();
    }
  }

  const std::uint32_t first_;
  const std::uint32_t size_;
  std::vector<Move> moves_;
  std::vector<int> count_;
  UnitInterval batch_;
  bool done_ = false;
  int complete_ = 0;
};

TEST(StealingRangeTest, EverySequenceOfMovesDeliversEachUnitOnce) {
  for (std::uint32_t size = 0; size <= 6; ++size) {
    for (std::uint32_t first : {0u, 3u, UINT32_MAX - size}) {
      EXPECT_GT(EverySequence(first, size).Run(), 0);
    }
  }
}

// Stealing alone must reach every unit in a logarithmic number of steals per
// thief: after k steals no more than size / 2^k units are left.
TEST(StealingRangeTest, EachStealLeavesAtMostHalf) {
  for (std::uint32_t size : {1u, 2u, 3u, 7u, 8u, 1000u, 1000000000u, UINT32_MAX}) {
    StealingRange range;
    range.Reset({0, size});
    std::uint32_t left = size;
    int steals = 0;
    while (!range.Steal().empty()) {
      EXPECT_EQ(range.remaining(), left / 2);
      left = range.remaining();
      ++steals;
    }
    EXPECT_LE(steals, 32);
  }
}

TEST(StealingRangeTest, RangesKeepOutOfEachOthersCacheLines) {
  static_assert(alignof(StealingRange) == kCacheLineSize);
  static_assert(sizeof(StealingRange) == kCacheLineSize);
  const auto ranges = std::make_unique<StealingRange[]>(3);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&ranges[1]) % kCacheLineSize, 0u);
}

using StealingRangeDeathTest = ::testing::Test;

TEST(StealingRangeDeathTest, ResetOverUnitsNobodyTookFails) {
  StealingRange range;
  range.Reset({0, 3});
  EXPECT_DEATH(range.Reset({0, 3}), "StealingRange: Reset would drop units");
}

TEST(StealingRangeDeathTest, ClaimOfNothingFails) {
  StealingRange range;
  range.Reset({0, 3});
  EXPECT_DEATH(range.Claim(0), "StealingRange: Claim was asked for 0 units");
}

}  // namespace
}  // namespace filch
