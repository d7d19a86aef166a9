#include "filch/deque/sharded_fifo.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "filch/topology/std_atomics.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

TEST(ShardedFifoTest, Smoke) {
  ShardedFifo<int> queue(4);
  EXPECT_TRUE(queue.empty());
  queue.Push(7, /*stamp=*/3, /*lane=*/1);
  EXPECT_FALSE(queue.empty());
  const StealResult<int> found = queue.TryPop(0);
  EXPECT_EQ(found.status, StealStatus::kStolen);
  EXPECT_EQ(found.item, 7);
  EXPECT_EQ(found.meta, 3u);
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.TryPop(0).status, StealStatus::kEmpty);
}

TEST(ShardedFifoTest, LanesAreAPowerOfTwoUpToSixtyFour) {
  EXPECT_EQ(ShardedFifo<int>(-1).lanes(), 1);
  EXPECT_EQ(ShardedFifo<int>(1).lanes(), 1);
  EXPECT_EQ(ShardedFifo<int>(3).lanes(), 4);
  EXPECT_EQ(ShardedFifo<int>(64).lanes(), 64);
  EXPECT_EQ(ShardedFifo<int>(1000).lanes(), 64);
}

TEST(ShardedFifoTest, OneLaneIsExactlyFirstInFirstOut) {
  ShardedFifo<int> queue(1);
  int next = 0;
  for (int i = 0; i < 1000; ++i) {
    queue.Push(i, static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(i));
    if (i % 3 == 0) {
      ASSERT_EQ(queue.TryPop(0).item, next++);
    }
  }
  while (next < 1000) ASSERT_EQ(queue.TryPop(0).item, next++);
  EXPECT_TRUE(queue.empty());
}

TEST(ShardedFifoTest, FindsTheOnlyItemWhereverItIs) {
  ShardedFifo<int> queue(64);
  for (std::uint64_t lane = 0; lane < 64; ++lane) {
    for (const std::uint64_t look :
         {std::uint64_t{0}, std::uint64_t{63}, std::uint64_t{31} << 32}) {
      queue.Push(1, 0, lane);
      ASSERT_EQ(queue.TryPop(look).status, StealStatus::kStolen) << lane;
      ASSERT_TRUE(queue.empty());
    }
  }
}

TEST(ShardedFifoTest, TakesTheOlderOfTwoFronts) {
  ShardedFifo<int> queue(2);
  queue.Push(20, 20, 0);
  queue.Push(10, 10, 1);
  queue.Push(15, 15, 1);
  EXPECT_EQ(queue.OldestStamp(), 10u);
  for (const int expected : {10, 15, 20}) EXPECT_EQ(queue.TryPop(0).item, expected);
  EXPECT_EQ(queue.OldestStamp(), ~std::uint64_t{0});
}

// With random lanes an item is overtaken by about as many as there are lanes.
TEST(ShardedFifoTest, OrderIsApproximatelyFirstInFirstOut) {
  constexpr int kLanes = 16;
  constexpr int kItems = 20000;
  ShardedFifo<int> queue(kLanes);
  std::mt19937_64 random(1);
  for (int i = 0; i < kItems; ++i) queue.Push(i, static_cast<std::uint64_t>(i), random());
  std::int64_t sum_of_errors = 0;
  int largest_error = 0;
  for (int i = 0; i < kItems; ++i) {
    const int error = std::abs(queue.TryPop(random()).item - i);
    sum_of_errors += error;
    largest_error = std::max(largest_error, error);
  }
  EXPECT_LT(sum_of_errors / kItems, 2 * kLanes);
  EXPECT_LT(largest_error, 32 * kLanes);
}

TEST(ShardedFifoTest, HoldsAnyMovableTypeAndLeavesNothingBehind) {
  const auto alive = std::make_shared<int>(0);
  {
    ShardedFifo<std::shared_ptr<int>> queue(2);
    for (std::uint64_t i = 0; i < 100; ++i) queue.Push(alive, i, i);
    for (std::uint64_t i = 0; i < 40; ++i) EXPECT_EQ(queue.TryPop(i).item, alive);
    EXPECT_EQ(alive.use_count(), 61);
  }
  EXPECT_EQ(alive.use_count(), 1);
}

