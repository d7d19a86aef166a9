#include "filch/tbb_compat/src/held_blocks.h"

#include <cstddef>
#include <memory>
#include <vector>

#include "filch/tbb_compat/src/block_list.h"
#include "gtest/gtest.h"

namespace {

using filch::tbb_compat_internal::BlockList;
using filch::tbb_compat_internal::HeldBlocks;

constexpr std::size_t kMost = 4;
constexpr std::size_t kMostBytes = 1000;

class HeldBlocksTest : public testing::Test {
 protected:
  void* Block() {
    memory_.push_back(std::make_unique<Memory>());
    return memory_.back()->bytes;
  }
  // Those that are too many, the one that was pushed last first.
  static std::vector<void*> All(BlockList list) {
    std::vector<void*> all;
    while (!list.is_empty()) all.push_back(list.Pop());
    return all;
  }
  std::vector<void*> Hold(void* block, std::size_t size) { return All(held_.Hold(block, size)); }

  HeldBlocks<kMost, kMostBytes> held_;

 private:
  struct alignas(64) Memory {
    unsigned char bytes[64];
  };
  std::vector<std::unique_ptr<Memory>> memory_;
};

using Blocks = std::vector<void*>;

TEST_F(HeldBlocksTest, GivesTheLatestThatFits) {
  void* const small = Block();
  void* const first = Block();
  void* const second = Block();
  EXPECT_EQ(Hold(first, 200), Blocks{});
  EXPECT_EQ(Hold(second, 200), Blocks{});
  EXPECT_EQ(Hold(small, 100), Blocks{});
  EXPECT_EQ(held_.Take(201, 300, 1), nullptr);
  EXPECT_EQ(held_.Take(101, 199, 1), nullptr);
  EXPECT_EQ(held_.Take(101, 200, 1), second);
  EXPECT_EQ(held_.Take(200, 200, 1), first);
  EXPECT_EQ(held_.Take(100, 200, 1), small);
  EXPECT_EQ(held_.Take(0, kMostBytes, 1), nullptr);
}

TEST_F(HeldBlocksTest, GivesWhatIsAligned) {
  auto* const block = static_cast<unsigned char*>(Block());
  EXPECT_EQ(Hold(block + 16, 40), Blocks{});
  EXPECT_EQ(held_.Take(40, 40, 32), nullptr);
  EXPECT_EQ(held_.Take(40, 40, 16), block + 16);
}

TEST_F(HeldBlocksTest, OfTooManyTheOlderHalfComesBack) {
  Blocks blocks;
  for (std::size_t i = 0; i < kMost; ++i) {
    blocks.push_back(Block());
    EXPECT_EQ(Hold(blocks.back(), 10), Blocks{});
  }
  void* const last = Block();
  EXPECT_EQ(Hold(last, 10), (Blocks{blocks[1], blocks[0]}));
  EXPECT_EQ(All([&] {
              BlockList all;
              held_.GiveUp(&all);
              return all;
            }()),
            (Blocks{last, blocks[3], blocks[2]}));
  EXPECT_EQ(held_.Take(10, 10, 1), nullptr);
}

TEST_F(HeldBlocksTest, OfTooManyBytesAsManyHalvesComeBackAsItTakes) {
  Blocks blocks;
  for (int i = 0; i < 3; ++i) {
    blocks.push_back(Block());
    EXPECT_EQ(Hold(blocks.back(), kMostBytes / 3), Blocks{});
  }
  void* const large = Block();
  EXPECT_EQ(Hold(large, kMostBytes), (Blocks{blocks[2], blocks[1], blocks[0]}));
  // What has come back and what was taken counts no more.
  EXPECT_EQ(held_.Take(kMostBytes, kMostBytes, 1), large);
  EXPECT_EQ(Hold(large, kMostBytes), Blocks{});
}

TEST_F(HeldBlocksTest, NothingIsLeftWhenItIsCleared) {
  EXPECT_EQ(Hold(Block(), kMostBytes), Blocks{});
  held_.Clear();
  EXPECT_EQ(held_.Take(0, kMostBytes, 1), nullptr);
  EXPECT_EQ(Hold(Block(), kMostBytes), Blocks{});
}

}  // namespace
