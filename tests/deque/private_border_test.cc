#include "filch/deque/private_border.h"

#include <atomic>
#include <cstdint>

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
  const PrivateBorder<WithFences> border(-5);
  EXPECT_EQ(border.split(), -5);
  EXPECT_TRUE(border.OwnerMayTake(-5));
  EXPECT_TRUE(border.OwnerMayTake(7));
  EXPECT_FALSE(border.OwnerMayTake(-6));
}

TEST(PrivateBorderTest, AWarningKeepsTheOwnerOffUntilTheBorderIsMoved) {
  PrivateBorder<WithFences> border(10);
  const int before = heavy_fences;
  border.WarnOff(14);
  EXPECT_EQ(heavy_fences, before + 1);
  EXPECT_EQ(border.split(), 10);
  EXPECT_FALSE(border.OwnerMayTake(13));
  EXPECT_TRUE(border.OwnerMayTake(14));
  border.MoveTo(12);
  EXPECT_EQ(border.split(), 12);
  EXPECT_TRUE(border.OwnerMayTake(12));
  EXPECT_FALSE(border.OwnerMayTake(11));
}

TEST(PrivateBorderTest, WithoutFencesTheOwnerAlwaysAsks) {
  PrivateBorder<WithoutFences> border(0);
  const int before = heavy_fences;
  EXPECT_FALSE(border.OwnerMayTake(0));
  border.WarnOff(5);
  border.MoveTo(5);
  EXPECT_EQ(heavy_fences, before);
  EXPECT_EQ(border.split(), 5);
  EXPECT_FALSE(border.OwnerMayTake(std::int64_t{1} << 62));
}

}  // namespace
}  // namespace deque_internal
}  // namespace filch
