#include "filch/tbb_compat/src/spare_blocks.h"

#include <pthread.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "filch/tbb_compat/src/memory_source.h"
#include "filch/tbb_compat/src/soft_limit.h"
#include "gtest/gtest.h"

namespace {

using filch::tbb_compat_internal::MemorySource;
using filch::tbb_compat_internal::SoftLimit;
using filch::tbb_compat_internal::SpareBlocks;
using filch::tbb_compat_internal::SystemMemory;

// malloc's memory at places as mimalloc's, of one thread at a time.
std::set<void*> in_use;

void* AllocateCounted(std::size_t size) {
  void* const memory = SystemMemory().allocate_aligned(size, SpareBlocks::kPlace);
  in_use.insert(memory);
  return memory;
}
void FreeCounted(void* memory) {
  EXPECT_EQ(in_use.erase(memory), memory == nullptr ? 0u : 1u);
  SystemMemory().free(memory);
}

const MemorySource counted = [] {
  MemorySource source = SystemMemory();
  source.allocate = AllocateCounted;
  // A sanitizer ends a program that asks it for too much.
  source.allocate_zeros = [](std::size_t, std::size_t) -> void* { return nullptr; };
  source.free = FreeCounted;
  source.scalable = true;
  return source;
}();

// The spare block that the thread gets, or null: this source has nothing else.
void* Spare(std::size_t size, std::size_t alignment = 1) {
  MemorySource none = counted;
  none.allocate = [](std::size_t) -> void* { return nullptr; };
  none.allocate_aligned = [](std::size_t, std::size_t) -> void* { return nullptr; };
  return alignment == 1 ? SpareBlocks::Allocate(none, size)
                        : SpareBlocks::AllocateAligned(none, size, alignment);
}

void Free(void* memory) { SpareBlocks::FreeOrKeep(counted, memory); }

// Each in a thread of its own, which has no spare blocks yet.
template <typename Body>
void InThread(const Body& body) {
  std::thread(body).join();
  EXPECT_TRUE(in_use.empty()) << "what a thread keeps is freed when it ends";
}

TEST(SpareBlocksTest, ALargeBlockIsGivenOutAgain) {
  InThread([] {
    for (const std::size_t size : {SpareBlocks::kSmallest, SpareBlocks::kLargest / 2}) {
      EXPECT_EQ(Spare(size), nullptr);
      void* const block = counted.allocate(size);
      Free(block);
      EXPECT_EQ(in_use.count(block), 1u);
      EXPECT_EQ(Spare(size, SpareBlocks::kPlace), block);
      EXPECT_EQ(Spare(size), nullptr);
      counted.free(block);
    }
  });
}

TEST(SpareBlocksTest, ZerosAreZerosInASpareBlockToo) {
  InThread([] {
    auto* const block = static_cast<unsigned char*>(counted.allocate(SpareBlocks::kSmallest));
    std::memset(block, 0xff, SpareBlocks::kSmallest);
    Free(block);
    EXPECT_EQ(SpareBlocks::AllocateZeros(counted, 1, SpareBlocks::kSmallest), block);
    EXPECT_EQ(std::count(block, block + SpareBlocks::kSmallest, 0),
              static_cast<std::ptrdiff_t>(SpareBlocks::kSmallest));
    Free(block);
    // A product that would be the block's size if it had no more bits than that.
    constexpr std::size_t kHalf = SIZE_MAX / 2 + 1 + (SpareBlocks::kSmallest + 1) / 2;
    EXPECT_EQ(SpareBlocks::AllocateZeros(counted, 2, kHalf), nullptr);
  });
}

TEST(SpareBlocksTest, NotToWhoWantsMuchLess) {
  InThread([] {
    Free(counted.allocate(SpareBlocks::kLargest / 2));
    EXPECT_EQ(Spare(SpareBlocks::kLargest / 4), nullptr);
    EXPECT_EQ(Spare(SpareBlocks::kSmallest), nullptr);
    EXPECT_EQ(Spare(1), nullptr);
    EXPECT_EQ(Spare(SpareBlocks::kLargest), nullptr);
  });
}

TEST(SpareBlocksTest, WhatIsSmallOrVeryLargeIsFreed) {
  InThread([] {
    for (const std::size_t size : {std::size_t{1}, SpareBlocks::kSmallest / 2,
                                   SpareBlocks::kLargest + SpareBlocks::kPlace}) {
      void* const block = counted.allocate(size);
      Free(block);
      EXPECT_EQ(in_use.count(block), 0u) << size;
      EXPECT_EQ(Spare(size), nullptr) << size;
    }
    Free(nullptr);
  });
}

TEST(SpareBlocksTest, WhatLiesElsewhereIsFreed) {
  InThread([] {
    MemorySource source = counted;
    static int freed = 0;
    source.free = [](void*) { ++freed; };
    source.usable_size = [](const void*) { return SpareBlocks::kLargest; };
    alignas(2) static unsigned char memory[2];
    SpareBlocks::FreeOrKeep(source, memory + 1);
    EXPECT_EQ(freed, 1);
  });
}

TEST(SpareBlocksTest, AThreadKeepsAFew) {
  InThread([] {
    for (const std::size_t size : {SpareBlocks::kSmallest, SpareBlocks::kLargest / 2}) {
      std::vector<void*> blocks(4 * SpareBlocks::kMost);
      for (void*& block : blocks) block = counted.allocate(size);
      for (void* const block : blocks) Free(block);
      std::size_t bytes = 0;
      std::size_t count = 0;
      for (void* const block : blocks) {
        if (in_use.count(block) == 0) continue;
        bytes += counted.usable_size(block);
        ++count;
      }
      EXPECT_GE(count, 1u);
      EXPECT_LE(count, SpareBlocks::kMost);
      EXPECT_LE(bytes, SpareBlocks::kMostBytes);
      SpareBlocks::GiveUp();
      for (void* const block : blocks) EXPECT_EQ(in_use.count(block), 0u);
      EXPECT_EQ(Spare(size), nullptr);
    }
  });
}

TEST(SpareBlocksTest, NoneIsKeptWhereTheLimitIsExceeded) {
  InThread([] {
    const auto spares = [] { return in_use.size(); };
    Free(counted.allocate(SpareBlocks::kSmallest));
    const std::size_t keeper = spares() - 1;  // where the thread keeps them
    SoftLimit::Set(SIZE_MAX);
    Free(counted.allocate(SpareBlocks::kSmallest));
    EXPECT_EQ(spares(), keeper + 2);
    SoftLimit::Set(1);
    // It looks now and then.
    for (std::size_t freed = 0; freed <= SpareBlocks::kLook; freed += SpareBlocks::kSmallest) {
      Free(counted.allocate(SpareBlocks::kSmallest));
    }
    EXPECT_EQ(spares(), keeper);
    Free(counted.allocate(2 * SpareBlocks::kLargest));
    EXPECT_EQ(spares(), keeper);
    SoftLimit::Set(0);
    Free(counted.allocate(SpareBlocks::kSmallest));
    EXPECT_EQ(spares(), keeper + 1);
  });
}

TEST(SpareBlocksTest, ThoseOfAnotherThreadAreNotGivenOut) {
  void* const block = counted.allocate(SpareBlocks::kSmallest);
  InThread([&] {
    Free(block);
    std::thread([] { EXPECT_EQ(Spare(SpareBlocks::kSmallest), nullptr); }).join();
    EXPECT_EQ(in_use.count(block), 1u);
  });
}

TEST(SpareBlocksTest, NothingIsLeftOfWhatThreadLocalObjectsFree) {
  for (const bool has_kept : {false, true}) {
    InThread([has_kept] {
      // Destroyed after what is made later.
      struct FreesAtTheEnd {
        ~FreesAtTheEnd() { Free(block); }
        void* block;
      };
      thread_local const FreesAtTheEnd last{counted.allocate(SpareBlocks::kSmallest)};
      EXPECT_EQ(in_use.count(last.block), 1u);
      if (has_kept) Free(counted.allocate(SpareBlocks::kSmallest));
    });
  }
}

TEST(SpareBlocksTest, NothingIsLeftOfWhatKeysFree) {
  pthread_key_t keys[2];
  for (pthread_key_t& key : keys) ASSERT_EQ(pthread_key_create(&key, &Free), 0);
  for (const bool has_kept : {false, true}) {
    InThread([&] {
      for (const pthread_key_t key : keys) {
        ASSERT_EQ(pthread_setspecific(key, counted.allocate(SpareBlocks::kSmallest)), 0);
      }
      if (has_kept) Free(counted.allocate(SpareBlocks::kSmallest));
    });
  }
  for (const pthread_key_t key : keys) pthread_key_delete(key);
}

TEST(SpareBlocksTest, NothingOfTheSystemsIsKept) {
  MemorySource source = counted;
  source.scalable = false;
  InThread([&] {
    SpareBlocks::FreeOrKeep(source, source.allocate(SpareBlocks::kSmallest));
    EXPECT_TRUE(in_use.empty());
  });
}

}  // namespace
