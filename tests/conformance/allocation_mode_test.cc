// What scalable_allocation_mode changes.
#include <pthread.h>
#include <tbb/scalable_allocator.h>
#include <tbb/tbb_allocator.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace {

// malloc, which a sanitizer sees, takes no orders.
bool IsScalable() {
  return tbb::tbb_allocator<int>::allocator_type() == tbb::tbb_allocator<int>::scalable;
}
int OkIfScalable() { return IsScalable() ? TBBMALLOC_OK : TBBMALLOC_NO_EFFECT; }

int SetLimit(std::intptr_t bytes) {
  return scalable_allocation_mode(TBBMALLOC_SET_SOFT_HEAP_LIMIT, bytes);
}

std::size_t MemoryOfProcess() {
  std::size_t addresses = 0;
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> addresses >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kBlocks = 64;

std::vector<void*> AllocateAndUse(std::size_t bytes) {
  std::vector<void*> blocks;
  for (std::size_t i = 0; i < kBlocks; ++i) {
    void* const block = scalable_malloc(bytes);
    EXPECT_NE(block, nullptr);
    std::memset(block, 1, bytes);
    blocks.push_back(block);
  }
  return blocks;
}

void FreeAll(const std::vector<void*>& blocks) {
  for (void* const block : blocks) scalable_free(block);
}

TEST(AllocationModeTest, Answers) {
  EXPECT_EQ(SetLimit(0), TBBMALLOC_OK);
  for (const std::intptr_t limit : {std::intptr_t{1}, std::numeric_limits<std::intptr_t>::max()}) {
    EXPECT_EQ(SetLimit(limit), OkIfScalable());
  }
  EXPECT_EQ(SetLimit(0), TBBMALLOC_OK);
  EXPECT_EQ(scalable_allocation_mode(TBBMALLOC_USE_HUGE_PAGES, 1), OkIfScalable());
  EXPECT_EQ(scalable_allocation_mode(TBBMALLOC_USE_HUGE_PAGES, 0), TBBMALLOC_OK);
  EXPECT_EQ(scalable_allocation_mode(TBBMALLOC_USE_HUGE_PAGES, 2), TBBMALLOC_INVALID_PARAM);
  EXPECT_EQ(scalable_allocation_mode(TBBMALLOC_USE_HUGE_PAGES, -1), TBBMALLOC_INVALID_PARAM);
  // Of those who build the allocator into a program.
  constexpr int kInternalSourceIncluded = 65536;
  EXPECT_EQ(scalable_allocation_mode(kInternalSourceIncluded, 1), TBBMALLOC_INVALID_PARAM);
}

TEST(AllocationModeTest, ALimitBringsMemoryBack) {
  if (!IsScalable()) GTEST_SKIP() << "malloc's memory";
  EXPECT_EQ(SetLimit(1), TBBMALLOC_OK);
  for (const std::size_t bytes : {kMiB, 9 * kMiB / 8, kMiB / 8}) {
    const std::size_t before = MemoryOfProcess();
    const std::vector<void*> blocks = AllocateAndUse(bytes);
    const std::size_t full = MemoryOfProcess();
    EXPECT_GE(full - before, kBlocks * bytes / 2) << bytes;
    FreeAll(blocks);
    // What the thread has kept goes back now, at the latest.
    EXPECT_EQ(SetLimit(1), TBBMALLOC_OK);
    EXPECT_LE(MemoryOfProcess(), full - kBlocks * bytes / 2) << bytes;
  }
  EXPECT_EQ(SetLimit(0), TBBMALLOC_OK);
}

TEST(AllocationModeTest, NothingFailsBecauseOfALimit) {
  SetLimit(1);
  for (const std::size_t bytes : {std::size_t{16}, std::size_t{8192}, kMiB / 8, 2 * kMiB}) {
    std::thread([bytes] { FreeAll(AllocateAndUse(bytes)); }).join();
    void* block = scalable_malloc(bytes);
    std::memset(block, 1, bytes);
    block = scalable_realloc(block, 3 * bytes);
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(static_cast<char*>(block)[bytes - 1], 1);
    scalable_free(block);
    auto* const zeros = static_cast<char*>(scalable_calloc(bytes, 1));
    ASSERT_NE(zeros, nullptr);
    EXPECT_EQ(zeros[0] + zeros[bytes - 1], 0);
    scalable_free(zeros);
  }
  SetLimit(0);
}

TEST(AllocationModeTest, WhatIsInUseStaysAsItIs) {
  SetLimit(1);
  const std::vector<void*> in_use = AllocateAndUse(kMiB / 4);
  const std::vector<void*> others = AllocateAndUse(kMiB / 4);
  FreeAll(others);
  SetLimit(1);
  for (void* const block : in_use) {
    const auto* const bytes = static_cast<const char*>(block);
    std::size_t ones = 0;
    for (std::size_t i = 0; i < kMiB / 4; ++i) ones += bytes[i] == 1 ? 1 : 0;
    EXPECT_EQ(ones, kMiB / 4);
  }
  FreeAll(in_use);
  SetLimit(0);
}

// As free: whose thread is to be cancelled has freed it, and whatever else it has there.
TEST(AllocationModeTest, NobodyIsCancelledBecauseOfALimit) {
  SetLimit(1);
  const auto run = [](void* all_freed) -> void* {
    const std::vector<void*> blocks = AllocateAndUse(kMiB);
    pthread_cancel(pthread_self());
    FreeAll(blocks);
    *static_cast<bool*>(all_freed) = true;
    return nullptr;
  };
  bool all_freed = false;
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, nullptr, run, &all_freed), 0);
  EXPECT_EQ(pthread_join(thread, nullptr), 0);
  EXPECT_TRUE(all_freed);
  SetLimit(0);
}

}  // namespace
