#include "filch/tbb_compat/src/thread_cache.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "filch/tbb_compat/src/block_class.h"
#include "filch/tbb_compat/src/block_heap.h"
#include "filch/tbb_compat/src/block_list.h"
#include "filch/tbb_compat/src/slab.h"
#include "gtest/gtest.h"

namespace {

using filch::tbb_compat_internal::BlockClass;
using filch::tbb_compat_internal::BlockHeap;
using filch::tbb_compat_internal::BlockList;
using filch::tbb_compat_internal::Slab;
using filch::tbb_compat_internal::ThreadCache;

constexpr std::size_t kMiB = std::size_t{1} << 20;

class ThreadCacheTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(heap_.Add({memory_.get(), kBytes})); }

  // As a pool does it.
  void* Allocate(std::size_t size) {
    const unsigned block_class = BlockClass::For(size);
    void* block = cache_.Take(block_class);
    if (block == nullptr) {
      BlockList too_many;
      block = cache_.TakeSlowly(block_class, &too_many);
      FreeInHeap(too_many);
    }
    if (block == nullptr) {
      const std::size_t bytes = ThreadCache::SlabBytes(block_class);
      void* const slab = heap_.Allocate(bytes, 1);
      EXPECT_NE(slab, nullptr);
      ++slabs_;
      block = cache_.TakeFrom(slab, bytes, block_class);
    }
    EXPECT_EQ(BlockHeap::ClassOf(block), block_class);
    EXPECT_EQ(Slab::Of(block)->cache(), &cache_);
    return block;
  }
  // Those that are back in the heap.
  std::size_t FreeInHeap(BlockList blocks) {
    std::size_t count = 0;
    for (; !blocks.is_empty(); ++count) heap_.Free(blocks.Pop());
    slabs_ -= count;
    return count;
  }
  std::size_t Free(void* block) { return FreeInHeap(cache_.Put(block)); }
  void* Block(std::size_t size) {
    void* const block = heap_.Allocate(size, 1);
    EXPECT_NE(block, nullptr);
    BlockHeap::SetAside(block);
    return block;
  }
  // What the cache gives up to any thread.
  BlockList GivenUp() {
    BlockList all;
    cache_.ClaimBefore(nullptr);
    ThreadCache::GiveUpClaimed(&cache_, &all);
    return all;
  }
  bool HeapIsEmpty() const { return heap_.empty_bytes() == kBytes; }

  static constexpr std::size_t kBytes = 64 * kMiB;
  std::unique_ptr<char[]> memory_{new char[kBytes]};
  BlockHeap heap_;
  ThreadCache cache_;
  // That the cache has.
  std::size_t slabs_ = 0;
};

TEST_F(ThreadCacheTest, BlocksOfAllClassesAreDistinctAndWhole) {
  std::vector<unsigned char*> blocks;
  for (unsigned block_class = 1; block_class <= BlockClass::kMost; ++block_class) {
    for (int i = 0; i < 40; ++i) {
      blocks.push_back(static_cast<unsigned char*>(Allocate(BlockClass::BytesOf(block_class))));
      const auto address = reinterpret_cast<std::uintptr_t>(blocks.back());
      ASSERT_EQ(address % BlockHeap::kAlignment, 0u);
      std::memset(blocks.back(), static_cast<int>(blocks.size() % 251),
                  BlockClass::BytesOf(block_class));
    }
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::size_t bytes = BlockClass::BytesOf(BlockHeap::ClassOf(blocks[i]));
    for (std::size_t k = 0; k < bytes; ++k) ASSERT_EQ(blocks[i][k], (i + 1) % 251);
  }
  for (void* const block : blocks) Free(block);
  FreeInHeap(GivenUp());
  EXPECT_TRUE(HeapIsEmpty());
}

TEST_F(ThreadCacheTest, WhatWasFreedLastIsTakenFirst) {
  void* const first = Allocate(100);
  void* const second = Allocate(100);
  Free(first);
  Free(second);
  EXPECT_EQ(Allocate(100), second);
  EXPECT_EQ(Allocate(100), first);
}

TEST_F(ThreadCacheTest, ASlabWithoutBlocksServesAnotherClass) {
  // Two slabs of the class, for its last one stays.
  std::vector<void*> blocks;
  while (slabs_ < 2) blocks.push_back(Allocate(100));
  for (void* const block : blocks) EXPECT_EQ(Free(block), 0u);
  Allocate(500);
  EXPECT_EQ(slabs_, 2u);
  Allocate(300);
  EXPECT_EQ(slabs_, 3u);
  // Nor are the large ones made of small ones.
  Allocate(5000);
  EXPECT_EQ(slabs_, 4u);
}

TEST_F(ThreadCacheTest, SlabsThatAreTooManyComeBack) {
  for (const std::size_t size : {std::size_t{1000}, std::size_t{8000}}) {
    std::vector<void*> blocks;
    for (std::size_t bytes = 0; bytes < 8 * kMiB; bytes += size) blocks.push_back(Allocate(size));
    const std::size_t before = slabs_;
    for (void* const block : blocks) Free(block);
    EXPECT_LT(slabs_ * ThreadCache::SlabBytes(BlockClass::For(size)), 2 * kMiB);
    EXPECT_GT(slabs_, 2u);
    EXPECT_GT(before, 4 * slabs_);
    FreeInHeap(GivenUp());
    EXPECT_EQ(slabs_, 0u);
  }
}

