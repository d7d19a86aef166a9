#include "filch/pool/watched_body.h"

#include <cstdint>
#include <thread>
#include <vector>

#include "filch/deque/steal_result.h"
#include "filch/pool/arena.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/execute.h"
#include "filch/pool/loop_kind.h"
#include "filch/pool/pool.h"
#include "gtest/gtest.h"
#include "tests/pool/no_task.h"
#include "tests/pool/noting_loop.h"
#include "tests/pool/of_threads.h"

namespace filch {
namespace pool_internal {
namespace {

constexpr std::uint32_t kUnits = 8;

class WatchedBodyTest : public testing::Test {
 protected:
  WatchedBodyTest() : pool_(OfThreads(1)) {}

  // Calls f(slot) in an arena for so many threads, to which nobody else comes.
  template <typename F>
  void InArena(const F& f, int threads = 2) {
    Arena& arena = pool_.AcquireArena({threads, threads, Priority::kNormal});
    ExecuteIn(arena, [&] { f(CurrentSlot()); });
    pool_.ReleaseArena(arena);
  }
  static void Run(WatchedBody& watched, UnitInterval units) {
    void* segment = nullptr;
    watched.Run(units, &segment);
  }

  LoopKind kind_;
  NotingLoop body_{kind_, kUnits};

 private:
  Pool pool_;
};

TEST_F(WatchedBodyTest, RunsTheBody) {
  InArena([&](Slot& slot) {
    WatchedBody watched(body_, slot, /*withhold=*/false);
    EXPECT_EQ(&watched.kind(), &kind_);
    Run(watched, {0, 2});
    Run(watched, {5, 8});
    EXPECT_EQ(body_.order(), (std::vector<std::uint32_t>{0, 1, 5, 6, 7}));
  });
}

TEST_F(WatchedBodyTest, TheFirstUnitsTellHowLongAllTake) {
  InArena([&](Slot& slot) {
    WatchedBody watched(body_, slot, /*withhold=*/false);
    Run(watched, {0, 2});
    EXPECT_TRUE(watched.unaided());
    const std::uint64_t of_them = watched.TimeOf(2);
    EXPECT_EQ(watched.TimeOf(20), 10 * of_them);
    // As they took, whatever comes after them.
    Run(watched, {2, 4});
    EXPECT_EQ(watched.TimeOf(2), of_them);
  });
}

TEST_F(WatchedBodyTest, OthersSayNothing) {
  InArena([&](Slot& slot) {
    WatchedBody watched(body_, slot, /*withhold=*/false);
    Run(watched, {2, 4});
    EXPECT_FALSE(watched.unaided());
    EXPECT_FALSE(watched.quick());
    EXPECT_GT(watched.TimeOf(1), std::uint64_t{1} << 30) << "for ever";
  });
}

TEST_F(WatchedBodyTest, WhatAnotherThreadRunsSaysNothing) {
  InArena([&](Slot& slot) {
    WatchedBody watched(body_, slot, /*withhold=*/false);
    std::thread([&] { Run(watched, {0, 2}); }).join();
    EXPECT_FALSE(watched.unaided());
    EXPECT_EQ(body_.order().size(), 2u);
  });
}

TEST_F(WatchedBodyTest, UnitsAreNotUnaidedIfSomethingWasTakenMeanwhile) {
  InArena([&](Slot& slot) {
    NoTask task;
    slot.Spawn(task);
    NotingLoop body(kind_, kUnits, [&slot](std::uint32_t) {
      slot.deque.RequestExposure();
      slot.ExposeIfAsked();
      std::thread([&slot] { EXPECT_EQ(slot.deque.Steal().status, StealStatus::kStolen); }).join();
    });
    WatchedBody watched(body, slot, /*withhold=*/false);
    Run(watched, {0, 1});
    EXPECT_FALSE(watched.unaided());
  });
}

TEST_F(WatchedBodyTest, WhoBeginsInTurnAndWithholdsLooksAtTheSecondOnesToo) {
  const auto run = [&](Slot& slot) {
    WatchedBody watched(body_, slot, /*withhold=*/true, WatchedBody::Order::kInTurn);
    Run(watched, {0, 1});
    EXPECT_FALSE(watched.unaided()) << "not yet";
    Run(watched, {1, 2});
    EXPECT_TRUE(watched.unaided());
  };
  InArena(run, 8);
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
