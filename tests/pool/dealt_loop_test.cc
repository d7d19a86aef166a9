#include "filch/pool/dealt_loop.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "filch/pool/arena.h"
#include "filch/pool/context.h"
#include "filch/pool/execute.h"
#include "filch/pool/loop_kind.h"
#include "filch/pool/pool.h"
#include "filch/pool/slot.h"
#include "gtest/gtest.h"
#include "tests/pool/held_wait.h"
#include "tests/pool/noting_loop.h"
#include "tests/pool/of_threads.h"
#include "tests/pool/yield_until.h"

namespace filch {
namespace pool_internal {
namespace {

using Shares = std::vector<DealtUnits>;
using Units = std::vector<std::uint32_t>;

Units From(std::uint32_t begin, std::uint32_t end) {
  Units units(end - begin);
  std::iota(units.begin(), units.end(), begin);
  return units;
}

// In an arena to which nobody comes: all that is sent comes back, or is found by the wait.
class LonelyDealtLoopTest : public testing::Test {
 protected:
  static constexpr std::uint32_t kUnits = 40;

  // Calls f(arena, slot) in an arena of so many slots, in one of them.
  template <typename F>
  void InArenaOf(int slots, const F& f) {
    Arena& arena = pool_.AcquireArena({slots, slots, Priority::kNormal});
    ExecuteIn(arena, [&] {
      ASSERT_EQ(current_slot->index, 0);
      f(arena, *current_slot);
    });
    pool_.ReleaseArena(arena);
  }
  // Runs these shares in the first of four slots.
  void Run(NotingLoop& body, const Shares& shares) {
    InArenaOf(4, [&](Arena&, Slot& slot) { RunDealtLoop(body, shares, context_, slot); });
  }

  LoopKind kind_;
  Context context_;

