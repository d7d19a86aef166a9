#include "filch/pool/eager_sharing.h"

#include <atomic>
#include <cstdint>
#include <thread>

#include "filch/pool/current_slot.h"
#include "filch/pool/idle_mode.h"
#include "filch/pool/pool.h"
#include "filch/pool/slot.h"
#include "filch/pool/task_group.h"
#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

constexpr std::uint64_t kSecond = 1000000000;

// How often the thread shares unasked if it spawns something every `interval`.
int SharedAtMost(EagerSharing& sharing, std::uint64_t now, std::uint64_t interval, int most) {
  int shared = 0;
  for (; shared < most && sharing.active(); ++shared) sharing.Shared(now += interval);
  return shared;
}

TEST(EagerSharingTest, BeginsWhenSomebodyHasWaited) {
  EagerSharing sharing;
  EXPECT_FALSE(sharing.active());
  sharing.Begin(kSecond);
  EXPECT_TRUE(sharing.active());
}

TEST(EagerSharingTest, GoesOnWhileTheThreadSpawnsRarely) {
  EagerSharing sharing;
  sharing.Begin(kSecond);
  EXPECT_EQ(SharedAtMost(sharing, kSecond, 5000, 1000), 1000);
}

TEST(EagerSharingTest, IsOverSoonIfTheThreadSpawnsOften) {
  EagerSharing sharing;
  sharing.Begin(kSecond);
  // Who goes down to a leaf spawns some at once.
  const int shared = SharedAtMost(sharing, kSecond, 10, 1000);
  EXPECT_GE(shared, 10);
  EXPECT_LE(shared, 20);
  EXPECT_FALSE(sharing.active());
}

TEST(EagerSharingTest, APauseDoesNotPayForMore) {
  EagerSharing sharing;
  sharing.Begin(kSecond);
  sharing.Shared(kSecond);
  EXPECT_LE(SharedAtMost(sharing, 100 * kSecond, 10, 1000), 20);
}

TEST(EagerSharingTest, BeginsAnewAfterItWasOver) {
  EagerSharing sharing;
  sharing.Begin(kSecond);
  SharedAtMost(sharing, kSecond, 10, 1000);
  sharing.Begin(2 * kSecond);
  EXPECT_TRUE(sharing.active());
}

// Calls test(slot, spawn) on the only thread of a pool, where spawn() spawns a task into its
// slot.  Returns how many have run.
template <typename Test>
int RunsOfLoneSpawner(const Test& test) {
  PoolOptions options;
  options.concurrency = 1;  // who insists is the test
  Pool pool(options);
  int ran = 0;
  pool.Execute([&] {
    TaskGroup group;
    test(CurrentSlot(), [&] { group.Run([&ran] { ++ran; }); });
    group.Wait();
  });
  return ran;
}

TEST(EagerSharingTest, AThreadThatWasInsistedOnSharesUnasked) {
  const int ran = RunsOfLoneSpawner([](Slot& slot, const auto& spawn) {
    spawn();  // the first one may be for sleepers
    spawn();
    EXPECT_GT(slot.deque.private_size(), 0);
    slot.deque.RequestExposure();
    spawn();
    EXPECT_FALSE(slot.deque.exposure_requested());
    EXPECT_FALSE(slot.eager_sharing.active());

    slot.deque.InsistOnExposure();
    spawn();
    EXPECT_TRUE(slot.eager_sharing.active());
    for (int i = 0; i < 5; ++i) {
      const std::int64_t before = slot.stats.exposures.Read();
      spawn();
      EXPECT_EQ(slot.stats.exposures.Read(), before + 1);
    }
    // But nobody wants it.
    EXPECT_TRUE(slot.NeedsAttention());
    EXPECT_FALSE(slot.WorkIsWanted());
    slot.deque.RequestExposure();
    EXPECT_TRUE(slot.WorkIsWanted());
  });
  EXPECT_EQ(ran, 9);
}

TEST(EagerSharingTest, AThiefThatFindsNothingForLongInsists) {
  PoolOptions options;
  options.concurrency = 2;
  options.idle = IdleMode::kBalanced;  // one that looks for some time
  Pool pool(options);
  pool.Execute([] {
    Slot& slot = CurrentSlot();
    TaskGroup group;
    std::atomic<bool> is_busy{false};
    std::atomic<bool> may_look{false};
    // When the worker takes this it asks for one more, and for no other until it looks.
    group.Run([&] {
      is_busy = true;
      while (!may_look) std::this_thread::yield();
    });
    while (!is_busy) std::this_thread::yield();
    // Who came may have looked like one who could still be called.
    slot.eager_sharing = {};
    std::atomic<int> ran{0};
    for (int i = 0; i < 8; ++i) group.Run([&] { ++ran; });
    EXPECT_FALSE(slot.eager_sharing.active());
    may_look = true;
    while (slot.deque.request_word() != decltype(slot.deque)::kByInsistentThief) {
      std::this_thread::yield();
    }
    // Until it is served it may have forced the thread to share what there was.
    for (int i = 0; i < 2; ++i) group.Run([&] { ++ran; });
    EXPECT_TRUE(slot.eager_sharing.active());
    group.Wait();
    EXPECT_EQ(ran, 10);
  });
}

TEST(EagerSharingTest, WhatIsSharedAnywayAnswersAThiefAndAsksAgain) {
  const int ran = RunsOfLoneSpawner([](Slot& slot, const auto& spawn) {
    for (int i = 0; i < 3; ++i) spawn();  // the first one may be for sleepers
    slot.deque.InsistOnExposure();
    slot.ShareSome();
    EXPECT_TRUE(slot.eager_sharing.active());
    EXPECT_TRUE(slot.deque.exposure_requested());
    EXPECT_FALSE(slot.WorkIsWanted());
  });
  EXPECT_EQ(ran, 3);
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
