#include "filch/deque/tagged_slot.h"

#include <cstdint>

#include "filch/topology/std_atomics.h"
#include "gtest/gtest.h"

namespace filch {
namespace deque_internal {
namespace {

TEST(TaggedSlotTest, ItemAndMetaTravelTogether) {
  TaggedSlot<int, StdAtomics> slot;
  slot.Write(3, ~std::uint64_t{0});
  TaggedSlot<int, StdAtomics> copy;
  copy.CopyFrom(slot);
  int item = 7;
  std::uint64_t meta = 7;
  copy.Read(&item, &meta);
  EXPECT_EQ(item, 3);
  EXPECT_EQ(meta, ~std::uint64_t{0});
}

}  // namespace
}  // namespace deque_internal
}  // namespace filch
