#include "filch/pool/sleeping_rw_lock.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

#include "filch/pool/pool_atomics.h"
#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

TEST(SleepingRwLockTest, IsFourBytes) { EXPECT_EQ(sizeof(SleepingRwLock), 4u); }

TEST(SleepingRwLockTest, ReadersShareAndWritersDoNot) {
  SleepingRwLock lock;
  ASSERT_TRUE(lock.try_lock_shared());
  ASSERT_TRUE(lock.try_lock_shared());
  EXPECT_FALSE(lock.try_lock());
  lock.unlock();  // whichever of the two
  lock.unlock_shared();
  ASSERT_TRUE(lock.try_lock());
  EXPECT_FALSE(lock.try_lock());
  EXPECT_FALSE(lock.try_lock_shared());
  lock.unlock();
}

TEST(SleepingRwLockTest, TheOnlyReaderBecomesTheWriterAndBack) {
  SleepingRwLock lock;
  lock.lock_shared();
  EXPECT_TRUE(lock.Upgrade());
  EXPECT_FALSE(lock.try_lock_shared());
  lock.Downgrade();
  EXPECT_TRUE(lock.try_lock_shared());
  lock.unlock_shared();
  lock.unlock_shared();
  EXPECT_TRUE(lock.try_lock());
}

// Who sleeps is held until the test lets all go on, whoever wakes them.
struct HeldWaiting : RwLockWaiting {
  static constexpr unsigned kLooks = 1;
  static constexpr unsigned kPatience = 1;

  static void Wait(const std::atomic<std::uint32_t>&, std::uint32_t) {
    ++asleep;
    while (!may_go_on) std::this_thread::yield();
  }

  static inline std::atomic<int> asleep{0};
  static inline std::atomic<bool> may_go_on{false};
};

TEST(SleepingRwLockTest, AReaderDoesNotOvertakeAWriterThatIsBeingWoken) {
  BasicSleepingRwLock<PoolAtomics, HeldWaiting> lock;
  std::atomic<bool> has_read{false};
  bool has_written = false;
  HeldWaiting::asleep = 0;
  HeldWaiting::may_go_on = false;
  lock.lock_shared();
  std::thread writer([&] {
    lock.lock();
    has_written = true;
    lock.unlock();
  });
  while (HeldWaiting::asleep == 0) std::this_thread::yield();
  lock.unlock_shared();  // wakes it
  std::thread reader([&] {
    lock.lock_shared();
    EXPECT_TRUE(has_written);
    lock.unlock_shared();
    has_read = true;
  });
  while (HeldWaiting::asleep == 1 && !has_read) std::this_thread::yield();
  HeldWaiting::may_go_on = true;
  writer.join();
  reader.join();
}

// Everything at once: writers, readers, those who become the other, those who only try.
TEST(SleepingRwLockTest, ReadersSeeWholeWrites) {
  constexpr int kThreads = 8;
  constexpr int kTimes = 6000;
  SleepingRwLock lock;
  int first = 0;
  int second = 0;
  std::atomic<int> writes{0};
  std::atomic<int> torn{0};
  const auto write = [&] {
    ++first;
    ++second;
    writes.fetch_add(1, std::memory_order_relaxed);
  };
  const auto read = [&] {
    if (first != second) torn.fetch_add(1, std::memory_order_relaxed);
    return first;
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kTimes; ++i) {
        switch ((t + i) % 8) {
          case 0: {
            const std::lock_guard<SleepingRwLock> guard(lock);
            write();
            break;
          }
          case 1: {
            lock.lock_shared();
            const int seen = read();
            if (lock.Upgrade() && read() != seen) torn.fetch_add(1, std::memory_order_relaxed);
            write();
            lock.unlock();
            break;
          }
          case 2: {
            lock.lock();
            write();
            lock.Downgrade();
            read();
            lock.unlock_shared();
            break;
          }
          case 3:
            if (lock.try_lock()) {
              write();
              lock.unlock();
            }
            break;
          default: {
            const std::shared_lock<SleepingRwLock> guard(lock);
            read();
          }
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(torn.load(), 0);
  EXPECT_EQ(first, writes.load());
  EXPECT_TRUE(lock.try_lock());
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
