#include "filch/pool/share_spawned.h"

#include <atomic>
#include <cstdint>
#include <thread>

#include "filch/pool/arena.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/execute.h"
#include "filch/pool/pool.h"
#include "filch/pool/slot.h"
#include "filch/pool/task_group.h"
#include "gtest/gtest.h"
#include "tests/pool/of_threads.h"

namespace filch {
namespace {

int PrivateTasks() { return static_cast<int>(pool_internal::CurrentSlot().deque.private_size()); }

TEST(ShareSpawnedTest, OthersNeedNotAsk) {
  Pool pool(OfThreads(2));
  pool.Execute([] {
    std::atomic<bool> is_busy{false};
    std::atomic<bool> may_end{false};
    TaskGroup group;
    // The worker is busy, and has asked for one more at most when it took that.
    group.Run([&] {
      is_busy = true;
      while (!may_end) std::this_thread::yield();
    });
    while (!is_busy) std::this_thread::yield();
    // Who came may have looked like one who could still be called.
    pool_internal::CurrentSlot().eager_sharing = {};
    std::atomic<int> ran{0};
    for (int i = 0; i < 4; ++i) group.Run([&] { ++ran; });
    const int before = PrivateTasks();
    EXPECT_GE(before, 3);
    ShareSpawned();
    EXPECT_EQ(PrivateTasks(), before / 2);
    ShareSpawned();
    ShareSpawned();
    EXPECT_EQ(PrivateTasks(), 0);
    ShareSpawned();  // nothing is left

    may_end = true;
    while (ran != 4) std::this_thread::yield();  // without a word from this thread
    group.Wait();
  });
}

TEST(ShareSpawnedTest, AllOfItAtOnce) {
  Pool pool(OfThreads(1));
  Arena& arena = pool.AcquireArena({2, 2, Priority::kNormal});
  ExecuteIn(arena, [] {
    int ran = 0;
    TaskGroup group;
    for (int i = 0; i < 100; ++i) group.Run([&] { ++ran; });
    EXPECT_GE(PrivateTasks(), 90);
    ShareAllSpawned();
    EXPECT_EQ(PrivateTasks(), 0);
    ShareAllSpawned();  // nothing is left
    group.Wait();
    EXPECT_EQ(ran, 100);
  });
  pool.ReleaseArena(arena);
}

TEST(ShareSpawnedTest, OrOnlyIfSomebodyHasAsked) {
  Pool pool(OfThreads(1));
  Arena& arena = pool.AcquireArena({2, 2, Priority::kNormal});
  ExecuteIn(arena, [] {
    pool_internal::Slot& slot = pool_internal::CurrentSlot();
    int ran = 0;
    TaskGroup group;
    for (int i = 0; i < 3; ++i) group.Run([&] { ++ran; });
    slot.deque.DropRequest();
    const int before = PrivateTasks();
    EXPECT_GE(before, 2);
    ShareSpawnedIfAsked();
    EXPECT_EQ(PrivateTasks(), before);
    slot.withheld_until = ~std::uint64_t{0};
    slot.deque.RequestExposure();
    ShareSpawnedIfAsked();
    EXPECT_EQ(PrivateTasks(), before);
    slot.withheld_until = 0;
    ShareSpawnedIfAsked();
    EXPECT_LT(PrivateTasks(), before);
    group.Wait();
    EXPECT_EQ(ran, 3);
  });
  pool.ReleaseArena(arena);
}

TEST(ShareSpawnedTest, WhereNobodyElseComesNothingIsShared) {
  Pool pool(OfThreads(1));
  pool.Execute([] {
    int ran = 0;
    TaskGroup group;
    for (int i = 0; i < 3; ++i) group.Run([&] { ++ran; });
    const int before = PrivateTasks();
    EXPECT_GE(before, 2);  // the first one may be for sleepers
    ShareSpawned();
    ShareAllSpawned();
    EXPECT_EQ(PrivateTasks(), before);
    group.Wait();
    EXPECT_EQ(ran, 3);
  });
}

}  // namespace
}  // namespace filch