 private:
  Pool pool_{OfThreads(1)};
};

TEST_F(LonelyDealtLoopTest, WhatIsSentIsTakenBackInItsOrderAfterTheOwnUnits) {
  NotingLoop body(kind_, kUnits);
  Run(body, {{{30, 40}, 2}, {{10, 20}, 0}, {{0, 10}, 3}, {{20, 30}, 1}});
  Units expected = From(10, 20);
  for (const std::uint32_t begin : {30u, 0u, 20u}) {
    for (const std::uint32_t unit : From(begin, begin + 10)) expected.push_back(unit);
  }
  EXPECT_EQ(body.order(), expected);
  EXPECT_EQ(body.segments(), (Units{10, 30, 0, 20}));
}

TEST_F(LonelyDealtLoopTest, EachUnitRunsOnceWhereverItIsSent) {
  const struct {
    const char* what;
    Shares shares;
  } cases[] = {
      {"all to the own slot at once", {{{0, 40}, 0}}},
      {"several to the own slot", {{{0, 5}, 0}, {{5, 6}, 1}, {{6, 20}, 0}, {{20, 40}, 0}}},
      {"nothing to the own slot", {{{0, 20}, 1}, {{20, 40}, 3}}},
      {"several to one slot", {{{0, 10}, 2}, {{10, 20}, 0}, {{20, 30}, 2}, {{30, 40}, 2}}},
      {"something to the extra slot", {{{0, 10}, 4}, {{10, 40}, 0}}},
      {"all to the extra slot", {{{0, 40}, 4}}},
  };
  for (const auto& [what, shares] : cases) {
    NotingLoop body(kind_, kUnits);
    Run(body, shares);
    EXPECT_EQ(body.runs(), std::vector<int>(kUnits, 1)) << what;
  }
}

TEST_F(LonelyDealtLoopTest, SingleUnitsRunOnceEach) {
  // With one of its own, with several, and with none.
  for (const std::uint32_t slots : {4u, 2u, 1u}) {
    Shares shares;
    for (std::uint32_t unit = 0; unit != 8; ++unit) {
      shares.push_back({{unit, unit + 1}, slots == 1 ? 3 : unit % slots});
    }
    NotingLoop body(kind_, 8);
    Run(body, shares);
    EXPECT_EQ(body.runs(), std::vector<int>(8, 1)) << slots;
  }
}

TEST_F(LonelyDealtLoopTest, AmongTwoThreadsEachUnitRunsOnce) {
  NotingLoop body(kind_, kUnits);
  InArenaOf(2, [&](Arena&, Slot& slot) {
    RunDealtLoop(body, {{{0, 20}, 0}, {{20, 40}, 1}}, context_, slot);
  });
  EXPECT_EQ(body.order(), From(0, kUnits));
}

TEST_F(LonelyDealtLoopTest, WhatAUnitThrowsIsKeptAndDropsTheOthers) {
  // In the own share, in one that was taken back, and in one that the wait finds.
  const Shares with_own = {{{0, 10}, 0}, {{10, 20}, 1}, {{20, 40}, 2}};
  const Shares without = {{{0, 10}, 1}, {{10, 20}, 2}, {{20, 40}, 3}};
  for (const Shares& shares : {with_own, without}) {
    for (const std::uint32_t bad : {0u, 9u, 10u, 19u, 39u}) {
      Context context;
      NotingLoop body(kind_, kUnits, [bad](std::uint32_t unit) {
        if (unit == bad) throw std::runtime_error("bad");
      });
      InArenaOf(4, [&](Arena&, Slot& slot) { RunDealtLoop(body, shares, context, slot); });
      EXPECT_TRUE(context.IsCancelled());
      EXPECT_THROW(context.Rethrow(), std::runtime_error);
      ASSERT_FALSE(body.order().empty());
      EXPECT_EQ(body.order().back(), bad);
      for (const int runs : body.runs()) EXPECT_LE(runs, 1);
    }
  }
}

TEST_F(LonelyDealtLoopTest, WhatASingleUnitThrowsDropsTheOthers) {
  const Shares with_own = {{{0, 1}, 0}, {{1, 2}, 1}, {{2, 3}, 2}};
  const Shares without = {{{0, 1}, 1}, {{1, 2}, 2}, {{2, 3}, 3}};
  for (const Shares& shares : {with_own, without}) {
    Context context;
    NotingLoop body(kind_, 3, [](std::uint32_t) { throw std::runtime_error("each"); });
    InArenaOf(4, [&](Arena&, Slot& slot) { RunDealtLoop(body, shares, context, slot); });
    EXPECT_EQ(body.order().size(), 1u);
    EXPECT_THROW(context.Rethrow(), std::runtime_error);
  }
}

TEST_F(LonelyDealtLoopTest, ALoopThatIsCancelledEnds) {
  NotingLoop body(kind_, kUnits, [this](std::uint32_t unit) {
    if (unit == 12) context_.Cancel();
  });
  Run(body, {{{0, 10}, 0}, {{10, 20}, 1}, {{20, 30}, 0}, {{30, 40}, 3}});
  // What is left of the thread's own comes before what it takes back.
  Units expected = From(0, 10);
  for (const std::uint32_t unit : From(20, 30)) expected.push_back(unit);
  for (const std::uint32_t unit : From(10, 13)) expected.push_back(unit);
  EXPECT_EQ(body.order(), expected);
  NotingLoop nothing(kind_, kUnits);
  Run(nothing, {{{0, 10}, 0}, {{10, 20}, 1}, {{20, 40}, 0}});
  Run(nothing, {{{0, 10}, 1}, {{10, 40}, 2}});
  Run(nothing, {{{0, 1}, 1}, {{1, 2}, 2}});
  EXPECT_TRUE(nothing.order().empty());
}

TEST_F(LonelyDealtLoopTest, LoopsOfUnitsNest) {
  std::atomic<int> inner{0};
  InArenaOf(4, [&](Arena&, Slot& slot) {
    NotingLoop body(kind_, 4, [&](std::uint32_t) {
      NotingLoop more(kind_, kUnits, [&](std::uint32_t) { ++inner; });
      RunDealtLoop(more, {{{0, 10}, 0}, {{10, 40}, 1}}, context_, slot);
    });
    RunDealtLoop(body, {{{0, 2}, 0}, {{2, 4}, 3}}, context_, slot);
    EXPECT_EQ(body.runs(), std::vector<int>(4, 1));
  });
  EXPECT_EQ(inner, 4 * static_cast<int>(kUnits));
}

// Threads that are there and never look: slots are taken, and so many count as searching.
class Dummies {
 public:
  Dummies(Arena& arena, int slots, int searching) : arena_(arena), searching_(searching) {
    for (int i = 0; i < slots; ++i) slots_.push_back(arena.slots().OccupyFromOutside());
    for (int i = 0; i < searching; ++i) arena.StartSearching(true);
  }
  ~Dummies() {
    for (int i = 0; i < searching_; ++i) arena_.StopSearching(*slots_[0], true);
    for (Slot* slot : slots_) arena_.Vacate(*slot);
  }
  Dummies(const Dummies&) = delete;
  Dummies& operator=(const Dummies&) = delete;

