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

TEST(SpawnedPlentyTest, WhatIsSharedUnaskedCountsUntilItIsTaken) {
  Pool pool(OfThreads(1));
  pool.Execute([] {
    int ran = 0;
    TaskGroup group;
    int spawned = 0;
    for (; !HasSpawnedPlenty() && spawned < 10000; ++spawned) {
      // As a thief does that has waited for long: half of the private tasks are shared.
      pool_internal::CurrentSlot().deque.InsistOnExposure();
      group.Run([&] { ++ran; });
    }
    EXPECT_LE(spawned, 1000);
    group.Wait();
    EXPECT_EQ(ran, spawned);
  });
}

}  // namespace
}  // namespace filch
