#include "filch/tbb_compat/src/block_heap.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace {

using filch::tbb_compat_internal::BlockHeap;

constexpr std::size_t kKiB = std::size_t{1} << 10;
constexpr std::size_t kMiB = std::size_t{1} << 20;

// The largest block that the heap has, to the byte.
std::size_t LargestBlock(BlockHeap& heap) {
  std::size_t fits = 0;
  std::size_t too_large = 64 * kMiB;
  while (too_large - fits > 1) {
    const std::size_t size = (fits + too_large) / 2;
    void* const block = heap.Allocate(size, 1);
    (block != nullptr ? fits : too_large) = size;
    if (block != nullptr) heap.Free(block);
  }
  return fits;
}

struct Block {
  unsigned char* memory;
  std::size_t size;
  unsigned char mark;
};

bool IsWhole(const Block& block) {
  return std::all_of(block.memory, block.memory + block.size,
                     [&](unsigned char byte) { return byte == block.mark; });
}

TEST(BlockHeapTest, BlocksOfAllKindsComeAndGoAndNothingIsLost) {
  const std::unique_ptr<char[]> memory(new char[4 * kMiB]);
  BlockHeap heap;
  ASSERT_TRUE(heap.Add({memory.get() + 3, 3 * kMiB}));
  ASSERT_TRUE(heap.Add({memory.get() + 3 * kMiB + 5, kMiB - 5}));
  EXPECT_EQ(heap.empty_bytes(), 4 * kMiB - 5);
  const std::size_t largest = LargestBlock(heap);
  EXPECT_GT(largest, 3 * kMiB - 200);
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return random() % n; };
  std::vector<Block> blocks;
  for (int round = 0; round < 30; ++round) {
    for (int step = 0; step < 1000; ++step) {
      const std::size_t size = below(10) == 0 ? below(100 * kKiB) : below(1000);
      const std::size_t place = blocks.empty() ? 0 : below(blocks.size());
      const std::size_t what = blocks.empty() ? 0 : below(10);
      if (what < 5) {
        const std::size_t alignment = std::size_t{1} << below(13);
        auto* const block = static_cast<unsigned char*>(heap.Allocate(size, alignment));
        if (block == nullptr) continue;
        ASSERT_EQ(reinterpret_cast<std::uintptr_t>(block) % std::max<std::size_t>(alignment, 16),
                  0u);
        ASSERT_GE(BlockHeap::SizeOf(block), size);
        ASSERT_EQ(BlockHeap::HeapOf(block), &heap);
        blocks.push_back({block, BlockHeap::SizeOf(block), static_cast<unsigned char>(random())});
        std::memset(block, blocks.back().mark, blocks.back().size);
      } else if (what < 7) {
        Block& block = blocks[place];
        const std::size_t kept = std::min(block.size, size);
        if (!heap.Resize(block.memory, size)) continue;
        block.size = kept;
        ASSERT_TRUE(IsWhole(block));
        block.size = BlockHeap::SizeOf(block.memory);
        ASSERT_GE(block.size, size);
        std::memset(block.memory, block.mark, block.size);
      } else {
        ASSERT_TRUE(IsWhole(blocks[place]));
        heap.Free(blocks[place].memory);
        blocks[place] = blocks.back();
        blocks.pop_back();
      }
    }
    for (const Block& block : blocks) {
      ASSERT_TRUE(IsWhole(block));
      if (round % 2 == 0) heap.Free(block.memory);
    }
    if (round % 2 != 0) heap.Clear();
    blocks.clear();
    ASSERT_EQ(heap.empty_bytes(), 4 * kMiB - 5);
    ASSERT_EQ(LargestBlock(heap), largest);
  }
}

TEST(BlockHeapTest, APieceHasRoomForWhatItIsMadeFor) {
  const std::unique_ptr<char[]> memory(new char[4 * kMiB]);
  for (const std::size_t size : {0, 1, 100, 70000}) {
    for (std::size_t alignment = 1; alignment <= 64 * kKiB; alignment *= 2) {
      for (std::size_t offset = 0; offset < 40; offset += 3) {
        BlockHeap heap;
        ASSERT_TRUE(heap.Add({memory.get() + offset, BlockHeap::PieceFor(size, alignment)}));
        ASSERT_NE(heap.Allocate(size, alignment), nullptr);
      }
    }
  }
}

TEST(BlockHeapTest, APieceThatIsEmptyCanBeRemoved) {
  const std::unique_ptr<char[]> memory(new char[3 * kKiB]);
  BlockHeap heap;
  // They touch, and stay three.
  for (std::size_t i = 0; i < 3; ++i) ASSERT_TRUE(heap.Add({memory.get() + i * kKiB, kKiB}));
  EXPECT_EQ(heap.Allocate(kKiB, 1), nullptr);
  void* const blocks[] = {heap.Allocate(800, 1), heap.Allocate(800, 1), heap.Allocate(800, 1)};
  EXPECT_EQ(heap.empty_bytes(), 0u);
  void* const small = heap.Allocate(10, 1);
  ASSERT_NE(small, nullptr);
  EXPECT_EQ(heap.Free(small), nullptr);
  for (void* const block : {blocks[1], blocks[0], blocks[2]}) {
    BlockHeap::Piece* const piece = heap.Free(block);
    ASSERT_NE(piece, nullptr);
    EXPECT_EQ(heap.empty_bytes(), kKiB);
    const BlockHeap::Memory removed = heap.Remove(piece);
    EXPECT_EQ(removed.bytes, kKiB);
    EXPECT_GT(block, removed.begin);
    EXPECT_LT(block, static_cast<char*>(removed.begin) + kKiB);
    EXPECT_EQ(heap.empty_bytes(), 0u);
  }
  EXPECT_EQ(heap.first_piece(), nullptr);
  EXPECT_EQ(heap.Allocate(0, 1), nullptr);
}

TEST(BlockHeapTest, WhatIsTooSmallIsNotTaken) {
  char memory[64];
  BlockHeap heap;
  EXPECT_FALSE(heap.Add({memory, 0}));
  EXPECT_FALSE(heap.Add({memory, sizeof(memory)}));
  EXPECT_EQ(heap.first_piece(), nullptr);
}

TEST(BlockHeapTest, ABlockThatIsFreeHasNoHeap) {
  alignas(16) char memory[kKiB];
  BlockHeap heap;
  ASSERT_TRUE(heap.Add({memory, sizeof(memory)}));
  void* const first = heap.Allocate(100, 1);
  void* const second = heap.Allocate(100, 1);
  heap.Free(first);
  heap.Free(second);
  EXPECT_EQ(BlockHeap::HeapOf(first), nullptr);
  EXPECT_EQ(BlockHeap::HeapOf(second), nullptr);
}

}  // namespace
