// Every block that slots, tasks and threads have taken from the process's depot is
// back when the pools are gone, whatever became of the tasks.
#include "filch/pool/task_memory.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "filch/pool/arena.h"
#include "filch/pool/enqueue.h"
#include "filch/pool/execute.h"
#include "filch/pool/parallel_for.h"
#include "filch/pool/pool.h"
#include "filch/pool/task_group.h"
#include "gtest/gtest.h"
#include "tests/pool/pool_shapes.h"
#include "tests/sanitizers.h"

#if FILCH_ADDRESS_SANITIZER
#include <sanitizer/lsan_interface.h>
#endif

namespace filch {
namespace {

using pool_internal::GlobalTaskDepot;
using pool_internal::kTaskSizeClasses;
using pool_internal::TaskCache;
using pool_internal::TaskDepot;

// Nothing of this program may use the default pool, which is never destroyed.
class Balance {
 public:
  Balance() : before_(GlobalTaskDepot().BlocksOutside()) {}
  ~Balance() { EXPECT_EQ(GlobalTaskDepot().BlocksOutside(), before_); }

 private:
  const std::int64_t before_;
};

TEST(TaskMemoryTest, WhatIsAtHandIsWhatTheCacheHas) {
  const Balance balance;
  TaskCache cache;
  for (int size_class = 0; size_class < kTaskSizeClasses; ++size_class) {
    EXPECT_EQ(cache.TryAllocate(size_class), nullptr);
    void* const block = cache.Allocate(size_class);
    cache.Free(size_class, block);
    EXPECT_EQ(cache.TryAllocate(size_class), block);
    std::vector<void*> blocks = {block};
    while (void* const next = cache.TryAllocate(size_class)) blocks.push_back(next);
    EXPECT_GT(blocks.size(), 1u);
    for (void* const taken : blocks) cache.Free(size_class, taken);
  }
}

TEST(TaskMemoryTest, CachesGiveBackWhatTheyTook) {
  const Balance balance;
  TaskCache producer;
  TaskCache consumer;
  for (int size_class = 0; size_class < kTaskSizeClasses; ++size_class) {
    std::vector<void*> blocks;
    for (int i = 0; i < 1000; ++i) blocks.push_back(producer.Allocate(size_class));
    EXPECT_GE(GlobalTaskDepot().BlocksOutside(), 1000);
    for (void* const block : blocks) consumer.Free(size_class, block);
  }
}

#if FILCH_ADDRESS_SANITIZER
// A leak checker counts memory as lost to which nothing points.
TEST(TaskMemoryTest, AtEveryFillingACacheIsReachable) {
  TaskCache cache;
  std::vector<void*> blocks;
  for (int i = 0; i < 3 * pool_internal::kTaskBatch; ++i) blocks.push_back(cache.Allocate(0));
  for (void* const block : blocks) {
    cache.Free(0, block);
    ASSERT_EQ(__lsan_do_recoverable_leak_check(), 0);
  }
}
#endif

// Every batch has an array to be in, whoever takes and gives, and no block is two's.
TEST(TaskMemoryTest, AnyMixtureOfTakingAndGivingComesOutEven) {
  constexpr int kClass = 2;
  const Balance balance;
  TaskDepot& depot = GlobalTaskDepot();
  std::vector<std::unique_ptr<TaskCache>> caches(3);
  for (auto& cache : caches) cache = std::make_unique<TaskCache>();
  std::vector<void*> blocks;
  std::set<void*> taken;
  std::minstd_rand random(1);
  // Up and down, so that the depot is emptied and filled.
  for (int step = 0; step < 60000; ++step) {
    auto& cache = caches[random() % caches.size()];
    const bool single = random() % 4 == 0;
    const bool rising = step / 5000 % 2 == 0;
    if (random() % 2000 == 0) {
      cache = std::make_unique<TaskCache>();
    } else if (random() % 4 == 0 ? !rising : rising) {
      void* const block = single ? depot.TakeBlock(kClass) : cache->Allocate(kClass);
      ASSERT_TRUE(taken.insert(block).second);
      blocks.push_back(block);
    } else if (!blocks.empty()) {
      std::swap(blocks[random() % blocks.size()], blocks.back());
      void* const block = blocks.back();
      blocks.pop_back();
      taken.erase(block);
      if (single) {
        depot.GiveBlock(kClass, block);
      } else {
        cache->Free(kClass, block);
      }
    }
  }
  for (void* const block : blocks) caches[0]->Free(kClass, block);
}

TEST(TaskMemoryTest, BlocksOfNoCacheCountOneByOne) {
  const Balance balance;
  TaskDepot& depot = GlobalTaskDepot();
  const std::int64_t before = depot.BlocksOutside();
  std::vector<void*> blocks;
  for (int i = 0; i < 200; ++i) {
    blocks.push_back(depot.TakeBlock(1));
    EXPECT_EQ(depot.BlocksOutside(), before + i + 1);
  }
  for (void* const block : blocks) depot.GiveBlock(1, block);
}

// Each of two threads may find the depot empty and make blocks; a leak checker sees whether
// those of the one that comes second are lost.
TEST(TaskMemoryTest, TwoThreadsMayEmptyTheDepotAtOnce) {
  constexpr int kClass = 3;
  const Balance balance;
  TaskDepot& depot = GlobalTaskDepot();
  std::vector<void*> taken;
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> ready{0};
    void* theirs = nullptr;
    const auto meet = [&ready] {
      ++ready;
      while (ready.load() < 2) std::this_thread::yield();
    };
    std::thread other([&] {
      meet();
      theirs = depot.TakeBlock(kClass);
    });
    meet();
    taken.push_back(depot.TakeBlock(kClass));
    other.join();
    taken.push_back(theirs);
    // Both were the first of a batch, or came from one: the rest of it goes, too.
    for (int i = 2; i < pool_internal::kTaskBatch; ++i) taken.push_back(depot.TakeBlock(kClass));
  }
  EXPECT_EQ(std::set<void*>(taken.begin(), taken.end()).size(), taken.size());
  for (void* const block : taken) depot.GiveBlock(kClass, block);
}

// A closure of a size, of which no copy may be left.
template <std::size_t kBytes>
class Counted {
 public:
  explicit Counted(std::atomic<int>& alive) : alive_(alive) { ++alive_; }
  Counted(const Counted& other) : alive_(other.alive_) { ++alive_; }
  ~Counted() { --alive_; }
  Counted& operator=(const Counted&) = delete;
  void operator()() const {}

