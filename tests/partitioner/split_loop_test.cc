// The split loop with every policy, without a thread.
#include "filch/partitioner/split_loop.h"

#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <stdexcept>
#include <vector>

#include "filch/partitioner/affinity_memory.h"
#include "filch/partitioner/divisible_range.h"
#include "filch/partitioner/index_range.h"
#include "filch/partitioner/serial_spawner.h"
#include "filch/partitioner/split_policy.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

using Range = IndexRange<int>;

// A policy for `slots` slots.
template <typename Policy>
Policy Make(std::uint32_t slots, AffinityMemory*) {
  return Policy(slots);
}
template <>
SimpleSplit Make(std::uint32_t, AffinityMemory*) {
  return {};
}
template <>
LazySplit Make(std::uint32_t, AffinityMemory*) {
  return {};
}
template <>
AffinitySplit Make(std::uint32_t slots, AffinityMemory* memory) {
  return AffinitySplit(slots, memory);
}

template <typename Policy>
class SplitPolicyTest : public ::testing::Test {
 public:
  // The pieces of [begin, begin + size) in the order in which they ran; checks
  // that each index is in one of them.
  std::vector<Range> Pieces(int begin, int size, std::uint64_t grain, SerialSpawner* spawner) {
    std::vector<Range> pieces;
    std::vector<int> seen(static_cast<std::size_t>(size));
    const auto body = [&](const Range& piece) {
      EXPECT_FALSE(piece.empty());
      for (int i = piece.begin(); i != piece.end(); ++i) {
        ++seen.at(static_cast<std::size_t>(i - begin));
      }
      pieces.push_back(piece);
    };
    RunSplit(Range(begin, begin + size, grain), body, Make<Policy>(spawner->slots(), &memory_),
             *spawner);
    spawner->RunAll();
    for (int count : seen) EXPECT_EQ(count, 1);
    return pieces;
  }

  AffinityMemory memory_;
};

using Policies = ::testing::Types<SimpleSplit, StaticSplit, AutoSplit, AffinitySplit, LazySplit>;
TYPED_TEST_SUITE(SplitPolicyTest, Policies);

TYPED_TEST(SplitPolicyTest, EveryIndexRunsOnceForEverySmallSize) {
  for (int size = 0; size <= 70; ++size) {
    for (std::uint32_t slots : {1u, 2u, 3u, 8u}) {
      for (std::uint64_t grain : {1, 2, 7, 100}) {
        SerialSpawner spawner(slots);
        this->Pieces(-20, size, grain, &spawner);
      }
    }
  }
}

// Starving slots that come and go at random, and thieves anywhere.
TYPED_TEST(SplitPolicyTest, EveryIndexRunsOnceWhateverIsStolen) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    SerialSpawner spawner(1 + random() % 8);
    spawner.PretendDemand([&random] { return random() % 4 == 0; });
    spawner.PretendThieves([&random] { return static_cast<std::uint32_t>(random() % 8); });
    this->Pieces(-500, static_cast<int>(random() % 2000), 1 + random() % 20, &spawner);
  }
}

TYPED_TEST(SplitPolicyTest, PermanentDemandEndsAndRunsEverythingOnce) {
  SerialSpawner spawner(4);
  spawner.PretendDemand([] { return true; });
  this->Pieces(0, 5000, 1, &spawner);
}

TYPED_TEST(SplitPolicyTest, NoPieceIsSmallerThanHalfTheGrain) {
  std::mt19937 random(2);
  for (int round = 0; round < 100; ++round) {
    SerialSpawner spawner(1 + random() % 8);
    spawner.PretendDemand([&random] { return random() % 2 == 0; });
    const std::uint64_t grain = 2 + random() % 50;
    for (const Range& piece : this->Pieces(0, 1000, grain, &spawner)) {
      EXPECT_GE(piece.size(), grain / 2);
    }
  }
}

TYPED_TEST(SplitPolicyTest, ThrowingBodyLeavesTheLoopAndRunsNoIndexTwice) {
  for (int bad = 0; bad < 40; ++bad) {
    SerialSpawner spawner(2);
    std::vector<int> seen(40);
    const auto body = [&](const Range& piece) {
      for (int i = piece.begin(); i != piece.end(); ++i) {
        ++seen[static_cast<std::size_t>(i)];
        if (i == bad) throw std::runtime_error("bad index");
      }
    };
    int thrown = 0;
    try {
      RunSplit(Range(0, 40), body, Make<TypeParam>(2, &this->memory_), spawner);
    } catch (const std::runtime_error&) {
      ++thrown;
    }
    for (bool more = true; more;) {
      try {
        spawner.RunAll();
        more = false;
      } catch (const std::runtime_error&) {
        ++thrown;
      }
    }
    EXPECT_EQ(thrown, 1);
    for (int count : seen) EXPECT_LE(count, 1);
  }
}