 private:
  Arena& arena_;
  const int searching_;
  std::vector<Slot*> slots_;
};

class DealEvenlyTest : public LonelyDealtLoopTest {
 protected:
  // Tries it with so many others, of whom so many search, in an arena of so many slots.  Returns
  // whether it was dealt; the body is to have run then, and only then.
  bool Deals(int slots, int others, int searching, std::uint32_t units = kUnits) {
    bool dealt = false;
    InArenaOf(slots, [&](Arena& arena, Slot& slot) {
      const Dummies dummies(arena, others, searching);
      NotingLoop body(kind_, units);
      dealt = TryToDealEvenly(body, {0, units}, context_, slot);
      EXPECT_EQ(body.order(), dealt ? From(0, units) : Units());
    });
    return dealt;
  }
};

TEST_F(DealEvenlyTest, FewThreadsGetNothing) {
  EXPECT_FALSE(Deals(4, 3, 3));  // all that there can be
  EXPECT_FALSE(Deals(8, 0, 0));
  EXPECT_FALSE(Deals(8, 3, 3));
  EXPECT_TRUE(Deals(8, 4, 4));
  EXPECT_TRUE(Deals(5, 4, 4));
}

TEST_F(DealEvenlyTest, WhereSomebodyIsBusyNobodyGetsAnything) {
  EXPECT_FALSE(Deals(8, 7, 6));
  EXPECT_FALSE(Deals(8, 7, 0));
  EXPECT_TRUE(Deals(8, 7, 7));
}

TEST_F(DealEvenlyTest, ThereHasToBeAUnitForEach) {
  EXPECT_FALSE(Deals(8, 5, 5, 5));
  EXPECT_TRUE(Deals(8, 5, 5, 6));
  EXPECT_TRUE(Deals(8, 5, 5, 7));
}

TEST_F(DealEvenlyTest, EachWhoIsAwakeHasAShareOfAsManyNeighbours) {
  InArenaOf(8, [this](Arena& arena, Slot& slot) {
    const Dummies dummies(arena, 4, 4);
    NotingLoop body(kind_, 1023);
    // Neither from the first unit on nor divisible.
    EXPECT_TRUE(TryToDealEvenly(body, {1000, 1023}, context_, slot));
    EXPECT_EQ(body.order(), From(1000, 1023));
    const Units& begins = body.segments();
    ASSERT_EQ(begins.size(), 5u);
    for (std::size_t i = 0; i != begins.size(); ++i) {
      const std::uint32_t end = i + 1 != begins.size() ? begins[i + 1] : 1023;
      EXPECT_GE(end - begins[i], 4u);
      EXPECT_LE(end - begins[i], 5u);
    }
  });
}

TEST_F(DealEvenlyTest, WhatAUnitThrowsIsKept) {
  InArenaOf(8, [this](Arena& arena, Slot& slot) {
    const Dummies dummies(arena, 4, 4);
    NotingLoop body(kind_, kUnits, [](std::uint32_t unit) {
      if (unit == 20) throw std::runtime_error("twenty");
    });
    // It has been run, whatever came of it.
    EXPECT_TRUE(TryToDealEvenly(body, {0, kUnits}, context_, slot));
    EXPECT_EQ(body.order(), From(0, 21));
  });
  EXPECT_THROW(context_.Rethrow(), std::runtime_error);
}

// The calling thread and others that look for work, for as long as the test lasts.
class DealtAmongThreadsTest : public testing::Test {
 protected:
  static constexpr int kOthers = 5;
  static constexpr std::uint32_t kThreads = kOthers + 1;

