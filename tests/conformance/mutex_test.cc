#include <oneapi/tbb/mutex.h>
#include <oneapi/tbb/rw_mutex.h>
#include <tbb/null_mutex.h>
#include <tbb/null_rw_mutex.h>
#include <tbb/queuing_mutex.h>
#include <tbb/queuing_rw_mutex.h>
#include <tbb/spin_mutex.h>
#include <tbb/spin_rw_mutex.h>

#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <type_traits>
#include <vector>

#include "gtest/gtest.h"

namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 2000;

template <typename F>
void OnThreads(const F& f) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back([&f, i] { f(i); });
  for (std::thread& thread : threads) thread.join();
}

template <typename Mutex>
class MutexTest : public testing::Test {};
using Mutexes = testing::Types<tbb::mutex, tbb::spin_mutex, tbb::speculative_spin_mutex,
                               tbb::rw_mutex, tbb::spin_rw_mutex, tbb::speculative_spin_rw_mutex>;
TYPED_TEST_SUITE(MutexTest, Mutexes);

TYPED_TEST(MutexTest, OneThreadAtATime) {
  TypeParam mutex;
  int count = 0;
  OnThreads([&](int) {
    for (int i = 0; i < kRounds; ++i) {
      const typename TypeParam::scoped_lock lock(mutex);
      ++count;
    }
  });
  EXPECT_EQ(count, kThreads * kRounds);
}

TYPED_TEST(MutexTest, IsOneOfTheStandardLibrary) {
  TypeParam mutex;
  TypeParam other;
  int count = 0;
  OnThreads([&](int thread) {
    for (int i = 0; i < kRounds; ++i) {
      if (thread % 2 == 0) {
        const std::scoped_lock lock(mutex, other);
        ++count;
      } else {
        const std::scoped_lock lock(other, mutex);
        ++count;
      }
    }
  });
  EXPECT_EQ(count, kThreads * kRounds);
  EXPECT_TRUE(mutex.try_lock());
  EXPECT_FALSE(std::unique_lock<TypeParam>(mutex, std::try_to_lock).owns_lock());
  mutex.unlock();
}

TYPED_TEST(MutexTest, ScopedLocksAcquireTryAndRelease) {
  TypeParam mutex;
  typename TypeParam::scoped_lock lock;
  lock.acquire(mutex);
  typename TypeParam::scoped_lock other;
  EXPECT_FALSE(other.try_acquire(mutex));
  lock.release();
  EXPECT_TRUE(other.try_acquire(mutex));
  other.release();
  lock.acquire(mutex);
}

TYPED_TEST(MutexTest, SaysWhatItIs) {
  EXPECT_FALSE(TypeParam::is_recursive_mutex);
  EXPECT_FALSE(TypeParam::is_fair_mutex);
  static_assert(!std::is_copy_constructible_v<TypeParam>);
  static_assert(!std::is_copy_assignable_v<TypeParam>);
}

template <typename Mutex>
class RwMutexTest : public testing::Test {};
using RwMutexes = testing::Types<tbb::rw_mutex, tbb::spin_rw_mutex, tbb::speculative_spin_rw_mutex>;
TYPED_TEST_SUITE(RwMutexTest, RwMutexes);

TYPED_TEST(RwMutexTest, ReadersShareAndKeepWritersOut) {
  TypeParam mutex;
  EXPECT_TRUE(TypeParam::is_rw_mutex);
  const std::shared_lock<TypeParam> one(mutex);
  EXPECT_TRUE(mutex.try_lock_shared());
  EXPECT_FALSE(mutex.try_lock());
  mutex.unlock_shared();
}

TYPED_TEST(RwMutexTest, WritersAreAloneAndReadersSeeWholeWrites) {
  TypeParam mutex;
  int a = 0;
  int b = 0;
  OnThreads([&](int) {
    for (int i = 0; i < kRounds; ++i) {
      typename TypeParam::scoped_lock lock(mutex, i % 4 == 0);
      if (lock.is_writer()) {
        ++a;
        ++b;
      } else {
        EXPECT_EQ(a, b);
      }
    }
  });
  EXPECT_EQ(a, kThreads * kRounds / 4);
}

TYPED_TEST(RwMutexTest, AnUpgradeThatSaysSoLetNobodyIn) {
  TypeParam mutex;
  int count = 0;
  OnThreads([&](int) {
    for (int i = 0; i < kRounds; ++i) {
      typename TypeParam::scoped_lock lock(mutex, /*write=*/false);
      const int seen = count;
      if (lock.upgrade_to_writer()) {
        EXPECT_EQ(seen, count);
      }
      EXPECT_TRUE(lock.is_writer());
      ++count;
      const int mine = count;
      if (lock.downgrade_to_reader()) {
        EXPECT_EQ(mine, count);
      }
      EXPECT_FALSE(lock.is_writer());
    }
  });
  EXPECT_EQ(count, kThreads * kRounds);
}

TYPED_TEST(RwMutexTest, OneReaderUpgradesAtOnce) {
  TypeParam mutex;
  typename TypeParam::scoped_lock lock(mutex, false);
  EXPECT_TRUE(lock.upgrade_to_writer());
  EXPECT_TRUE(lock.upgrade_to_writer());
  EXPECT_FALSE(mutex.try_lock_shared());
  EXPECT_TRUE(lock.downgrade_to_reader());
  EXPECT_TRUE(mutex.try_lock_shared());
  mutex.unlock_shared();
}

TEST(NullMutexTest, NeverWaits) {
  tbb::null_mutex mutex;
  const tbb::null_mutex::scoped_lock one(mutex);
  tbb::null_mutex::scoped_lock two;
  EXPECT_TRUE(two.try_acquire(mutex));
  EXPECT_TRUE(mutex.try_lock());
  tbb::null_rw_mutex shared;
  tbb::null_rw_mutex::scoped_lock writer(shared, true);
  tbb::null_rw_mutex::scoped_lock reader(shared, false);
  EXPECT_TRUE(reader.upgrade_to_writer());
  EXPECT_TRUE(reader.downgrade_to_reader());
  EXPECT_TRUE(shared.try_lock_shared());
}

template <typename Mutex>
class ImplicitLockTest : public ::testing::Test {};
using AllMutexes = ::testing::Types<tbb::spin_mutex, tbb::spin_rw_mutex, tbb::queuing_mutex,
                                    tbb::queuing_rw_mutex, tbb::null_mutex, tbb::null_rw_mutex,
                                    tbb::speculative_spin_mutex, tbb::speculative_spin_rw_mutex>;
TYPED_TEST_SUITE(ImplicitLockTest, AllMutexes);

TYPED_TEST(ImplicitLockTest, IsMadeOfAMutexWithoutNamingTheType) {
  TypeParam mutex;
  { [[maybe_unused]] typename TypeParam::scoped_lock lock = {mutex}; }
  typename TypeParam::scoped_lock again;
  EXPECT_TRUE(again.try_acquire(mutex));
}

}  // namespace
