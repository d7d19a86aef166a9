#include "filch/pool/thread_table.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#include "filch/topology/std_atomics.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

TEST(ThreadTableTest, IsEmptyAtFirst) {
  const ThreadTable table;
  EXPECT_EQ(table.Find(), nullptr);
}

TEST(ThreadTableTest, EveryThreadFindsItsOwnWhileTheTableGrows) {
  constexpr int kThreads = 40;  // the table grows four times
  ThreadTable table;
  std::atomic<int> inside{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      int own = 0;
      EXPECT_EQ(table.Find(), nullptr);
      table.Insert(ThreadNumber(), &own);
      ++inside;
      // All live at the same time, so that none inherits.
      while (inside.load() < kThreads) EXPECT_EQ(table.Find(), &own);
      EXPECT_EQ(table.Find(), &own);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(table.Find(), nullptr);
}

TEST(ThreadTableTest, ElementsOfOtherThreadsMayBeNoted) {
  ThreadTable table;
  int other = 0;
  table.Insert(ThreadNumber() + 1, &other);
  EXPECT_EQ(table.Find(), nullptr);
}

TEST(ThreadTableTest, RoomMayBeMadeBefore) {
  ThreadTable table;
  table.Reserve(0);
  EXPECT_EQ(table.Find(), nullptr);
  int own = 0;
  table.Insert(ThreadNumber(), &own);
  for (const std::size_t elements : {std::size_t{100}, std::size_t{3}}) {
    table.Reserve(elements);
    EXPECT_EQ(table.Find(), &own);
  }
  std::vector<int> others(99);
  for (std::size_t i = 0; i < others.size(); ++i) table.Insert(ThreadNumber() + 1 + i, &others[i]);
  for (std::size_t i = 0; i < others.size(); ++i) {
    EXPECT_EQ(table.FindFor(ThreadNumber() + 1 + i), &others[i]);
  }
  EXPECT_EQ(table.Find(), &own);
}

TEST(ThreadTableTest, SwapAndClear) {
  ThreadTable full;
  ThreadTable empty;
  int own = 0;
  full.Insert(ThreadNumber(), &own);
  full.Swap(empty);
  EXPECT_EQ(full.Find(), nullptr);
  EXPECT_EQ(empty.Find(), &own);
  empty.Clear();
  EXPECT_EQ(empty.Find(), nullptr);
  empty.Insert(ThreadNumber(), &own);
  EXPECT_EQ(empty.Find(), &own);
}

// What it has of this is counted.
struct CountedMemory {
  static void* Allocate(std::size_t bytes) {
    in_use += bytes;
    return ::operator new(bytes);
  }
  static void Free(void* memory, std::size_t bytes) {
    in_use -= bytes;
    ::operator delete(memory);
  }
  static inline std::size_t in_use = 0;
};

TEST(ThreadTableTest, LiesInTheMemoryThatItsUserBrings) {
  int element = 0;
  {
    pool_internal::BasicThreadTable<StdAtomics, std::mutex, CountedMemory> table;
    for (std::uintptr_t thread = 1; thread <= 100; ++thread) table.Insert(thread, &element);
    EXPECT_EQ(table.FindFor(50), &element);
    EXPECT_GT(CountedMemory::in_use, 100 * sizeof(void*));
    table.Clear();
    EXPECT_EQ(CountedMemory::in_use, 0u);
    table.Insert(1, &element);
  }
  EXPECT_EQ(CountedMemory::in_use, 0u);
}

}  // namespace
}  // namespace filch