  DealtAmongThreadsTest() {
    for (int i = 0; i < kOthers; ++i) {
      threads_[i] = std::thread([this, i] { ExecuteIn(arena_, [&] { waits_[i].Begin(); }); });
    }
  }
  ~DealtAmongThreadsTest() override {
    for (HeldWait& wait : waits_) wait.End();
    for (std::thread& thread : threads_) thread.join();
    pool_.ReleaseArena(arena_);
  }

  // Deals units once all others look for work.
  void Deal(NotingLoop& body, std::uint32_t units, Context& context) {
    ExecuteIn(arena_, [&] {
      YieldUntil([this] { return arena_.ApproximateSearchers() == kOthers; });
      EXPECT_TRUE(TryToDealEvenly(body, {0, units}, context, *current_slot));
    });
  }

  LoopKind kind_;

 private:
  static PoolOptions Awake() {
    PoolOptions options = OfThreads(1);
    options.spin = std::chrono::hours(24);
    return options;
  }

  Pool pool_{Awake()};
  Arena& arena_ = pool_.AcquireArena({kOthers + 1, kOthers + 1, Priority::kNormal});
  HeldWait waits_[kOthers];
  std::thread threads_[kOthers];
};

TEST_F(DealtAmongThreadsTest, SharesRunAtTheSameTimeAndMayWaitForEachOther) {
  for (int round = 0; round < 20; ++round) {
    Context context;
    std::atomic<std::uint32_t> inside{0};
    std::vector<int> slot_of(kThreads);
    NotingLoop body(kind_, kThreads, [&](std::uint32_t unit) {
      slot_of[unit] = current_slot->index;
      ++inside;
      YieldUntil([&] { return inside == kThreads; });
    });
    Deal(body, kThreads, context);
    EXPECT_EQ(body.runs(), std::vector<int>(kThreads, 1));
    EXPECT_EQ(std::set<int>(slot_of.begin(), slot_of.end()).size(), kThreads);
  }
}

TEST_F(DealtAmongThreadsTest, AUnitMayWaitForTheNextOneOfItsShare) {
  // So few are claimed one by one.
  for (const std::uint32_t each : {2u, 4u, 16u}) {
    for (std::uint32_t share = 0; share != kThreads; ++share) {
      Context context;
      const std::uint32_t units = each * kThreads;
      const std::uint32_t stuck = each * share;
      std::atomic<bool> next{false};
      NotingLoop body(kind_, units, [&](std::uint32_t unit) {
        if (unit == stuck) YieldUntil(next);
        if (unit == stuck + 1) next = true;
      });
      Deal(body, units, context);
      EXPECT_EQ(body.runs(), std::vector<int>(units, 1)) << each << ", " << share;
    }
  }
}

TEST_F(DealtAmongThreadsTest, AnyUnitMayWaitForTheLastOne) {
  // All threads but one wait in a unit, with others behind it.
  constexpr std::uint32_t kEach = 10;
  for (std::uint32_t free = 0; free != kThreads; ++free) {
    Context context;
    std::atomic<std::uint32_t> others{0};
    constexpr std::uint32_t kOthersWait = kThreads * kEach - (kThreads - 1);
    NotingLoop body(kind_, kThreads * kEach, [&](std::uint32_t unit) {
      if (unit % kEach == 0 && unit / kEach != free) {
        YieldUntil([&] { return others == kOthersWait; });
      } else {
        ++others;
      }
    });
    Deal(body, kThreads * kEach, context);
    EXPECT_EQ(body.runs(), std::vector<int>(kThreads * kEach, 1)) << free;
  }
}

TEST_F(DealtAmongThreadsTest, EachUnitRunsOnceUnlessTheLoopIsCancelled) {
  for (int round = 0; round < 100; ++round) {
    Context context;
    const auto units = kThreads + static_cast<std::uint32_t>(37 * round);
    NotingLoop body(kind_, units);
    Deal(body, units, context);
    EXPECT_EQ(body.runs(), std::vector<int>(units, 1));
    NotingLoop cut(kind_, units, [units](std::uint32_t unit) {
      if (unit == units / 2) throw std::runtime_error("half");
    });
    Deal(cut, units, context);
    for (const int runs : cut.runs()) EXPECT_LE(runs, 1);
    EXPECT_EQ(cut.runs()[units / 2], 1);
    EXPECT_THROW(context.Rethrow(), std::runtime_error);
  }
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
