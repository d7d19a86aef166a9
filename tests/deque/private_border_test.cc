#include "filch/deque/private_border.h"

#include <atomic>

#include "gtest/gtest.h"

namespace filch {
namespace deque_internal {
namespace {

int heavy_fences = 0;

struct WithFences {
  template <typename T>
  using Atomic = std::atomic<T>;
  static bool IsAsymmetric() { return true; }
  static void LightFence() {}
  static void HeavyFence() { ++heavy_fences; }
};

struct WithoutFences : WithFences {
  static bool IsAsymmetric() { return false; }
};

TEST(PrivateBorderTest, TheOwnerTakesWhatIsAboveTheBorder) {
  int slots[20] = {};
  const PrivateBorder<int, WithFences> border(slots + 5);
  EXPECT_EQ(border.split(), slots + 5);
  EXPECT_TRUE(border.OwnerMayTake(slots + 5));
  EXPECT_TRUE(border.OwnerMayTake(slots + 17));
  EXPECT_FALSE(border.OwnerMayTake(slots + 4));
}

TEST(PrivateBorderTest, AWarningKeepsTheOwnerOffUntilTheBorderIsMoved) {
  int slots[20] = {};
  PrivateBorder<int, WithFences> border(slots + 10);
  const int before = heavy_fences;
  border.WarnOff(slots + 14);
  EXPECT_EQ(heavy_fences, before + 1);
  EXPECT_EQ(border.split(), slots + 10);
  EXPECT_FALSE(border.OwnerMayTake(slots + 13));
  EXPECT_TRUE(border.OwnerMayTake(slots + 14));
  border.MoveTo(slots + 12);
  EXPECT_EQ(border.split(), slots + 12);
  EXPECT_TRUE(border.OwnerMayTake(slots + 12));
  EXPECT_FALSE(border.OwnerMayTake(slots + 11));
}

TEST(PrivateBorderTest, WithoutFencesTheOwnerAlwaysAsks) {
  int slots[20] = {};
  PrivateBorder<int, WithoutFences> border(slots);
  const int before = heavy_fences;
  EXPECT_FALSE(border.OwnerMayTake(slots));
  border.WarnOff(slots + 5);
  border.MoveTo(slots + 5);
  EXPECT_EQ(heavy_fences, before);
  EXPECT_EQ(border.split(), slots + 5);
  EXPECT_FALSE(border.OwnerMayTake(slots + 19));
}

}  // namespace
}  // namespace deque_internal
}  // namespace filch
