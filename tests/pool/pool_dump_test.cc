// The text that answers "why is nobody running this?", in situations that look
// like a hang.
#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "filch/pool/arena.h"
#include "filch/pool/current_arena.h"
#include "filch/pool/enqueue.h"
#include "filch/pool/execute.h"
#include "filch/pool/pool.h"
#include "filch/pool/task.h"
#include "filch/pool/task_group.h"
#include "gtest/gtest.h"
#include "tests/pool/held_wait.h"
#include "tests/pool/meet.h"
#include "tests/pool/no_task.h"

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

TEST(PoolDumpTest, WorkersThatHaveEndedAreNone) {
  Pool pool(OptionsFor(2));
  pool.Execute([] { Meet(2); });
  EXPECT_TRUE(Has(pool.Dump(), "workers 1, limit 1"));
  pool.RetireWorkers();
  EXPECT_TRUE(Has(pool.Dump(), "workers 0, limit 1"));
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

TEST(PoolDumpTest, TellsOfAFunctionThatFoundTheArenaFull) {
  Pool pool(OptionsFor(1));
  Arena& arena = pool.AcquireArena({2, 2, Priority::kNormal});
  pool_internal::Slot* const slots[] = {arena.slots().OccupyFromOutside(),
                                        arena.slots().OccupyFromOutside()};
  NoTask task;
  arena.Delegate(task);
  EXPECT_TRUE(Has(arena.Describe(std::chrono::steady_clock::now()),
                  "functions that wait for a place here: 1, the next one is task 0x"));
  EXPECT_TRUE(arena.TakeBackDelegated(task));
  EXPECT_FALSE(Has(pool.Dump(), "functions that wait"));
  for (pool_internal::Slot* const slot : slots) arena.Vacate(*slot);
}

// Of what two looks at an arena, a given time apart, tell.
std::string SecondLook(Arena& arena, std::chrono::milliseconds apart) {
  const auto now = std::chrono::steady_clock::now();
  arena.Describe(now);
  return arena.Describe(now + apart);
}

TEST(PoolDumpTest, TellsOfMailThatNobodyFetches) {
  NoTask task;  // what runs it is the end of the pool
  Pool pool(OptionsFor(1));
  Arena& arena = pool.AcquireArena({3, 3, Priority::kNormal});
  arena.Post(task, 2, 0);
  EXPECT_TRUE(Has(pool.Dump(),
                  "slot 2: nobody; deque 0, of them stealable 0; "
                  "mail 1, the next one is task 0x"));
}

TEST(PoolDumpTest, TellsForHowLongMailHasBeenSeenInFront) {
  Pool pool(OptionsFor(1));
  Arena& arena = pool.AcquireArena({3, 3, Priority::kNormal});
  NoTask tasks[2];
  arena.Post(tasks[0], 1, 0);
  EXPECT_TRUE(Has(pool.Dump(), ", there for 0 ms at least"));
  arena.Post(tasks[1], 1, 0);
  EXPECT_TRUE(Has(SecondLook(arena, std::chrono::seconds(100)), "mail 2"));
  // The first one is gone: the second one is seen for the first time.
  EXPECT_EQ(arena.slots()[1].mailbox.Pop(), &tasks[0]);
  const auto now = std::chrono::steady_clock::now();
  EXPECT_TRUE(Has(arena.Describe(now), ", there for 0 ms at least; ran"));
  EXPECT_TRUE(
      Has(arena.Describe(now + std::chrono::milliseconds(70)), ", there for 70 ms at least; ran"));
  EXPECT_EQ(arena.slots()[1].mailbox.Pop(), &tasks[1]);
  EXPECT_FALSE(Has(arena.Describe(now), "at least"));
}

TEST(PoolDumpTest, TellsForHowLongATaskHasBeenSeenInADeque) {
  Pool pool(OptionsFor(1));
  pool.Execute([&] {
    TaskGroup group;
    for (int i = 0; i < 3; ++i) group.Run([] {});
    Arena& arena = CurrentArena();
    EXPECT_TRUE(Has(SecondLook(arena, std::chrono::milliseconds(250)),
                    ", the oldest there for 250 ms at least; mail 0"));
    group.Run([] {});
    group.Wait();
    for (int i = 0; i < 3; ++i) group.Run([] {});
    // Others, at the same places.
    EXPECT_TRUE(Has(arena.Describe(std::chrono::steady_clock::now() + std::chrono::hours(1)),
                    ", the oldest there for 0 ms at least; mail 0"));
    group.Wait();
    EXPECT_FALSE(Has(pool.Dump(), "at least"));
  });
}

TEST(PoolDumpTest, TellsForHowLongAnEnqueuedTaskHasBeenSeenInFront) {
  Pool pool(OptionsFor(2));
  Arena& arena = pool.AcquireArena({1, 0, Priority::kHigh});
  std::atomic<bool> started{false};
  std::atomic<bool> over{false};
  std::atomic<bool> ran{false};
  Enqueue(arena, [&] {
    started = true;
    while (!over.load()) std::this_thread::yield();
  });
  while (!started.load()) std::this_thread::yield();
  Enqueue(arena, [&] { ran = true; });
  EXPECT_TRUE(
      Has(SecondLook(arena, std::chrono::milliseconds(40)), ", there for 40 ms at least\n"));
  over = true;
  while (!ran.load()) std::this_thread::yield();
  EXPECT_FALSE(Has(pool.Dump(), "at least"));
}

TEST(PoolDumpTest, TellsWhoSleeps) {
  Pool pool(OptionsFor(1));
  Arena& arena = pool.AcquireArena({1, 1, Priority::kNormal});
  HeldWait wait;
  std::thread waiter([&] { ExecuteIn(arena, [&] { wait.Begin(); }); });
  UntilOneSleeps(pool);
  EXPECT_TRUE(Has(pool.Dump(), "slot 0: a thread, asleep"));
  EXPECT_TRUE(Has(pool.Dump(), "sleeping waiters 1, that would serve the queue 1"));
  wait.End();
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
