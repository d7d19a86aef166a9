#include "filch/pool/stream_start.h"

#include <cstdint>
#include <thread>

#include "filch/pool/arena.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/execute.h"
#include "filch/pool/pool.h"
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
