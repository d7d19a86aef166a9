#include "filch/pool/default_pool.h"

#include <cstdlib>
#include <thread>

#include "filch/pool/arena.h"
#include "filch/pool/current_arena.h"
#include "filch/pool/enqueue.h"
#include "filch/pool/pool.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

int preparations = 0;

TEST(DefaultPoolTest, TheEnvironmentSaysWhatIdleWorkersDo) {
  // Before the first use of the pool, and no other thread is there yet.
  setenv("FILCH_NUM_THREADS", "3", 1);
  setenv("FILCH_IDLE", "latency", 1);
  BeforeDefaultPool([] { ++preparations; });
  EXPECT_EQ(preparations, 0);
  EXPECT_EQ(DefaultPool().concurrency(), 3);
  EXPECT_EQ(preparations, 1);
  DefaultPool();
  EXPECT_EQ(preparations, 1);
  Enqueue(CurrentArena(), [] {});
  // If no worker stayed on the lookout, this would not end.
  while (DefaultPool().Stats().lookouts == 0) std::this_thread::yield();
}

TEST(DefaultPoolTest, WhatShouldComeBeforeItComesAtOnceIfItIsThere) {
  DefaultPool();
  const int before = preparations;
  BeforeDefaultPool([] { ++preparations; });
  EXPECT_EQ(preparations, before + 1);
}

TEST(DefaultPoolTest, HasThreadsLeaveFastThatComeWhenItIsAskedTo) {
  bool fast = false;
  const auto come = [&fast] { fast = CurrentArena().options().leave_fast; };
  DefaultPool().SetLeaveFast(true);
  std::thread(come).join();
  EXPECT_TRUE(fast);
  DefaultPool().SetLeaveFast(false);
  std::thread(come).join();
  EXPECT_FALSE(fast);
}

TEST(DefaultPoolTest, IsTheSameForEverybody) {
  const Pool* elsewhere = nullptr;
  std::thread([&] { elsewhere = &DefaultPool(); }).join();
  EXPECT_EQ(elsewhere, &DefaultPool());
}

}  // namespace
}  // namespace filch