template <typename Policy>
std::size_t PieceCount(int size, std::uint64_t grain, std::uint32_t slots) {
  AffinityMemory memory;
  SerialSpawner spawner(slots);
  std::size_t pieces = 0;
  const auto body = [&pieces](const Range&) { ++pieces; };
  RunSplit(Range(0, size, grain), body, Make<Policy>(slots, &memory), spawner);
  spawner.RunAll();
  return pieces;
}

TEST(SplitLoopTest, SimpleCutsDownToTheGrain) {
  EXPECT_EQ(PieceCount<SimpleSplit>(1024, 1, 2), 1024u);
  EXPECT_EQ(PieceCount<SimpleSplit>(1024, 32, 2), 32u);
}

TEST(SplitLoopTest, StaticMakesOneEvenPieceForEachSlotInOrder) {
  for (std::uint32_t slots : {1u, 2u, 3u, 5u, 7u, 16u}) {
    SerialSpawner spawner(slots);
    std::vector<Range> by_slot(slots, Range(0, 0));
    const auto body = [&](const Range& piece) {
      EXPECT_TRUE(by_slot[spawner.here()].empty());
      by_slot[spawner.here()] = piece;
    };
    RunSplit(Range(0, 1000), body, StaticSplit(slots), spawner);
    spawner.RunAll();
    int end = 0;
    for (const Range& piece : by_slot) {
      EXPECT_EQ(piece.begin(), end);
      end = piece.end();
      EXPECT_GE(piece.size(), 1000 / slots - 1);
      EXPECT_LE(piece.size(), 1000 / slots + 2);
    }
    EXPECT_EQ(end, 1000);
  }
}

TEST(SplitLoopTest, UndisturbedAutoSpawnsAHandfulOfTasks) {
  SerialSpawner spawner(2);
  const auto body = [](const Range&) {};
  RunSplit(Range(0, 1 << 20), body, AutoSplit(2), spawner);
  spawner.RunAll();
  EXPECT_EQ(spawner.spawned(), 2 * AutoSplit::kPiecesPerSlot - 1);
}

TEST(SplitLoopTest, AutoCutsFinerWhereSomebodyStarves) {
  SerialSpawner calm(2), starving(2);
  starving.PretendDemand([] { return true; });
  const auto body = [](const Range&) {};
  RunSplit(Range(0, 1 << 16), body, AutoSplit(2), calm);
  calm.RunAll();
  RunSplit(Range(0, 1 << 16), body, AutoSplit(2), starving);
  starving.RunAll();
  EXPECT_GT(starving.spawned(), 4 * calm.spawned());
}

TEST(SplitLoopTest, LazySpawnsNothingUndisturbedAndRunsGrainsInOrder) {
  SerialSpawner spawner(8);
  int next = 0;
  const auto body = [&next](const Range& piece) {
    EXPECT_EQ(piece.begin(), next);
    EXPECT_EQ(piece.size(), 8u);
    next = piece.end();
  };
  RunSplit(Range(0, 1024, 8), body, LazySplit(), spawner);
  EXPECT_EQ(next, 1024);
  EXPECT_EQ(spawner.spawned(), 0u);
}

TEST(SplitLoopTest, LazyGivesTheLargerHalfAwayFirst) {
  SerialSpawner spawner(2);
  bool starves = true;
  spawner.PretendDemand([&starves] { return std::exchange(starves, false); });
  std::vector<Range> pieces;
  const auto body = [&pieces](const Range& piece) { pieces.push_back(piece); };
  RunSplit(Range(0, 1024), body, LazySplit(), spawner);
  EXPECT_EQ(spawner.spawned(), 1u);
  EXPECT_EQ(pieces.size(), 512u);
}

