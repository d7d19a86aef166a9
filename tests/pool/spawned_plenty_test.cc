#include "filch/pool/spawned_plenty.h"

#include "filch/pool/current_slot.h"
#include "filch/pool/pool.h"
#include "filch/pool/slot.h"
#include "filch/pool/task_group.h"
#include "gtest/gtest.h"
#include "tests/pool/of_threads.h"

namespace filch {
namespace {

TEST(SpawnedPlentyTest, IsPlentyAfterMany) {
  Pool pool(OfThreads(1));
  pool.Execute([] {
    int ran = 0;
    TaskGroup group;
    int spawned = 0;
    for (; !HasSpawnedPlenty() && spawned < 10000; ++spawned) group.Run([&] { ++ran; });
    EXPECT_GE(spawned, 32);  // enough for others to come for
    EXPECT_LE(spawned, 1000);
    EXPECT_TRUE(HasSpawnedPlenty());
    EXPECT_EQ(ran, 0);
    group.Wait();
    EXPECT_EQ(ran, spawned);
    EXPECT_FALSE(HasSpawnedPlenty());
  });
}

TEST(SpawnedPlentyTest, OthersGetWhatTheyAskFor) {
  Pool pool(OfThreads(1));
  pool.Execute([] {
    int ran = 0;
    TaskGroup group;
    while (!HasSpawnedPlenty()) group.Run([&] { ++ran; });
    auto& deque = pool_internal::CurrentSlot().deque;
    const auto before = deque.private_size();
    deque.RequestExposure();  // as a thief does
    EXPECT_TRUE(HasSpawnedPlenty());
    EXPECT_LE(deque.private_size(), before / 2);
    EXPECT_FALSE(HasSpawnedPlenty());
    group.Wait();
  });
}

// How many tasks a thread spawns until it is plenty, 10000 at most, if share(deque) is called
// before each, and nobody comes for what is shared.
template <typename Share>
int SpawnedUntilPlenty(const Share& share) {
  Pool pool(OfThreads(1));
  return pool.Execute([&share] {
    int ran = 0;
    TaskGroup group;
    int spawned = 0;
    for (; !HasSpawnedPlenty() && spawned < 10000; ++spawned) {
      share(pool_internal::CurrentSlot().deque);
      group.Run([&] { ++ran; });
    }
    group.Wait();
    EXPECT_EQ(ran, spawned);
    return spawned;
  });
}

TEST(SpawnedPlentyTest, WhatIsSharedUnaskedCountsUntilItIsTaken) {
  // As a thief does that has waited for long.
  EXPECT_LE(SpawnedUntilPlenty([](auto& deque) { deque.InsistOnExposure(); }), 1000);
}

TEST(SpawnedPlentyTest, WhatIsSharedWhenSleepersAreCalledCountsUntilItIsTaken) {
  EXPECT_LE(SpawnedUntilPlenty([](auto& deque) { deque.Expose(); }), 1000);
}

}  // namespace
}  // namespace filch
