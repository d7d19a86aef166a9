#include <tbb/profiling.h>
#include <tbb/queuing_mutex.h>
#include <tbb/queuing_rw_mutex.h>
#include <tbb/spin_mutex.h>
#include <tbb/spin_rw_mutex.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/on_onetbb.h"

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
class QueuingMutexTest : public testing::Test {};
using Mutexes = testing::Types<tbb::queuing_mutex, tbb::queuing_rw_mutex>;
TYPED_TEST_SUITE(QueuingMutexTest, Mutexes);

TYPED_TEST(QueuingMutexTest, SaysWhatItIs) {
  EXPECT_TRUE(TypeParam::is_fair_mutex);
  EXPECT_FALSE(TypeParam::is_recursive_mutex);
  EXPECT_EQ(TypeParam::is_rw_mutex, (std::is_same_v<TypeParam, tbb::queuing_rw_mutex>));
  static_assert(!std::is_copy_constructible_v<TypeParam>);
  static_assert(!std::is_copy_assignable_v<TypeParam>);
  static_assert(!std::is_copy_constructible_v<typename TypeParam::scoped_lock>);
}

TYPED_TEST(QueuingMutexTest, OneThreadAtATime) {
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

TYPED_TEST(QueuingMutexTest, OneLockIsUsedAgain) {
  TypeParam mutex;
  int count = 0;
  OnThreads([&](int thread) {
    typename TypeParam::scoped_lock lock;
    for (int i = 0; i < kRounds; ++i) {
      if (thread % 2 == 0) {
        lock.acquire(mutex);
      } else {
        while (!lock.try_acquire(mutex)) std::this_thread::yield();
      }
      ++count;
      lock.release();
    }
  });
  EXPECT_EQ(count, kThreads * kRounds);
}

TYPED_TEST(QueuingMutexTest, TryAcquireFailsWhileItIsHeld) {
  TypeParam mutex;
  typename TypeParam::scoped_lock lock;
  EXPECT_TRUE(lock.try_acquire(mutex));
  typename TypeParam::scoped_lock other;
  EXPECT_FALSE(other.try_acquire(mutex));
  lock.release();
  EXPECT_TRUE(other.try_acquire(mutex));
}

// The last one to unlock destroys the mutex, as objects with a count do.
TYPED_TEST(QueuingMutexTest, MayBeDestroyedByTheLastWhoUnlocked) {
  struct Shared {
    TypeParam mutex;
    int users = kThreads;
  };
  for (int round = 0; round < 100; ++round) {
    auto* const shared = new Shared;
    OnThreads([shared](int) {
      bool last = false;
      {
        const typename TypeParam::scoped_lock lock(shared->mutex);
        last = --shared->users == 0;
      }
      if (last) delete shared;
    });
  }
}

// Nobody starves, however often the others come back.
TYPED_TEST(QueuingMutexTest, EveryThreadGetsItsTurn) {
  TypeParam mutex;
  std::atomic<int> unfinished{kThreads};
  OnThreads([&](int) {
    for (int mine = 1; unfinished.load() > 0; ++mine) {
      const typename TypeParam::scoped_lock lock(mutex);
      if (mine == 200) --unfinished;
    }
  });
  EXPECT_EQ(unfinished, 0);
}

TEST(QueuingRwMutexTest, ReadersShareAndKeepWritersOut) {
  tbb::queuing_rw_mutex mutex;
  const tbb::queuing_rw_mutex::scoped_lock one(mutex, false);
  const tbb::queuing_rw_mutex::scoped_lock two(mutex, false);
  EXPECT_FALSE(two.is_writer());
  tbb::queuing_rw_mutex::scoped_lock writer;
  EXPECT_FALSE(writer.try_acquire(mutex, true));
  EXPECT_FALSE(writer.try_acquire(mutex));
}

// Whether a reader that does not want to wait gets in beside others is the library's affair;
// once it is in, it is a reader.
TEST(QueuingRwMutexTest, AReaderThatTriesSharesOrIsRefused) {
  tbb::queuing_rw_mutex mutex;
  tbb::queuing_rw_mutex::scoped_lock first(mutex, /*write=*/false);
  tbb::queuing_rw_mutex::scoped_lock second;
  const bool shares = second.try_acquire(mutex, /*write=*/false);
  if (!kOnOneTbb) {
    EXPECT_TRUE(shares);
  }
  first.release();
  tbb::queuing_rw_mutex::scoped_lock writer;
  EXPECT_EQ(writer.try_acquire(mutex), !shares);
  if (!shares) return;
  EXPECT_FALSE(second.is_writer());
  second.release();
  EXPECT_TRUE(writer.try_acquire(mutex));
}

TEST(QueuingRwMutexTest, WritersAreAloneAndReadersSeeWholeWrites) {
  tbb::queuing_rw_mutex mutex;
  int a = 0;
  int b = 0;
  OnThreads([&](int) {
    for (int i = 0; i < kRounds; ++i) {
      const tbb::queuing_rw_mutex::scoped_lock lock(mutex, i % 4 == 0);
      if (i % 4 == 0) {
        ++a;
        ++b;
      } else {
        EXPECT_EQ(a, b);
      }
    }
  });
  EXPECT_EQ(a, kThreads * kRounds / 4);
}

TEST(QueuingRwMutexTest, AnUpgradeThatSaysSoLetNobodyIn) {
  tbb::queuing_rw_mutex mutex;
  int count = 0;
  OnThreads([&](int) {
    for (int i = 0; i < kRounds; ++i) {
      tbb::queuing_rw_mutex::scoped_lock lock(mutex, /*write=*/false);
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

TEST(QueuingRwMutexTest, OneReaderUpgradesAtOnceAndComesBack) {
  tbb::queuing_rw_mutex mutex;
  tbb::queuing_rw_mutex::scoped_lock lock(mutex, false);
  EXPECT_TRUE(lock.upgrade_to_writer());
  EXPECT_TRUE(lock.is_writer());
  tbb::queuing_rw_mutex::scoped_lock reader;
  EXPECT_FALSE(reader.try_acquire(mutex, false));
  EXPECT_TRUE(lock.downgrade_to_reader());
  EXPECT_FALSE(lock.is_writer());
  reader.acquire(mutex, false);
}

TEST(QueuingRwMutexTest, AWriterThatWaitsComesBeforeLaterReaders) {
  if (kOnOneTbb) GTEST_SKIP() << "try_acquire fails beside any reader, so it does not tell";
  tbb::queuing_rw_mutex mutex;
  bool written = false;
  auto first = std::make_unique<tbb::queuing_rw_mutex::scoped_lock>(mutex, false);
  std::thread writer([&] {
    const tbb::queuing_rw_mutex::scoped_lock lock(mutex, true);
    written = true;
  });
  // A reader is let in beside `first` until the writer has come.
  for (;;) {
    tbb::queuing_rw_mutex::scoped_lock probe;
    if (!probe.try_acquire(mutex, false)) break;
    probe.release();
    std::this_thread::yield();
  }
  std::thread reader([&] {
    const tbb::queuing_rw_mutex::scoped_lock lock(mutex, false);
    EXPECT_TRUE(written);
  });
  first.reset();
  writer.join();
  reader.join();
}

TEST(ProfilingTest, NamesAndEventsAreTaken) {
  tbb::queuing_mutex queuing;
  tbb::profiling::set_name(queuing, "queuing");
  tbb::queuing_rw_mutex queuing_rw;
  tbb::profiling::set_name(queuing_rw, "queuing_rw");
  tbb::spin_mutex spin;
  tbb::profiling::set_name(spin, "spin");
  tbb::spin_rw_mutex spin_rw;
  tbb::profiling::set_name(spin_rw, "spin_rw");
  tbb::profiling::event event(std::string("begin"));
  event.emit();
  event = tbb::profiling::event(std::string("another"));
  tbb::profiling::event::emit("end");
}

}  // namespace