// The second run sends every piece to where the first run's thieves had it.
TEST(SplitLoopTest, AffinityReplaysWhereThePiecesRan) {
  constexpr std::uint32_t kSlots = 4;
  AffinityMemory memory;
  std::mt19937 random(3);
  std::vector<std::uint32_t> ran_at(4096, kAnySlot);
  for (int run = 0; run < 3; ++run) {
    SerialSpawner spawner(kSlots);
    if (run == 0) {
      spawner.PretendThieves([&random] { return static_cast<std::uint32_t>(random() % kSlots); });
    }
    const auto body = [&](const Range& piece) {
      for (int i = piece.begin(); i != piece.end(); ++i) {
        std::uint32_t& slot = ran_at[static_cast<std::size_t>(i)];
        if (run == 0) slot = spawner.here();
        EXPECT_EQ(spawner.here(), slot);
      }
    };
    RunSplit(Range(0, 4096), body, AffinitySplit(kSlots, &memory), spawner);
    spawner.RunAll();
  }
  std::set<std::uint32_t> used(ran_at.begin(), ran_at.end());
  EXPECT_EQ(used.size(), kSlots);
}

// A range that can only be halved, as the least that the concept asks for.
class Halves {
 public:
  explicit Halves(int size) : size_(size) {}
  Halves(Halves& whole, Split) : size_(whole.size_ / 2) { whole.size_ -= size_; }
  bool empty() const { return size_ == 0; }
  bool is_divisible() const { return size_ > 1; }
  int size() const { return size_; }

 private:
  int size_;
};

TEST(SplitLoopTest, RangeWithoutProportionalSplitIsHalved) {
  SerialSpawner spawner(3);
  int sum = 0;
  const auto body = [&sum](const Halves& piece) { sum += piece.size(); };
  RunSplit(Halves(100), body, StaticSplit(3), spawner);
  spawner.RunAll();
  EXPECT_EQ(sum, 100);
}

TEST(IndexRangeTest, CutsAtEveryProportionAndEveryLimit) {
  for (std::uint32_t left : {1u, 2u, 7u, 1000u, UINT32_MAX}) {
    for (std::uint32_t right : {1u, 3u, 1000u, UINT32_MAX}) {
      IndexRange<std::int64_t> all(INT64_MIN, INT64_MAX);
      const IndexRange<std::int64_t> second(all, ProportionalSplit{left, right});
      EXPECT_EQ(all.begin(), INT64_MIN);
      EXPECT_EQ(all.end(), second.begin());
      EXPECT_EQ(second.end(), INT64_MAX);
      EXPECT_FALSE(all.empty());
      EXPECT_FALSE(second.empty());

      IndexRange<std::int8_t> two(-128, -126);
      const IndexRange<std::int8_t> one(two, ProportionalSplit{left, right});
      EXPECT_EQ(two.size(), 1u);
      EXPECT_EQ(one.size(), 1u);
    }
  }
}

// The parts are in proportion up to one index and one part in 2^31, however large
// everything is.
TEST(IndexRangeTest, CutsInProportion) {
  for (std::uint32_t left : {1u, 2u, 7u, 1000u, UINT32_MAX - 1, UINT32_MAX}) {
    for (std::uint32_t right : {1u, 3u, 1000u, UINT32_MAX}) {
      for (std::uint64_t size : {std::uint64_t{100}, std::uint64_t{1} << 40, UINT64_MAX}) {
        IndexRange<std::uint64_t> first(0, size);
        const IndexRange<std::uint64_t> second(first, ProportionalSplit{left, right});
        EXPECT_EQ(first.size() + second.size(), size);
        const long double exact =
            static_cast<long double>(size) * left / (static_cast<long double>(left) + right);
        const long double off = static_cast<long double>(first.size()) - exact;
        EXPECT_LE(off < 0 ? -off : off, 1 + static_cast<long double>(size) / (1L << 31));
      }
    }
  }
}

TEST(IndexRangeTest, BackwardRangesAreEmpty) {
  EXPECT_TRUE((IndexRange<int>(5, 3).empty()));
  EXPECT_EQ((IndexRange<int>(5, 3).size()), 0u);
  EXPECT_FALSE((IndexRange<int>(5, 3).is_divisible()));
}

TEST(IndexRangeDeathTest, CuttingWhatIsNotDivisibleFails) {
  const char* const kSentence = "a range that is not divisible was cut";
  IndexRange<int> empty(5, 5);
  EXPECT_DEATH((IndexRange<int>(empty, Split{})), kSentence);
  IndexRange<int> grain(0, 10, 10);
  EXPECT_DEATH((IndexRange<int>(grain, ProportionalSplit{1, 3})), kSentence);
}

TEST(IndexRangeDeathTest, GrainOfZeroFails) {
  EXPECT_DEATH((IndexRange<int>(0, 10, 0)), "IndexRange: the grain is 0");
}

}  // namespace
}  // namespace filch
