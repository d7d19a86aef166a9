// What a thread executes that allocates of a pool of memory and frees again.
#include <tbb/memory_pool.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "gtest/gtest.h"
#include "tests/executed_instructions.h"

namespace filch {
namespace {

class PoolInstructionsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!ExecutedInstructions::IsAvailable()) {
      GTEST_SKIP() << "Nothing to check: this is not an x86-64 machine.";
    }
  }

  void AllocateAndFree(std::size_t size, int times) {
    for (int i = 0; i < times; ++i) {
      void* const memory = pool_.malloc(size);
      *static_cast<volatile char*>(memory) = 1;
      pool_.free(memory);
    }
  }
  // After one that makes what is missing.
  ExecutedInstructions Executed(std::size_t size, int times) {
    AllocateAndFree(size, 1);
    ExecutedInstructions executed;
    executed.Start();
    AllocateAndFree(size, times);
    executed.Stop();
    return executed;
  }
  void Check(std::size_t size, int limit) {
    const ExecutedInstructions one = Executed(size, 1);
    const ExecutedInstructions eleven = Executed(size, 11);
    EXPECT_EQ(one.locked(), 0);
    EXPECT_EQ(eleven.locked(), 0);
    const std::int64_t each = (eleven.all() - one.all()) / 10;
    RecordProperty("instructions_each", static_cast<int>(each));
    EXPECT_GT(each, limit / 3);
    EXPECT_LE(each, limit);
  }

  tbb::memory_pool<std::allocator<char>> pool_;
};

// The limits are a third more than gcc 12 makes.
TEST_F(PoolInstructionsTest, SmallBlocksLockNothing) { Check(100, 296); }

TEST_F(PoolInstructionsTest, BlocksOfSlabsLockNothing) { Check(8000, 308); }

TEST_F(PoolInstructionsTest, LargeBlocksLockNothing) { Check(1000000, 349); }

}  // namespace
}  // namespace filch
