#include "filch/pool/pace.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

constexpr std::uint32_t kMostUnits = ~std::uint32_t{0};
constexpr std::uint64_t kMostTicks = ~std::uint64_t{0};

TEST(PaceTest, OthersTakeAsLong) {
  const Pace pace{4, 1000};
  EXPECT_EQ(pace.TimeOf(4), 1000u);
  EXPECT_EQ(pace.TimeOf(1), 250u);
  EXPECT_EQ(pace.TimeOf(10), 2500u);
  EXPECT_EQ(pace.TimeOf(0), 0u);
  EXPECT_EQ(pace.UnitsIn(1000), 4u);
  EXPECT_EQ(pace.UnitsIn(100), 0u);
  EXPECT_EQ(pace.UnitsIn(2600), 10u);
}

TEST(PaceTest, UnitsThatTakeNoTime) {
  const Pace pace{8, 0};
  EXPECT_EQ(pace.TimeOf(kMostUnits), 0u);
  EXPECT_EQ(pace.UnitsIn(1000), 8000u);
}

// What is for ever still is when it is multiplied.
TEST(PaceTest, NothingOverflows) {
  constexpr std::uint64_t kTwoSeconds = std::uint64_t{1} << 31;
  EXPECT_EQ((Pace{1, kMostTicks}.TimeOf(1)), kTwoSeconds);
  EXPECT_EQ((Pace{1, kMostTicks}.TimeOf(kMostUnits)), kTwoSeconds * kMostUnits);
  EXPECT_EQ((Pace{kMostUnits, kMostTicks}.TimeOf(kMostUnits)), kTwoSeconds);
  EXPECT_EQ((Pace{kMostUnits, 1}.UnitsIn(kMostUnits)), std::uint64_t{kMostUnits} * kMostUnits);
  EXPECT_EQ((Pace{kMostUnits, kMostTicks}.UnitsIn(kMostUnits)), 0u);
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
