// That a compiler keeps nothing of it in a register is what join_fast_path_test reads.
#include "filch/pool/in_memory.h"

#include <gtest/gtest.h>

namespace filch {
namespace pool_internal {
namespace {

TEST(InMemoryTest, HasTheValueThatItWasGiven) {
  int target = 3;
  const InMemory<int*> address(&target);
  const InMemory<int> number(7);
  *address.Get() = 4;
  EXPECT_EQ(target, 4);
  EXPECT_EQ(number.Get(), 7);
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