struct Item {
  int payload = 0;  // plain on purpose: a race on it is a missing edge
  std::atomic<int> taken{0};
};

// Producers and consumers at once: each item comes out once, what was written to
// it before Push is seen, and kEmpty is right once the producers are done.
void RunExactlyOnce(int lanes, int producers, int consumers) {
  constexpr int kItems = 20000;
  ShardedFifo<Item*> queue(lanes);
  std::vector<std::vector<Item>> items;
  for (int p = 0; p < producers; ++p) items.emplace_back(kItems);
  std::atomic<int> producing{producers};
  std::atomic<int> wrong{0};

  std::vector<std::thread> threads;
  for (int p = 0; p < producers; ++p) {
    threads.emplace_back([&, p] {
      std::uint64_t number = 0;
      for (Item& item : items[static_cast<std::size_t>(p)]) {
        item.payload = 42;
        queue.Push(&item, number, number * 0x9e3779b97f4a7c15u >> 40);
        ++number;
      }
      producing.fetch_sub(1, std::memory_order_release);
    });
  }
  for (int c = 0; c < consumers; ++c) {
    threads.emplace_back([&, c] {
      std::mt19937_64 random(static_cast<std::uint64_t>(c));
      for (bool last_look = false; !last_look;) {
        last_look = producing.load(std::memory_order_acquire) == 0;
        for (;;) {
          const StealResult<Item*> found = queue.TryPop(random());
          if (found.status == StealStatus::kEmpty) break;
          if (found.status != StealStatus::kStolen) continue;
          if (found.item->payload != 42) wrong.fetch_add(1);
          found.item->taken.fetch_add(1, std::memory_order_relaxed);
        }
        std::this_thread::yield();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
  EXPECT_TRUE(queue.empty());
  for (const std::vector<Item>& of_one : items) {
    for (const Item& item : of_one) ASSERT_EQ(item.taken.load(), 1);
  }
}

TEST(ShardedFifoTest, ExactlyOnce) {
  RunExactlyOnce(/*lanes=*/1, /*producers=*/2, /*consumers=*/2);
  RunExactlyOnce(/*lanes=*/4, /*producers=*/3, /*consumers=*/3);
}

TEST(ShardedFifoTest, OneProducerToOneConsumerThroughOneLaneKeepsTheOrder) {
  constexpr int kItems = 50000;
  ShardedFifo<int> queue(1);
  std::thread producer([&] {
    for (int i = 0; i < kItems; ++i) queue.Push(i, 0, 0);
  });
  int expected = 0;
  while (expected < kItems) {
    const StealResult<int> found = queue.TryPop(0);
    if (found.status != StealStatus::kStolen) {
      std::this_thread::yield();
      continue;
    }
    ASSERT_EQ(found.item, expected++);
  }
  producer.join();
}

// Before a consumer sleeps: either the producer sees that it does, or the
// consumer sees the item.
TEST(ShardedFifoTest, EmptyIsExactEnoughToSleepOn) {
  constexpr int kRounds = 3000;
  ShardedFifo<int> queue(2);
  std::atomic<int> pushed{0};
  std::atomic<int> looked{0};
  std::atomic<int> sleeping{0};
  int unseen = 0;
  bool saw_nothing = false;
  std::thread consumer([&] {
    for (int i = 1; i <= kRounds; ++i) {
      while (pushed.load(std::memory_order_acquire) < i - 1) std::this_thread::yield();
      sleeping.store(i, std::memory_order_relaxed);
      StdAtomics::SeqCstFence();
      saw_nothing = queue.empty();
      looked.store(i, std::memory_order_release);
    }
  });
  for (int i = 1; i <= kRounds; ++i) {
    queue.Push(i, 0, static_cast<std::uint64_t>(i));
    StdAtomics::SeqCstFence();
    const bool warned = sleeping.load(std::memory_order_relaxed) == i;
    while (looked.load(std::memory_order_acquire) < i) std::this_thread::yield();
    if (!warned && saw_nothing) ++unseen;
    ASSERT_EQ(queue.TryPop(0).item, i);
    pushed.store(i, std::memory_order_release);
  }
  consumer.join();
  EXPECT_EQ(unseen, 0);
}

}  // namespace
}  // namespace filch
