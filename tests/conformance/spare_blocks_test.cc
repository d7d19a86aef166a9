#include "filch/tbb_compat/src/spare_blocks.h"

#include <cstddef>
#include <memory>
#include <set>
#include <thread>

#include "filch/tbb_compat/src/block_heap.h"
#include "gtest/gtest.h"

namespace {

using filch::tbb_compat_internal::BlockHeap;
using filch::tbb_compat_internal::BlockList;
using filch::tbb_compat_internal::SpareBlocks;

class SpareBlocksTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(heap_.Add({memory_.get(), kBytes})); }

  // A block that is nobody's.
  void* Block(std::size_t size) {
    void* const block = heap_.Allocate(size, 1);
    EXPECT_NE(block, nullptr);
    BlockHeap::SetAside(block);
    return block;
  }
  BlockList Put(void* block) { return spare_.Put(block, BlockHeap::SmallUnitsOf(block)); }
  void* Take(std::size_t size) { return spare_.Take(BlockHeap::SmallUnitsFor(size)); }

  static std::set<void*> In(BlockList list) {
    std::set<void*> blocks;
    while (!list.is_empty()) EXPECT_TRUE(blocks.insert(list.Pop()).second);
    return blocks;
  }

  static constexpr std::size_t kBytes = std::size_t{1} << 20;
  std::unique_ptr<char[]> memory_{new char[kBytes]};
  BlockHeap heap_;
  SpareBlocks spare_;
};

TEST_F(SpareBlocksTest, ABlockIsForWhatNeedsNoLessAndNoMore) {
  for (std::size_t size = 0; BlockHeap::SmallUnitsFor(size) != 0; ++size) {
    void* const block = Block(size);
    const std::size_t has = BlockHeap::SizeOf(block);
    ASSERT_GE(has, size);
    ASSERT_EQ(BlockHeap::SmallUnitsOf(block), BlockHeap::SmallUnitsFor(size));
    EXPECT_TRUE(Put(block).is_empty());
    EXPECT_EQ(Take(has + 1), nullptr);
    const bool is_least = BlockHeap::SmallUnitsFor(0) == BlockHeap::SmallUnitsOf(block);
    EXPECT_EQ(is_least ? nullptr : Take(has - BlockHeap::kAlignment), nullptr);
    EXPECT_EQ(Take(size), block);
    EXPECT_EQ(Take(size), nullptr);
  }
  EXPECT_EQ(BlockHeap::SmallUnitsOf(Block(2000)), 0u);
}

TEST_F(SpareBlocksTest, TheNewestIsTheFirst) {
  void* const first = Block(100);
  void* const second = Block(100);
  EXPECT_TRUE(Put(first).is_empty());
  EXPECT_TRUE(Put(second).is_empty());
  EXPECT_EQ(Take(100), second);
  EXPECT_EQ(Take(100), first);
}

TEST_F(SpareBlocksTest, IfThereAreTooManyAllComeBack) {
  std::set<void*> blocks;
  for (int round = 0; round < 3; ++round) {
    std::size_t bytes = 0;
    BlockList back;
    while (back.is_empty()) {
      ASSERT_LE(bytes, SpareBlocks::kMostBytes);
      void* const block = Block(blocks.size() % 2 == 0 ? 40 : 600);
      blocks.insert(block);
      bytes += BlockHeap::SizeOf(block) + BlockHeap::kAlignment;
      back = Put(block);
    }
    EXPECT_GT(bytes, SpareBlocks::kMostBytes);
    EXPECT_EQ(In(back), blocks);
    EXPECT_EQ(Take(40), nullptr);
    EXPECT_EQ(Take(600), nullptr);
    blocks.clear();
  }
}

TEST_F(SpareBlocksTest, ThoseOfAllThreadsAreTakenOut) {
  std::set<void*> blocks;
  for (int i = 0; i < 20; ++i) {
    void* const block = Block(100);
    blocks.insert(block);
    std::thread([&] { EXPECT_TRUE(Put(block).is_empty()); }).join();
  }
  EXPECT_EQ(In(spare_.TakeAll()), blocks);
  EXPECT_TRUE(spare_.TakeAll().is_empty());
}

TEST_F(SpareBlocksTest, ThreadsDoNotMeet) {
  EXPECT_TRUE(Put(Block(100)).is_empty());
  std::thread([&] { EXPECT_EQ(Take(100), nullptr); }).join();
  EXPECT_NE(Take(100), nullptr);
}

TEST_F(SpareBlocksTest, NoneIsSpareWhenTheHeapIsCleared) {
  EXPECT_TRUE(Put(Block(100)).is_empty());
  spare_.Clear();
  EXPECT_EQ(Take(100), nullptr);
  EXPECT_TRUE(spare_.TakeAll().is_empty());
  // Nor does it count.
  for (std::size_t bytes = 0; bytes + 128 <= SpareBlocks::kMostBytes; bytes += 128) {
    EXPECT_TRUE(Put(Block(112)).is_empty());
  }
}

TEST_F(SpareBlocksTest, ABlockIsNobodysUntilItIsTakenUp) {
  void* const block = heap_.Allocate(100, 1);
  const std::size_t units = BlockHeap::SmallUnitsOf(block);
  EXPECT_EQ(BlockHeap::HeapOf(block), &heap_);
  BlockHeap::SetAside(block);
  EXPECT_EQ(BlockHeap::HeapOf(block), nullptr);
  EXPECT_EQ(BlockHeap::SmallUnitsOf(block), units);
  heap_.TakeUp(block);
  EXPECT_EQ(BlockHeap::HeapOf(block), &heap_);
  // Its units are those that it has now.
  ASSERT_TRUE(heap_.Resize(block, 500));
  EXPECT_EQ(BlockHeap::SmallUnitsOf(block), BlockHeap::SmallUnitsFor(500));
  ASSERT_TRUE(heap_.Resize(block, 5000));
  EXPECT_EQ(BlockHeap::SmallUnitsOf(block), 0u);
  EXPECT_EQ(BlockHeap::HeapOf(block), &heap_);
}

}  // namespace
