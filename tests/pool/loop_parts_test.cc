#include "filch/pool/loop_parts.h"

#include <cstdint>
#include <set>

#include "filch/partitioner/stealing_range.h"
#include "filch/partitioner/unit_interval.h"
#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

// Begins with this part.
class From {
 public:
  explicit From(int first) : first_(first) {}
  int operator()(int count) const {
    EXPECT_GT(count, 1);
    EXPECT_LT(first_, count);
    return first_;
  }

 private:
  const int first_;
};

// So many parts that hold nothing.
class LoopPartsTest : public testing::Test {
 protected:
  static constexpr int kParts = 4;

  LoopPartsTest() { parts_.Publish(kParts - 1); }

  // Part i has the units from 100 i on.
  void Fill(int part, std::uint32_t units) {
    const auto begin = static_cast<std::uint32_t>(100 * part);
    parts_.Fill(parts_.at(part), {begin, begin + units});
  }
  std::uint32_t Left(int part) { return parts_.at(part).range.remaining(); }

  LoopParts parts_{kParts, 0};
};

TEST_F(LoopPartsTest, WhereNobodyHasAnythingNothingIsFound) {
  EXPECT_TRUE(parts_.Steal(From(0)).empty());
  EXPECT_TRUE(parts_.StealAfterTaking(From(0)).empty());
}

TEST_F(LoopPartsTest, KnowsHowMuchTheOneHasOfTheOthersWhoHasMost) {
  EXPECT_EQ(parts_.MostRemaining(0), 0u);
  Fill(1, 10);
  Fill(3, 5);
  EXPECT_EQ(parts_.MostRemaining(0), 10u);
  EXPECT_EQ(parts_.MostRemaining(1), 5u);
  parts_.at(1).range.Claim(8);
  EXPECT_EQ(parts_.MostRemaining(0), 5u);
}

TEST_F(LoopPartsTest, TheUpperHalfIsTakenOfTheFirstThatHasSome) {
  Fill(1, 10);
  Fill(3, 20);
  const UnitInterval units = parts_.Steal(From(2));
  EXPECT_EQ(units.begin, 310u);
  EXPECT_EQ(units.end, 320u);
  EXPECT_EQ(Left(3), 10u);
  EXPECT_EQ(Left(1), 10u);
}

TEST_F(LoopPartsTest, TheSearchGoesRoundToThePartsBeforeTheFirst) {
  Fill(1, 1);
  const UnitInterval units = parts_.Steal(From(2));
  EXPECT_EQ(units.begin, 100u);
  EXPECT_EQ(units.size(), 1u);
  EXPECT_TRUE(parts_.Steal(From(2)).empty());
}

TEST_F(LoopPartsTest, NothingIsTakenOfWhoHasFewer) {
  for (int part = 0; part < kParts; ++part) Fill(part, 7);
  EXPECT_TRUE(parts_.Steal(From(0), 8).empty());
  for (int part = 0; part < kParts; ++part) EXPECT_EQ(Left(part), 7u);
}

TEST_F(LoopPartsTest, HalfIsTakenOfWhoHasAsMany) {
  for (int part = 0; part < kParts; ++part) Fill(part, part == 2 ? 8 : 7);
  const UnitInterval units = parts_.Steal(From(0), 8);
  EXPECT_EQ(units.begin, 204u);
  EXPECT_EQ(units.end, 208u);
  EXPECT_EQ(Left(2), 4u);
  for (const int part : {0, 1, 3}) EXPECT_EQ(Left(part), 7u);
  EXPECT_TRUE(parts_.Steal(From(0), 8).empty());
}

TEST_F(LoopPartsTest, WhoHasTakenAnInvitationLooksForTheLastUnit) {
  Fill(3, 1);
  EXPECT_TRUE(parts_.Steal(From(0), 2).empty());
  parts_.CountInvitation();
  EXPECT_EQ(parts_.open_invitations(), 1);
  parts_.CountTaken();
  EXPECT_EQ(parts_.open_invitations(), 0);
  EXPECT_EQ(parts_.StealAfterTaking(From(0)).size(), 1u);
}

TEST_F(LoopPartsTest, WhoIsAloneNeedsNoRandomNumber) {
  LoopParts parts(kParts, 0);
  parts.Fill(parts.at(0), {0, 2});
  const auto none = [](int) -> int {
    ADD_FAILURE();
    return 0;
  };
  EXPECT_EQ(parts.Steal(none).size(), 1u);
}

TEST(LoopPartsOfManyTest, EachUnitIsTakenOnceOfManyParts) {
  // More than fit into the object, and the first thread is in the last one.
  constexpr int kMany = 100;
  constexpr std::uint32_t kEach = 5;
  LoopParts parts(kMany, kMany - 1);
  for (int part = 0; part < kMany; ++part) {
    const auto begin = static_cast<std::uint32_t>(part) * kEach;
    parts.Fill(parts.at(part), {begin, begin + kEach});
  }
  std::set<std::uint32_t> taken;
  for (;;) {
    const UnitInterval units = parts.Steal(From(kMany / 2));
    if (units.empty()) break;
    for (std::uint32_t unit = units.begin; unit != units.end; ++unit) {
      EXPECT_TRUE(taken.insert(unit).second) << unit;
    }
  }
  EXPECT_EQ(taken.size(), kMany * kEach);
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
