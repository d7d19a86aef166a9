#include "filch/pool/stream_start.h"

#include <cstdint>
#include <thread>

#include "filch/pool/arena.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/execute.h"
#include "filch/pool/pool.h"
#include "filch/pool/slot.h"
#include "filch/pool/stream_help.h"
#include "filch/pool/stream_visit.h"
#include "filch/pool/task_group.h"
#include "gtest/gtest.h"
#include "tests/pool/of_threads.h"

namespace filch {
namespace {

constexpr std::uint64_t kKind = 7;
constexpr std::uint64_t kItems = 100;
constexpr std::uint64_t kQuick = 10000;
constexpr std::uint64_t kSlow = 20000;

// Each test has a thread of its own, which remembers nothing.
class StreamStartTest : public testing::Test {
 protected:
  template <typename F>
  static void OnNewThread(const F& f) {
    std::thread(f).join();
  }

  // Runs `streams` streams, which take so long if they begin with one thread, or with several. How
  // many begin with one.
  static int CountAlone(int streams, std::uint64_t alone, std::uint64_t together) {
    int count = 0;
    for (int i = 0; i < streams; ++i) {
      const StreamStart start(kKind, 5);
      count += start.alone() ? 1 : 0;
      start.NoteEnd(kItems, 5 + (start.alone() ? alone : together));
    }
    return count;
  }
};

TEST_F(StreamStartTest, BeginsAloneWhereThatWasFaster) {
  OnNewThread([] { EXPECT_EQ(CountAlone(10, kQuick, kSlow), 9); });
}

TEST_F(StreamStartTest, OthersComeAtOnceWhereThatWasFaster) {
  OnNewThread([] { EXPECT_EQ(CountAlone(10, kSlow, kQuick), 1) << "to find out"; });
}

TEST_F(StreamStartTest, WhatWasCutShortSaysNothing) {
  OnNewThread([] {
    for (int i = 0; i < 10; ++i) EXPECT_FALSE(StreamStart(kKind).alone());
  });
}

TEST_F(StreamStartTest, OthersGetNothingAtFirstOfOneThatBeginsAlone) {
  OnNewThread([] {
    Pool pool(OfThreads(1));
    Arena& arena = pool.AcquireArena({2, 2, Priority::kNormal});
    ExecuteIn(arena, [] {
      const std::uint64_t& until = pool_internal::CurrentSlot().withheld_until;
      for (const bool alone : {false, true}) {
        {
          const StreamStart start(kKind, 5);
          EXPECT_EQ(start.alone(), alone);
          EXPECT_EQ(until != 0, alone);
          start.NoteEnd(kItems, 5 + kQuick);
        }
        EXPECT_EQ(until, 0u);
      }
    });
    pool.ReleaseArena(arena);
  });
}

TEST_F(StreamStartTest, WhatWasSpawnedBeforeIsNotWithheld) {
  OnNewThread([] {
    Pool pool(OfThreads(1));
    Arena& arena = pool.AcquireArena({2, 2, Priority::kNormal});
    ExecuteIn(arena, [] {
      EXPECT_EQ(CountAlone(2, kQuick, kSlow), 1);
      TaskGroup group;
      // The first one in an arena may be shared.
      for (int i = 0; i < 2; ++i) group.Run([] {});
      {
        const StreamStart start(kKind, 5);
        EXPECT_TRUE(start.alone());
        EXPECT_EQ(pool_internal::CurrentSlot().withheld_until, 0u);
      }
      group.Wait();
    });
    pool.ReleaseArena(arena);
  });
}

TEST_F(StreamStartTest, WhoHasStartedOneIsBackAtWhatItHelpedWith) {
  OnNewThread([] {
    StreamVisit& visit = StreamHelp::OwnVisit();
    StreamHelp outer(false, 0);
    outer.Join(visit, 0, 0);
    visit.items = 3;
    {
      const StreamStart start(kKind);
      StreamHelp inner(false, 0);
      inner.Join(visit, 0, 0);
      EXPECT_FALSE(outer.IsAt(visit));
    }
    EXPECT_TRUE(outer.IsAt(visit));
    EXPECT_EQ(visit.items, 3u);
  });
}

TEST_F(StreamStartTest, ForAnotherNumberOfThreadsItIsFoundOutAnew) {
  OnNewThread([] {
    Pool pool(OfThreads(1));
    for (const int slots : {2, 3}) {
      Arena& arena = pool.AcquireArena({slots, slots, Priority::kNormal});
      ExecuteIn(arena, [&] { EXPECT_EQ(CountAlone(2, kQuick, kSlow), 1) << slots; });
      pool.ReleaseArena(arena);
    }
  });
}

}  // namespace
}  // namespace filch
