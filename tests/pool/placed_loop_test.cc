#include "filch/pool/placed_loop.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <vector>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/arena.h"
#include "filch/pool/context.h"
#include "filch/pool/execute.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/loop_kind.h"
#include "filch/pool/pool.h"
#include "filch/pool/slot.h"
#include "filch/pool/unit_places.h"
#include "filch/topology/tick_clock.h"
#include "gtest/gtest.h"
#include "tests/pool/as_if_awake.h"
#include "tests/pool/noting_loop.h"
#include "tests/pool/of_threads.h"
#include "tests/sanitizers.h"

namespace filch {
namespace pool_internal {
namespace {

constexpr std::uint32_t kSlots = 4;
// So few that they are over in no time, whatever a sanitizer makes of it.
constexpr std::uint32_t kUnits = 8;
// A loop of such units is long, wherever they run.
constexpr std::uint64_t kLongUnit = 5000;
// One of these is brief for some threads and not for two, to whom a part is handed over at once.
constexpr std::uint64_t kShortUnit = 400;

// Wants as many neighbours in each of so many slots, whoever ran them, and counts those.
class EvenPlaces final : public UnitPlaces {
 public:
  explicit EvenPlaces(std::uint32_t slots) : slots_(slots) {}

  void Begin(std::uint32_t) override {}
  std::uint32_t PlaceOf(std::uint32_t unit) const override { return unit * slots_ / kUnits; }
  void Note(std::uint32_t, std::uint32_t) override { ++noted_; }
  std::uint32_t noted() const { return noted_; }

 private:
  const std::uint32_t slots_;
  std::uint32_t noted_ = 0;
};

// Wants the last units in slot 0.
class LastInFirstSlot final : public UnitPlaces {
 public:
  void Begin(std::uint32_t) override {}
  std::uint32_t PlaceOf(std::uint32_t unit) const override { return unit < 5 ? 1 : 0; }
  void Note(std::uint32_t, std::uint32_t) override {}
};

// Counts runs and segments, on one thread, and takes next to no time for it.
class CountingLoop final : public LoopBody {
 public:
  using OnUnit = void (*)();

  CountingLoop(LoopKind& kind, OnUnit on_unit) : LoopBody(kind), on_unit_(on_unit) {}

  void Run(UnitInterval units, void** segment) override {
    if (*segment == nullptr) ++segments_;
    *segment = this;
    for (std::uint32_t unit = units.begin; unit != units.end; ++unit) {
      ++runs_[unit];
      on_unit_();
    }
  }
  const std::array<int, kUnits>& runs() const { return runs_; }
  std::size_t segments() const { return segments_; }

 private:
  const OnUnit on_unit_;
  std::array<int, kUnits> runs_{};
  std::size_t segments_ = 0;
};

// In an arena to which nobody comes.  A share that is sent to a slot and comes back is a segment of
// its own, but what a thread runs alone from the beginning is one.
class PlacedLoopTest : public testing::Test {
 protected:
  // Calls f() in an arena of so many slots, on a thread that remembers no loops.
  template <typename F>
  void InArenaOf(std::uint32_t slots, const F& f) {
    std::thread([&] {
      const int threads = static_cast<int>(slots);
      Arena& arena = pool_.AcquireArena({threads, threads, Priority::kNormal});
      ExecuteIn(arena, f);
      pool_.ReleaseArena(arena);
    }).join();
  }

  // Runs a loop; how many segments it had.
  std::size_t Segments(UnitPlaces& places, CountingLoop::OnUnit on_unit) {
    Context context;
    CountingLoop body(kind_, on_unit);
    RunPlacedLoop(body, kUnits, places, context, *current_slot);
    if (!context.IsCancelled()) {
      for (const int runs : body.runs()) EXPECT_EQ(runs, 1);
    }
    return body.segments();
  }

  static void Brief() {}
  static void Short() { Spin(kShortUnit); }
  static void Long() { Spin(kLongUnit); }
  static void Spin(std::uint64_t ticks) {
    for (const std::uint64_t begin = Ticks(); Ticks() - begin < ticks;) {
    }
  }
  static void Throws() { throw std::runtime_error("each"); }

