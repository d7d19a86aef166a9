// The text that answers "why is nobody running this?", in situations that look
// like a hang.
#include <atomic>
#include <string>
#include <thread>

#include "filch/pool/enqueue.h"
#include "filch/pool/execute.h"
#include "filch/pool/pool.h"
#include "filch/pool/task.h"
#include "filch/pool/task_group.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

testing::AssertionResult Has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << text << "lacks " << part;
}

PoolOptions OptionsFor(int concurrency) {
  PoolOptions options;
  options.concurrency = concurrency;
  options.name = "test";
  return options;
}

TEST(PoolDumpTest, TellsOfAPoolThatDoesNothing) {
  Pool pool(OptionsFor(1));
  EXPECT_TRUE(Has(pool.Dump(), "pool \"test\": workers 0, limit 0, asleep 0"));
  EXPECT_TRUE(Has(pool.Dump(), "arena 0: 1 slots, 1 of them reserved; normal priority"));
  EXPECT_TRUE(Has(pool.Dump(), "shared queue: 0\n"));
}

TEST(PoolDumpTest, TellsOfTasksThatTheirOwnerDoesNotWaitFor) {
  // Without workers, a task runs when somebody waits; this thread does not.
  Pool pool(OptionsFor(1));
  pool.Execute([&] {
    TaskGroup group;
    for (int i = 0; i < 3; ++i) group.Run([] {});
    EXPECT_TRUE(Has(pool.Dump(), "slot 0: a thread, awake; deque 3, of them stealable "));
    EXPECT_TRUE(Has(pool.Dump(), "a worker is wanted, and none was free"));
    group.Wait();
    EXPECT_TRUE(Has(pool.Dump(), "slot 0: a thread, awake; deque 0, of them stealable 0"));
  });
  EXPECT_TRUE(Has(pool.Dump(), "slot 0: nobody"));
}

TEST(PoolDumpTest, TellsOfATaskThatIsQueuedBehindABusyWorker) {
  Pool pool(OptionsFor(2));
  Arena& arena = pool.AcquireArena({1, 0, Priority::kHigh});
  std::atomic<bool> started{false};
  std::atomic<bool> over{false};
  std::atomic<int> runs{0};
  Enqueue(arena, [&] {
    started = true;
    while (!over.load()) std::this_thread::yield();
  });
  while (!started.load()) std::this_thread::yield();
  for (int i = 0; i < 2; ++i) Enqueue(arena, [&] { ++runs; });
  // The arena of high priority comes first.
  EXPECT_TRUE(Has(pool.Dump(),
                  "arena 0: 1 slots, 0 of them reserved; high priority\n"
                  "  shared queue: 2, the next one is task 0x"));
  // Where its code is: the file, and the place in it.
  EXPECT_TRUE(Has(pool.Dump(), ", code "));
  EXPECT_TRUE(Has(pool.Dump(), "+0x"));
  over = true;
  while (runs.load() < 2) std::this_thread::yield();
  EXPECT_FALSE(Has(pool.Dump(), "the next one"));
}

class NoTask final : public Task {
 public:
  NoTask() : Task([](Task&, Execution&) noexcept -> Task* { return nullptr; }, nullptr) {}
};

TEST(PoolDumpTest, TellsOfMailThatNobodyFetches) {
  Pool pool(OptionsFor(1));
  Arena& arena = pool.AcquireArena({3, 3, Priority::kNormal});
  NoTask task;
  arena.Post(task, 2, 0);
  EXPECT_TRUE(Has(pool.Dump(),
                  "slot 2: nobody; deque 0, of them stealable 0; "
                  "mail 1, the next one is task 0x"));
}

TEST(PoolDumpTest, TellsWhoSleeps) {
  Pool pool(OptionsFor(1));
  Arena& arena = pool.AcquireArena({1, 1, Priority::kNormal});
  std::atomic<TaskGroup*> awaited{nullptr};
  std::thread waiter([&] {
    ExecuteIn(arena, [&] {
      TaskGroup group;
      group.Add();
      awaited = &group;
      group.Wait();
    });
  });
  // The thread goes to sleep by itself; if it did not, this would not end.
  while (pool.Dump().find("slot 0: a thread, asleep") == std::string::npos) {
    std::this_thread::yield();
  }
  EXPECT_TRUE(Has(pool.Dump(), "sleeping waiters 1, that would serve the queue 1"));
  awaited.load()->Withdraw();
  waiter.join();
}

TEST(PoolDumpTest, MayBeCalledWhileEverythingHappens) {
  Pool pool(OptionsFor(4));
  std::atomic<bool> over{false};
  std::thread reader([&] {
    while (!over.load()) EXPECT_TRUE(Has(pool.Dump(), "arena 0"));
  });
  Arena& arena = pool.AcquireArena({2, 1, Priority::kNormal});
  for (int round = 0; round < 50; ++round) {
    pool.Execute([&] {
      EXPECT_TRUE(Has(pool.Dump(), "slot 0"));
      TaskGroup group;
      for (int i = 0; i < 100; ++i) group.Run([&] { Enqueue(arena, [] {}); });
      group.Wait();
    });
  }
  over = true;
  reader.join();
}

}  // namespace
}  // namespace filch
