// How long threads look for work, on a clock that goes on when it is looked at.
#include "filch/pool/search.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

#include "filch/pool/next_task.h"
#include "filch/pool/patience.h"
#include "filch/pool/task.h"
#include "gtest/gtest.h"
#include "tests/pool/no_task.h"

namespace filch {
namespace pool_internal {
namespace {

using std::chrono::microseconds;

// Every look takes a microsecond.
struct FakeClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<FakeClock>;

  static time_point now() { return time_point(microseconds(looks++)); }
  static int looks;
};
int FakeClock::looks = 0;

// Finds `task` in round `found_in`, by rule 6.
class Script {
 public:
  Choice Inherit(Task*, Rule) { return {}; }
  void PushOwn(Task&) {}
  Choice PopOwn() { return {}; }
  Choice TakeMail() { return {}; }
  Choice TakeShared() { return {}; }
  Choice Steal() {
    resorts.push_back(last_resort_);
    if (static_cast<int>(resorts.size()) != found_in) return {};
    return {&task, 0, Rule::kSteal};
  }
  bool SeesQueued() {
    if (!pauses) return true;
    if (looks_at_queue.size() < resorts.size()) looks_at_queue.resize(resorts.size());
    ++looks_at_queue.back();
    return false;
  }
  void set_last_resort(bool last_resort) { last_resort_ = last_resort; }
  bool last_resort() const { return last_resort_; }
  void Insist() { insisted.push_back(resorts.size()); }

  NoTask task;
  int found_in = 0;
  std::vector<bool> resorts;          // of each round
  std::vector<std::size_t> insisted;  // before which round
  bool pauses = false;
  std::vector<int> looks_at_queue;  // after each round

