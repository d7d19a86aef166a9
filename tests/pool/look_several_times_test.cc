#include "filch/pool/look_several_times.h"

#include <chrono>

#include "filch/pool/displacement.h"
#include "gtest/gtest.h"
#include "tests/pool/fake_clock.h"

namespace filch {
namespace pool_internal {
namespace {

using std::chrono::microseconds;

constexpr microseconds kLook(4);

// Looks for nothing; each look takes as long as it may, and the last one `more` than that.
class LookingForNothing {
 public:
  explicit LookingForNothing(microseconds more = {}) : more_(more) {}
  bool operator()(std::chrono::nanoseconds time) {
    FakeClock::looks += static_cast<int>(time / microseconds(1));
    if (++looks == found_in) return true;
    if (looks == 3) FakeClock::looks += static_cast<int>(more_ / microseconds(1));
    return false;
  }
  int looks = 0;
  int found_in = 0;

 private:
  const microseconds more_;
};

bool Always() { return true; }
std::chrono::nanoseconds TimeOfALook() { return kLook; }

template <typename GoesOn>
Looked<bool> LookUpTo(int most, LookingForNothing& nothing, const GoesOn& goes_on) {
  return LookSeveralTimes<FakeClock>(
      TimeOfALook, most, [&nothing](std::chrono::nanoseconds time) { return nothing(time); },
      goes_on);
}

TEST(LookSeveralTimesTest, LooksAsOftenAsItMay) {
  for (int most = 1; most <= 5; ++most) {
    LookingForNothing nothing;
    const Looked<bool> looked = LookUpTo(most, nothing, Always);
    EXPECT_FALSE(looked.found);
    EXPECT_FALSE(looked.displaced);
    EXPECT_EQ(looked.times, most);
    EXPECT_EQ(nothing.looks, most);
  }
}

TEST(LookSeveralTimesTest, ALaterLookEndsItIfItFinds) {
  LookingForNothing nothing;
  nothing.found_in = 3;
  const Looked<bool> looked = LookUpTo(9, nothing, Always);
  EXPECT_TRUE(looked.found);
  EXPECT_EQ(looked.times, 3);
  EXPECT_EQ(nothing.looks, 3);
}

TEST(LookSeveralTimesTest, LooksOnceWithoutTime) {
  int looks = 0;
  const Looked<bool> looked =
      LookSeveralTimes<FakeClock>([] { return std::chrono::nanoseconds(0); }, 9,
                                  [&looks](std::chrono::nanoseconds) {
                                    ++looks;
                                    return false;
                                  },
                                  Always);
  EXPECT_EQ(looked.times, 1);
  EXPECT_EQ(looks, 1);
}

TEST(LookSeveralTimesTest, LooksNoMoreWhenTheTimeWasTakenMeanwhile) {
  int looks = 0;
  const Looked<bool> looked = LookSeveralTimes<FakeClock>(
      [&looks] { return looks == 0 ? TimeOfALook() : std::chrono::nanoseconds(0); }, 9,
      [&looks](std::chrono::nanoseconds) {
        ++looks;
        return false;
      },
      Always);
  EXPECT_EQ(looked.times, 2);
}

TEST(LookSeveralTimesTest, LooksNoMoreWhenToldSo) {
  LookingForNothing nothing;
  EXPECT_EQ(LookUpTo(9, nothing, [&nothing] { return nothing.looks < 2; }).times, 2);
  EXPECT_EQ(nothing.looks, 2);
}

TEST(LookSeveralTimesTest, LooksNoMoreWhenOthersTookTheCpu) {
  LookingForNothing nothing(kDisplaced + kLook);
  const Looked<bool> looked = LookUpTo(9, nothing, Always);
  EXPECT_TRUE(looked.displaced);
  EXPECT_EQ(looked.times, 3);
  EXPECT_EQ(nothing.looks, 3);
}

TEST(LookSeveralTimesTest, LooksOnAfterWhatAHypervisorTakes) {
  LookingForNothing nothing(kDisplaced / 2);
  const Looked<bool> looked = LookUpTo(9, nothing, Always);
  EXPECT_FALSE(looked.displaced);
  EXPECT_EQ(looked.times, 9);
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