 private:
  std::atomic<int>& alive_;
  char padding_[kBytes] = {};
};

class PoolMemoryTest : public testing::TestWithParam<PoolShape> {
 public:
  static std::string Name(const testing::TestParamInfo<PoolShape>& info) {
    return PoolTest::Name(info);
  }
  ~PoolMemoryTest() override { EXPECT_EQ(alive_.load(), 0); }

 protected:
  static PoolOptions Options() {
    PoolOptions options;
    options.concurrency = GetParam().concurrency;
    options.spin = GetParam().spin;
    return options;
  }
  template <typename Run>
  void RunAllSizes(const Run& run) {
    run(Counted<1>(alive_));
    run(Counted<100>(alive_));
    run(Counted<400>(alive_));
    run(Counted<2000>(alive_));
  }

  const Balance balance_;
  std::atomic<int> alive_{0};
};

TEST_P(PoolMemoryTest, GroupsThatAreWaitedFor) {
  Pool pool(Options());
  pool.Execute([&] {
    TaskGroup group;
    for (int i = 0; i < 300; ++i) {
      RunAllSizes([&](const auto& closure) { group.Run(closure); });
    }
    group.Wait();
  });
}

TEST_P(PoolMemoryTest, GroupsThatAreCancelledOrThrow) {
  Pool pool(Options());
  pool.Execute([&] {
    TaskGroup group;
    for (int i = 0; i < 300; ++i) {
      RunAllSizes([&](const auto& closure) { group.Run(closure); });
      if (i == 100) group.Cancel();
    }
    EXPECT_TRUE(group.Wait());
    for (int i = 0; i < 300; ++i) {
      RunAllSizes([&](const auto& closure) { group.Run(closure); });
      group.Run([] { throw std::runtime_error("a task"); });
    }
    EXPECT_THROW(group.Wait(), std::runtime_error);
    TaskGroup abandoned;
    RunAllSizes([&](const auto& closure) { abandoned.Run(closure); });
  });
}

TEST_P(PoolMemoryTest, TasksThatAreMadeInOneArenaAndRunInAnother) {
  Pool pool(Options());
  pool.Execute([&] {
    Arena& arena = pool.AcquireArena({2, 1, Priority::kNormal});
    TaskGroup group;
    std::thread([&] {
      ExecuteIn(arena, [&] {
        for (int i = 0; i < 300; ++i) {
          RunAllSizes([&](const auto& closure) { group.Run(closure); });
        }
      });
    }).join();
    group.Wait();
    pool.ReleaseArena(arena);
  });
}

TEST_P(PoolMemoryTest, WhatIsQueuedWhenThePoolEnds) {
  Pool pool(Options());
  Arena& arena = pool.AcquireArena({1, 1, Priority::kNormal});
  pool.Execute([&] {
    for (int i = 0; i < 100; ++i) {
      RunAllSizes([&](const auto& closure) { Enqueue(arena, closure); });
    }
  });
}

TEST_P(PoolMemoryTest, Loops) {
  Pool pool(Options());
  std::atomic<int> runs{0};
  pool.Execute([&] {
    for (int round = 0; round < 10; ++round) {
      ParallelFor(0, 1000, [&](int) { runs.fetch_add(1, std::memory_order_relaxed); });
    }
  });
  EXPECT_EQ(runs.load(), 10000);
}

FILCH_INSTANTIATE_POOL_TEST(PoolMemoryTest);

}  // namespace
}  // namespace filch