TEST_F(ThreadCacheTest, WhatOthersFreeIsFoundWhenABlockIsMissing) {
  std::vector<void*> blocks;
  while (slabs_ < 3) blocks.push_back(Allocate(200));
  std::thread([&] {
    for (void* const block : blocks) cache_.PutFromAfar(block);
  }).join();
  const std::size_t before = slabs_;
  std::set<void*> found;
  while (slabs_ == before && found.size() < 2 * blocks.size()) found.insert(Allocate(200));
  EXPECT_GE(found.size(), blocks.size());
  for (void* const block : blocks) EXPECT_EQ(found.count(block), 1u);
}

TEST_F(ThreadCacheTest, OfWhatOthersFreeSlabsThatAreTooManyComeBack) {
  std::vector<void*> blocks;
  while (slabs_ * ThreadCache::SlabBytes(1) < 8 * kMiB) blocks.push_back(Allocate(1000));
  for (void* const block : blocks) cache_.PutFromAfar(block);
  Allocate(500);
  EXPECT_LT(slabs_ * ThreadCache::SlabBytes(1), 2 * kMiB);
}

TEST_F(ThreadCacheTest, AnythingThatIsNotUsedIsGivenUp) {
  void* const kept = Allocate(64);
  std::vector<void*> blocks;
  for (std::size_t size = 0; size <= BlockClass::kMostBytes; size += 48) {
    blocks.push_back(Allocate(size));
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (i % 2 == 0) {
      Free(blocks[i]);
    } else {
      cache_.PutFromAfar(blocks[i]);
    }
  }
  EXPECT_TRUE(cache_.Hold(Block(20000)).is_empty());
  // Another thread may be the one that needs memory.
  std::thread([&] { FreeInHeap(GivenUp()); }).join();
  EXPECT_EQ(heap_.empty_bytes(), 0u);
  Free(kept);
  FreeInHeap(GivenUp());
  EXPECT_TRUE(HeapIsEmpty());
  EXPECT_EQ(cache_.TakeHeld(20000, 1), nullptr);
}

TEST_F(ThreadCacheTest, SeveralAreClaimedTogether) {
  ThreadCache other;
  EXPECT_TRUE(cache_.Hold(Block(20000)).is_empty());
  EXPECT_TRUE(other.Hold(Block(30000)).is_empty());
  EXPECT_FALSE(HeapIsEmpty());
  BlockList all;
  std::thread([&] {
    cache_.ClaimBefore(nullptr);
    other.ClaimBefore(&cache_);
    ThreadCache::GiveUpClaimed(&other, &all);
  }).join();
  FreeInHeap(all);
  EXPECT_TRUE(HeapIsEmpty());
  // Nobody claims them any more.
  void* const block = Block(20000);
  EXPECT_TRUE(cache_.Hold(block).is_empty());
  EXPECT_EQ(cache_.TakeHeld(20000, 1), block);
  EXPECT_EQ(other.TakeHeld(30000, 1), nullptr);
}

TEST_F(ThreadCacheTest, ALargeBlockWaitsForWhoWantsOne) {
  void* const block = Block(100000);
  EXPECT_TRUE(cache_.Hold(block).is_empty());
  EXPECT_EQ(cache_.TakeHeld(100100, 1), nullptr);
  EXPECT_EQ(cache_.TakeHeld(80000, 1), nullptr) << "too much would be lost";
  EXPECT_EQ(cache_.TakeHeld(95000, 64 * kMiB), nullptr) << "it is not aligned so";
  EXPECT_EQ(cache_.TakeHeld(95000, 1), block);
  EXPECT_EQ(cache_.TakeHeld(95000, 1), nullptr);
}

TEST_F(ThreadCacheTest, WhatIsTooLargeDoesNotWait) {
  void* const large = Block(ThreadCache::kLargestHeld + 100);
  BlockList back = cache_.Hold(large);
  ASSERT_FALSE(back.is_empty());
  EXPECT_EQ(back.Pop(), large);
  EXPECT_TRUE(back.is_empty());
}

TEST_F(ThreadCacheTest, NothingIsLeftWhenTheHeapIsCleared) {
  std::vector<void*> blocks;
  while (slabs_ < 3) blocks.push_back(Allocate(200));
  for (void* const block : blocks) cache_.PutFromAfar(block);
  EXPECT_TRUE(cache_.Hold(Block(20000)).is_empty());
  cache_.Clear();
  heap_.Clear();
  EXPECT_EQ(cache_.Take(BlockClass::For(200)), nullptr);
  EXPECT_EQ(cache_.TakeHeld(20000, 1), nullptr);
  EXPECT_TRUE(GivenUp().is_empty());
}

}  // namespace
