#include "filch/pool/thread_table.h"

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

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

}  // namespace
}  // namespace filch
