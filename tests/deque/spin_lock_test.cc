#include "filch/deque/spin_lock.h"

#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace filch {
namespace {

TEST(SpinLockTest, TryLockFailsWhileItIsHeld) {
  SpinLock<> lock;
  ASSERT_TRUE(lock.TryLock());
  EXPECT_FALSE(lock.TryLock());
  lock.Unlock();
  EXPECT_TRUE(lock.TryLock());
  lock.Unlock();
}

TEST(SpinLockTest, AHolderUnlocksAtItsEnd) {
  SpinLock<> lock;
  { const SpinLockHolder<DequeAtomics> holder(&lock); }
  ASSERT_TRUE(lock.TryLock());
  { const SpinLockHolder<DequeAtomics> holder(&lock, AdoptLock()); }
  EXPECT_TRUE(lock.TryLock());
  lock.Unlock();
}

TEST(SpinLockTest, OneThreadAtATime) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 20000;
  SpinLock<> lock;
  int count = 0;  // plain: only the lock keeps it whole
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kRounds; ++i) {
        const SpinLockHolder<DequeAtomics> holder(&lock);
        ++count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, kThreads * kRounds);
}

}  // namespace
}  // namespace filch
