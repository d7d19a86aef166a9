#include "filch/tbb_compat/src/block_class.h"

#include <cstddef>

#include "gtest/gtest.h"

namespace {

using filch::tbb_compat_internal::BlockClass;

TEST(BlockClassTest, EverySizeHasTheLeastClassThatIsLargeEnough) {
  for (std::size_t size = 0; size <= BlockClass::kMostBytes; ++size) {
    const unsigned block_class = BlockClass::For(size);
    ASSERT_GE(block_class, 1u);
    ASSERT_LE(block_class, BlockClass::kMost);
    ASSERT_GE(BlockClass::BytesOf(block_class), size);
    if (block_class > 1) {
      ASSERT_LT(BlockClass::BytesOf(block_class - 1), size);
    }
  }
}

TEST(BlockClassTest, LittleIsLost) {
  for (std::size_t size = 1; size <= BlockClass::kMostBytes; ++size) {
    const std::size_t lost = BlockClass::BytesOf(BlockClass::For(size)) - size;
    ASSERT_LT(lost, BlockClass::kUnit + size / 8) << size;
  }
  for (unsigned block_class = 1; block_class <= BlockClass::kMost; ++block_class) {
    EXPECT_EQ(BlockClass::BytesOf(block_class) % BlockClass::kUnit, 0u);
  }
}

}  // namespace
