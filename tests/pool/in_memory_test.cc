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

// The value that a function was given, and then gives to another one.
template <typename Keep>
bool IsKnownToTheCompiler(const Keep& keep) {
  return __builtin_constant_p(keep());
}

TEST(InMemoryTest, TheCompilerDoesNotKnowIt) {
  EXPECT_FALSE(IsKnownToTheCompiler([] { return InMemory<int>(7).Get(); }));
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
