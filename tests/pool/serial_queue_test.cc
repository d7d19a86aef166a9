#include "filch/pool/serial_queue.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "filch/pool/arena.h"
#include "filch/pool/join.h"
#include "gtest/gtest.h"
#include "tests/pool/pool_shapes.h"
#include "tests/pool/yield_until.h"

namespace filch {
namespace {

class SerialQueueTest : public PoolTest {
 protected:
  SerialQueueTest() : arena_(pool_.AcquireArena({4, 1, Priority::kNormal})) {}
  ~SerialQueueTest() override { pool_.ReleaseArena(arena_); }

  Arena& arena_;
};

TEST_P(SerialQueueTest, RunsInTheOrderOfPushes) {
  SerialQueue queue(arena_);
  std::vector<int> order;  // without a lock
  std::atomic<int> over{0};
  for (int i = 0; i < 2000; ++i) {
    queue.Push([&order, &over, i] {
      order.push_back(i);
      ++over;
    });
  }
  YieldUntil(over, 2000);
  for (int i = 0; i < 2000; ++i) ASSERT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST_P(SerialQueueTest, NeverRunsTwoAtATimeWhoeverPushes) {
  constexpr int kThreads = 3;
  constexpr int kPushes = 500;
  SerialQueue queue(arena_);
  int next[kThreads] = {};
  std::atomic<int> inside{0};
  std::atomic<int> over{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kPushes; ++i) {
        queue.Push([&, t, i] {
          EXPECT_EQ(inside.fetch_add(1), 0);
          EXPECT_EQ(next[t]++, i);  // each thread's own come in its order
          inside.fetch_sub(1);
          ++over;
        });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  YieldUntil(over, kThreads * kPushes);
}

TEST_P(SerialQueueTest, FunctionsMayPushAndRunTasks) {
  SerialQueue queue(arena_);
  std::vector<int> order;
  std::atomic<int> over{0};
  queue.Push([&] {
    queue.Push([&] {
      order.push_back(2);
      ++over;
    });
    Join([&] { order.push_back(1); }, [&] { ++over; });
  });
  YieldUntil(over, 2);
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST_P(SerialQueueTest, WhatWasPushedRunsThoughTheQueueIsGone) {
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> over{0};
    std::optional<SerialQueue> queue(arena_);
    for (int i = 0; i < 10; ++i) queue->Push([&] { ++over; });
    queue.reset();
    YieldUntil(over, 10);
  }
}

TEST_P(SerialQueueTest, WhatAFunctionOwnsIsGoneBeforeTheNextOneBegins) {
  constexpr std::size_t kPushes = 200;
  using Gone = std::array<bool, kPushes>;
  class Owned {
   public:
    Owned(std::shared_ptr<Gone> gone, std::size_t index) : gone_(std::move(gone)), index_(index) {}
    Owned(Owned&& other) = default;
    ~Owned() {
      if (gone_ != nullptr) (*gone_)[index_] = true;
    }

   private:
    std::shared_ptr<Gone> gone_;
    std::size_t index_;
  };
  SerialQueue queue(arena_);
  const auto gone = std::make_shared<Gone>();
  std::atomic<int> over{0};
  for (std::size_t i = 0; i < kPushes; ++i) {
    queue.Push([gone = gone.get(), &over, i, owned = Owned(gone, i)] {
      EXPECT_FALSE((*gone)[i]);
      if (i > 0) {
        EXPECT_TRUE((*gone)[i - 1]);
      }
      ++over;
    });
  }
  YieldUntil(over, kPushes);
}

TEST_P(SerialQueueTest, ClosuresMayBeMoveOnlyAndLarge) {
  SerialQueue queue(arena_);
  struct alignas(128) Large {
    char bytes[1024] = {};
  };
  std::atomic<int> over{0};
  queue.Push([&over, number = std::make_unique<int>(5), large = Large()] {
    EXPECT_EQ(*number, 5);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&large) % 128, 0u);
    ++over;
  });
  YieldUntil(over, 1);
}

TEST_P(SerialQueueTest, ManyQueuesShareAnArena) {
  constexpr int kQueues = 20;
  std::vector<std::unique_ptr<SerialQueue>> queues;
  std::vector<int> counts(kQueues);
  std::atomic<int> over{0};
  for (int q = 0; q < kQueues; ++q) queues.push_back(std::make_unique<SerialQueue>(arena_));
  for (int i = 0; i < 50; ++i) {
    for (std::size_t q = 0; q < kQueues; ++q) {
      queues[q]->Push([&counts, &over, q] {
        ++counts[q];
        ++over;
      });
    }
  }
  YieldUntil(over, kQueues * 50);
  for (const int count : counts) EXPECT_EQ(count, 50);
}

FILCH_INSTANTIATE_POOL_TEST(SerialQueueTest);

}  // namespace
}  // namespace filch