 private:
  bool last_resort_ = false;
};

bool Never() { return false; }

// A search of a thread that has learned nothing.
template <typename Stop>
Choice SearchOnce(Script& sources, std::chrono::nanoseconds spin, const Stop& stop) {
  Patience patience;
  return Search<FakeClock>(sources, spin, stop, patience);
}

TEST(SearchTest, WithoutTimeLooksOnceAndEverywhere) {
  Script sources;
  EXPECT_FALSE(SearchOnce(sources, microseconds(0), Never));
  EXPECT_EQ(sources.resorts, std::vector<bool>{true});
  EXPECT_FALSE(sources.last_resort());
}

TEST(SearchTest, LooksUntilTheTimeIsOver) {
  Script sources;
  EXPECT_FALSE(SearchOnce(sources, microseconds(50), Never));
  // The clock is looked at before each round, once before the first, and when it insists.
  ASSERT_EQ(sources.resorts.size() + sources.insisted.size(), 50u);
  for (std::size_t i = 0; i + 1 < sources.resorts.size(); ++i) EXPECT_FALSE(sources.resorts[i]);
  EXPECT_TRUE(sources.resorts.back());
}

TEST(SearchTest, ReturnsWhatItFinds) {
  Script sources;
  sources.found_in = 3;
  const Choice choice = SearchOnce(sources, microseconds(50), Never);
  EXPECT_EQ(choice.task, &sources.task);
  EXPECT_EQ(sources.resorts.size(), 3u);
  EXPECT_FALSE(sources.last_resort());
}

TEST(SearchTest, InsistsWhenItHasLookedForLong) {
  Script sources;
  sources.found_in = 18;
  EXPECT_TRUE(SearchOnce(sources, microseconds(50), Never));
  // Each round takes a microsecond.
  EXPECT_EQ(sources.insisted, (std::vector<std::size_t>{4, 9, 14}));
}

TEST(SearchTest, DoesNotInsistOnWhatItFindsSoon) {
  Script sources;
  sources.found_in = 4;
  EXPECT_TRUE(SearchOnce(sources, microseconds(50), Never));
  EXPECT_TRUE(sources.insisted.empty());
}

TEST(SearchTest, StopsWhenToldSo) {
  Script sources;
  sources.found_in = 1;
  EXPECT_FALSE(SearchOnce(sources, microseconds(50), [] { return true; }));
  EXPECT_TRUE(sources.resorts.empty());
}

TEST(SearchTest, PausesForLongerTheLongerItLooks) {
  Script sources;
  sources.pauses = true;
  EXPECT_FALSE(SearchOnce(sources, microseconds(100), Never));
  const std::vector<int>& pauses = sources.looks_at_queue;
  ASSERT_GT(pauses.size(), 50u);
  EXPECT_EQ(std::vector<int>(pauses.begin(), pauses.begin() + 6),
            (std::vector<int>{1, 2, 4, 8, 16, 32}));
  int total = 0;
  for (const int pause : pauses) {
    EXPECT_LE(pause, 32 + total / 16);
    total += pause;
  }
  EXPECT_TRUE(std::is_sorted(pauses.begin(), pauses.end()));
  EXPECT_EQ(pauses.back(), 128);
}

TEST(SearchTest, StopsInALongPause) {
  Script sources;
  sources.pauses = true;
  const std::vector<int>& pauses = sources.looks_at_queue;
  const auto after_seventy = [&] { return !pauses.empty() && pauses.back() >= 70; };
  EXPECT_FALSE(SearchOnce(sources, microseconds(1000), after_seventy));
  EXPECT_EQ(pauses.size(), sources.resorts.size());
  EXPECT_GE(pauses.back(), 70);
  EXPECT_LT(pauses.back(), 70 + 32);
}

TEST(SearchTest, PausesAfterItsFirstLookForAsLongAsItIsPatient) {
  Script sources;
  Patience patience;
  // Each look takes a microsecond, and so does what it finds.
  for (int i = 0; i < 2; ++i) {
    sources.resorts.clear();
    sources.found_in = 2;
    EXPECT_TRUE(Search<FakeClock>(sources, microseconds(50), Never, patience));
  }
  sources.pauses = true;
  sources.resorts.clear();
  sources.found_in = 0;
  EXPECT_FALSE(Search<FakeClock>(sources, microseconds(50), Never, patience));
  EXPECT_GE(patience.pause(), 32);
  EXPECT_EQ(sources.looks_at_queue.front(), patience.pause());
  EXPECT_TRUE(std::is_sorted(sources.looks_at_queue.begin(), sources.looks_at_queue.end()));
}

TEST(SearchTest, WorkThatIsFoundAtOnceIsNotPutDownToPatience) {
  Script sources;
  Patience patience;
  sources.found_in = 2;
  EXPECT_TRUE(Search<FakeClock>(sources, microseconds(50), Never, patience));
  for (int i = 0; i < 20; ++i) {
    sources.resorts.clear();
    sources.found_in = 1;
    EXPECT_TRUE(Search<FakeClock>(sources, microseconds(50), Never, patience));
  }
  sources.resorts.clear();
  sources.found_in = 0;
  EXPECT_FALSE(Search<FakeClock>(sources, microseconds(50), Never, patience));
  EXPECT_EQ(patience.pause(), 1);
}

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

TEST(SearchTest, LooksSeveralTimes) {
  for (int most = 1; most <= 5; ++most) {
    LookingForNothing nothing;
    const Looked<bool> looked = LookUpTo(most, nothing, Always);
    EXPECT_FALSE(looked.found);
    EXPECT_FALSE(looked.displaced);
    EXPECT_EQ(looked.times, most);
    EXPECT_EQ(nothing.looks, most);
  }
}

TEST(SearchTest, ALaterLookEndsItIfItFinds) {
  LookingForNothing nothing;
  nothing.found_in = 3;
  const Looked<bool> looked = LookUpTo(9, nothing, Always);
  EXPECT_TRUE(looked.found);
  EXPECT_EQ(looked.times, 3);
  EXPECT_EQ(nothing.looks, 3);
}

TEST(SearchTest, LooksOnceWithoutTime) {
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

TEST(SearchTest, LooksNoMoreWhenTheTimeWasTakenMeanwhile) {
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

TEST(SearchTest, LooksNoMoreWhenToldSo) {
  LookingForNothing nothing;
  EXPECT_EQ(LookUpTo(9, nothing, [&nothing] { return nothing.looks < 2; }).times, 2);
  EXPECT_EQ(nothing.looks, 2);
}

TEST(SearchTest, LooksNoMoreWhenOthersTookTheCpu) {
  LookingForNothing nothing(kAway + kLook);
  const Looked<bool> looked = LookUpTo(9, nothing, Always);
  EXPECT_TRUE(looked.displaced);
  EXPECT_EQ(looked.times, 3);
  EXPECT_EQ(nothing.looks, 3);
}

TEST(SearchTest, LooksOnAfterWhatAHypervisorTakes) {
  LookingForNothing nothing(kAway / 2);
  const Looked<bool> looked = LookUpTo(9, nothing, Always);
  EXPECT_FALSE(looked.displaced);
  EXPECT_EQ(looked.times, 9);
}

TEST(SearchTest, ASearchForATaskIsALook) {
  Script sources;
  sources.found_in = 6;
  const auto looked = LookSeveralTimes<FakeClock>(
      TimeOfALook, 9,
      [&sources](std::chrono::nanoseconds time) { return SearchOnce(sources, time, Never); },
      Always);
  EXPECT_EQ(looked.found.task, &sources.task);
  EXPECT_EQ(looked.times, 2);
  // Each search in vain ends with a look at what others may come for.
  EXPECT_EQ(std::count(sources.resorts.begin(), sources.resorts.end(), true), 1);
}

TEST(SearchTest, TheWatchEndsWhenItSeesWhatItIsFor) {
  int looks = 0;
  const auto third = [&] { return ++looks == 3; };
  EXPECT_TRUE(WatchFor<FakeClock>(microseconds(20), third, Never));
  EXPECT_EQ(looks, 3);
}

TEST(SearchTest, TheWatchEndsWithTheTime) {
  int looks = 0;
  const auto nothing = [&] {
    ++looks;
    return false;
  };
  EXPECT_FALSE(WatchFor<FakeClock>(microseconds(20), nothing, Never));
  EXPECT_EQ(looks, 20);
  EXPECT_FALSE(WatchFor<FakeClock>(microseconds(0), nothing, Never));
  EXPECT_EQ(looks, 21);
}

TEST(SearchTest, TheWatchStopsWhenToldSo) {
  EXPECT_FALSE(WatchFor<FakeClock>(
      microseconds(20), [] { return true; }, [] { return true; }));
}

TEST(SearchTest, TheLookoutEndsWithTheCallOrTheTime) {
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

TEST(SearchTest, TheLookoutEndsWhenOthersNeedTheCpu) {
  int yields = 0;
  StayOnLookout<FakeClock>(
      microseconds(5000), [] { return false; },
      [&] {
        if (++yields == 3) FakeClock::looks += 1000;
      });
  EXPECT_EQ(yields, 3);
}

TEST(SearchTest, TheLookoutOutlastsWhatAHypervisorTakes) {
  int yields = 0;
  StayOnLookout<FakeClock>(
      microseconds(1000), [] { return false; },
      [&] {
        if (++yields == 3) FakeClock::looks += 200;
      });
  EXPECT_EQ(yields, 1000 - 200);
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