  // Until a loop is run alone: some of the brief ones may have been interrupted.
  void RepeatUntilAlone(UnitPlaces& places) {
    while (Segments(places, Brief) != 1) {
    }
  }

  LoopKind kind_;

 private:
  Pool pool_{OfThreads(1)};
};

TEST_F(PlacedLoopTest, EachSlotHasAShareUntilItIsKnownThatTheLoopIsBrief) {
  InArenaOf(kSlots, [this] {
    EvenPlaces places(kSlots);
    EXPECT_EQ(Segments(places, Brief), kSlots);
    EXPECT_EQ(Segments(places, Brief), kSlots);
    RepeatUntilAlone(places);
  });
}

TEST_F(PlacedLoopTest, OneThatGetsLongIsPlacedAgain) {
  InArenaOf(kSlots, [this] {
    EvenPlaces places(kSlots);
    RepeatUntilAlone(places);
    // The next one may be the first that is seen to be long.
    Segments(places, Long);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(Segments(places, Long), kSlots);
    // And may get brief again.
    RepeatUntilAlone(places);
  });
}

TEST_F(PlacedLoopTest, OneThatWasNeverBriefIsPlaced) {
  InArenaOf(kSlots, [this] {
    EvenPlaces places(kSlots);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(Segments(places, Long), kSlots);
  });
}

TEST_F(PlacedLoopTest, AmongTwoOneIsPlacedThatOthersWouldFindBrief) {
  InArenaOf(2, [this] {
    EvenPlaces places(2);
    for (int i = 0; i < 50; ++i) EXPECT_EQ(Segments(places, Short), 2u);
#if !FILCH_ADDRESS_SANITIZER && !FILCH_THREAD_SANITIZER  // with which none is so brief
    RepeatUntilAlone(places);
#endif
  });
}

TEST_F(PlacedLoopTest, AmongTwoWhatNobodyComesForRunsAfterTheOwnShare) {
  InArenaOf(2, [this] {
    ASSERT_NO_FATAL_FAILURE(AsIfAwake(*current_slot));
    ASSERT_EQ(current_slot->index, 0);
    LastInFirstSlot places;
    NotingLoop body(kind_, kUnits, [](std::uint32_t unit) {
      // Where a thief finds it sooner than mail.
      EXPECT_EQ(current_slot->deque.HasShared(), unit >= 5) << unit;
    });
    Context context;
    RunPlacedLoop(body, kUnits, places, context, *current_slot);
    EXPECT_EQ(body.order(), (std::vector<std::uint32_t>{5, 6, 7, 0, 1, 2, 3, 4}));
  });
}

TEST_F(PlacedLoopTest, AmongTwoWhatTheOwnShareThrowsDropsTheOther) {
  InArenaOf(2, [this] {
    ASSERT_NO_FATAL_FAILURE(AsIfAwake(*current_slot));
    LastInFirstSlot places;
    NotingLoop body(kind_, kUnits, [](std::uint32_t) { throw std::runtime_error("the first"); });
    Context context;
    RunPlacedLoop(body, kUnits, places, context, *current_slot);
    EXPECT_EQ(body.order(), std::vector<std::uint32_t>{5});
    EXPECT_THROW(context.Rethrow(), std::runtime_error);
  });
}

TEST_F(PlacedLoopTest, OthersKnowNothingOfOnesPlaces) {
  InArenaOf(kSlots, [this] {
    EvenPlaces places(kSlots);
    RepeatUntilAlone(places);
    EvenPlaces others(kSlots);
    EXPECT_EQ(Segments(others, Brief), kSlots);
  });
}

TEST_F(PlacedLoopTest, WhatIsRunAloneIsNoted) {
  InArenaOf(kSlots, [this] {
    EvenPlaces places(kSlots);
    RepeatUntilAlone(places);
    const std::uint32_t before = places.noted();
    Segments(places, Brief);
    EXPECT_EQ(places.noted() - before, kUnits);
  });
}

TEST_F(PlacedLoopTest, WhatWasCutShortIsNotTakenForBrief) {
  InArenaOf(kSlots, [this] {
    EvenPlaces places(kSlots);
    for (int i = 0; i < 1000; ++i) Segments(places, Throws);
    EXPECT_EQ(Segments(places, Long), kSlots);
  });
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
