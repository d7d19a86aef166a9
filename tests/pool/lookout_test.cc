#include "filch/pool/lookout.h"

#include <chrono>

#include "gtest/gtest.h"
#include "tests/pool/fake_clock.h"

namespace filch {
namespace pool_internal {
namespace {

using std::chrono::microseconds;

bool Never() { return false; }
void KeepCpu() {}

TEST(LookoutTest, TheWatchEndsWhenItSeesWhatItIsFor) {
  int looks = 0;
  const auto third = [&] { return ++looks == 3; };
  EXPECT_TRUE(WatchFor<FakeClock>(microseconds(20), third, Never, KeepCpu));
  EXPECT_EQ(looks, 3);
}

TEST(LookoutTest, TheWatchEndsWithTheTime) {
  int looks = 0;
  const auto nothing = [&] {
    ++looks;
    return false;
  };
  EXPECT_FALSE(WatchFor<FakeClock>(microseconds(20), nothing, Never, KeepCpu));
  EXPECT_EQ(looks, 20);
  EXPECT_FALSE(WatchFor<FakeClock>(microseconds(0), nothing, Never, KeepCpu));
  EXPECT_EQ(looks, 21);
}

TEST(LookoutTest, TheWatchYieldsBetweenTwoLooks) {
  int looks = 0;
  int yields = 0;
  const auto nothing = [&] {
    EXPECT_EQ(yields, looks);
    ++looks;
    return false;
  };
  EXPECT_FALSE(WatchFor<FakeClock>(microseconds(20), nothing, Never, [&yields] { ++yields; }));
  EXPECT_GT(yields, 10);
}

TEST(LookoutTest, TheWatchStopsWhenToldSo) {
  EXPECT_FALSE(WatchFor<FakeClock>(
      microseconds(20), [] { return true; }, [] { return true; }, KeepCpu));
}

TEST(LookoutTest, TheLookoutEndsWithTheCallOrTheTime) {
  int looks = 0;
  int yields = 0;
  const auto yield = [&] { ++yields; };
  StayOnLookout<FakeClock>(
      microseconds(20),
      [&] {
        ++looks;
        return false;
      },
      yield);
  EXPECT_EQ(yields, 20);
  EXPECT_EQ(looks % yields, 0);

  looks = 0;
  yields = 0;
  StayOnLookout<FakeClock>(
      microseconds(20), [&] { return ++looks == 5; }, yield);
  EXPECT_EQ(looks, 5);
  EXPECT_EQ(yields, 0);
}

// How often a thread yields that is on the lookout for so long, and of whose third yield others
// take so much.
int YieldsOf(microseconds time, int taken) {
  int yields = 0;
  StayOnLookout<FakeClock>(
      time, [] { return false; },
      [&] {
        if (++yields == 3) FakeClock::looks += taken;
      });
  return yields;
}

TEST(LookoutTest, TheLookoutEndsWhenOthersNeedTheCpu) {
  EXPECT_EQ(YieldsOf(microseconds(5000), 1000), 3);
}

TEST(LookoutTest, TheLookoutOutlastsWhatAHypervisorTakes) {
  EXPECT_EQ(YieldsOf(microseconds(1000), 200), 1000 - 200);
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
