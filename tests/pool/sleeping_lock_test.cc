#include "filch/pool/sleeping_lock.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "filch/pool/lock_sleepers.h"
#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

TEST(SleepingLockTest, IsFourBytes) { EXPECT_EQ(sizeof(SleepingLock), 4u); }

TEST(SleepingLockTest, WhatIsHeldIsNotGivenAway) {
  SleepingLock lock;
  ASSERT_TRUE(lock.try_lock());
  EXPECT_FALSE(lock.try_lock());
  lock.unlock();
  ASSERT_TRUE(lock.try_lock());
  lock.unlock();
}

TEST(SleepingLockTest, OneOwnerAtATime) {
  constexpr int kThreads = 8;
  constexpr int kTimes = 20000;
  SleepingLock lock;
  int count = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kTimes; ++i) {
        const std::lock_guard<SleepingLock> guard(lock);
        ++count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, kThreads * kTimes);
}

// More locks than counters of sleepers: some share one.
TEST(SleepingLockTest, ManyLocksAtATime) {
  constexpr int kLocks = 1000;
  std::vector<SleepingLock> locks(kLocks);
  std::array<int, kLocks> counts{};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50 * kLocks; ++i) {
        const std::lock_guard<SleepingLock> guard(locks[i % kLocks]);
        ++counts[i % kLocks];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int count : counts) EXPECT_EQ(count, 200);
}

// With an address sanitizer, a look at the lock after it was unlocked is an error.
TEST(SleepingLockTest, TheNextOwnerMayDestroyIt) {
  for (int i = 0; i < 2000; ++i) {
    auto* const lock = new SleepingLock;
    lock->lock();
    std::thread heir([lock] {
      lock->lock();
      lock->unlock();
      delete lock;
    });
    lock->unlock();
    heir.join();
  }
}

TEST(SleepingLockTest, NobodyIsCountedWhenAllIsOver) {
  SleepingLock lock;
  const std::uint32_t before = LockSleepers::Of(&lock).load(std::memory_order_relaxed);
  lock.lock();
  std::thread waiter([&] {
    lock.lock();
    lock.unlock();
  });
  // It sleeps in the end; nothing else counts it.
  while (LockSleepers::Of(&lock).load(std::memory_order_relaxed) == before) {
    std::this_thread::yield();
  }
  lock.unlock();
  waiter.join();
  EXPECT_EQ(LockSleepers::Of(&lock).load(std::memory_order_relaxed), before);
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
