#include "filch/pool/shared_queue.h"

#include <array>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "filch/pool/task.h"
#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

struct Numbered : Task {
  Numbered() : Task(nullptr, nullptr) {}
  int producer = 0;
  int number = 0;
};

Numbered* PopFrom(SharedQueue& queue) { return static_cast<Numbered*>(queue.Pop()); }

TEST(SharedQueueTest, GivesTheOldestFirst) {
  SharedQueue queue;
  std::array<Numbered, 3> tasks;
  for (Numbered& task : tasks) queue.Push(task);
  for (Numbered& task : tasks) EXPECT_EQ(queue.Pop(), &task);
  EXPECT_EQ(queue.Pop(), nullptr);
}

TEST(SharedQueueTest, GivesTheMostUrgentFirst) {
  SharedQueue queue;
  std::array<Numbered, 4> tasks;
  queue.Push(tasks[3], 0);
  queue.Push(tasks[1], 1);
  queue.Push(tasks[0], 2);
  queue.Push(tasks[2], 1);
  for (Numbered& task : tasks) EXPECT_EQ(queue.Pop(), &task);
}

TEST(SharedQueueTest, KnowsWhetherItIsEmpty) {
  SharedQueue queue;
  std::array<Numbered, 2> tasks;
  EXPECT_TRUE(queue.Empty());
  EXPECT_TRUE(queue.Push(tasks[0]));
  EXPECT_FALSE(queue.Empty());
  EXPECT_FALSE(queue.Push(tasks[1]));
  queue.Pop();
  EXPECT_FALSE(queue.Empty());
  queue.Pop();
  EXPECT_TRUE(queue.Empty());
  EXPECT_TRUE(queue.Push(tasks[0]));
  EXPECT_EQ(queue.Pop(), &tasks[0]);
}

TEST(SharedQueueTest, ShowsWhatIsQueuedInOrder) {
  SharedQueue queue;
  std::array<Numbered, 3> tasks;
  queue.Push(tasks[1], 1);
  queue.Push(tasks[0], 2);
  queue.Push(tasks[2], 1);
  std::vector<const Task*> seen;
  queue.ForEach([&seen](const Task& task) { seen.push_back(&task); });
  EXPECT_EQ(seen, (std::vector<const Task*>{&tasks[0], &tasks[1], &tasks[2]}));
}

// Every task comes out once, and a consumer never meets two tasks of a producer in
// the wrong order.
TEST(SharedQueueTest, KeepsTheOrderOfManyProducers) {
  constexpr int kProducers = 2;
  constexpr int kConsumers = 2;
  constexpr int kEach = 20000;
  SharedQueue queue;
  std::array<std::unique_ptr<Numbered[]>, kProducers> tasks;
  std::atomic<int> taken{0};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int producer = 0; producer < kProducers; ++producer) {
    tasks[producer] = std::make_unique<Numbered[]>(kEach);
    threads.emplace_back([&, producer] {
      for (int i = 0; i < kEach; ++i) {
        Numbered& task = tasks[producer][i];
        task.producer = producer;
        task.number = i;
        queue.Push(task);
      }
    });
  }
  for (int consumer = 0; consumer < kConsumers; ++consumer) {
    threads.emplace_back([&] {
      std::array<int, kProducers> last{-1, -1};
      while (taken.load(std::memory_order_relaxed) < kProducers * kEach) {
        const Numbered* const task = PopFrom(queue);
        if (task == nullptr) {
          std::this_thread::yield();
          continue;
        }
        if (task->number <= last[task->producer]) wrong.fetch_add(1, std::memory_order_relaxed);
        last[task->producer] = task->number;
        taken.fetch_add(1, std::memory_order_relaxed);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(taken.load(), kProducers * kEach);
  EXPECT_EQ(wrong.load(), 0);
  EXPECT_TRUE(queue.Empty());
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
