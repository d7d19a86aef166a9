// How long threads look for work, on a clock that goes on when it is looked at.
#include "filch/pool/search.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

#include "filch/pool/look_several_times.h"
#include "filch/pool/next_task.h"
#include "filch/pool/patience.h"
#include "filch/pool/task.h"
#include "gtest/gtest.h"
#include "tests/pool/fake_clock.h"
#include "tests/pool/no_task.h"

namespace filch {
namespace pool_internal {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

// Finds nothing by rules 1 to 5.
class NothingBeforeRule6 {
 public:
  Choice Inherit(Task*, Rule) { return {}; }
  void PushOwn(Task&) {}
  Choice PopOwn() { return {}; }
  Choice TakeMail() { return {}; }
  Choice TakeShared() { return {}; }
};

// Finds `task` in round `found_in`, by rule 6.
class Script : public NothingBeforeRule6 {
 public:
  Choice Steal() {
    EXPECT_FALSE(pauses);
    reaches.push_back(reach_);
    if (static_cast<int>(reaches.size()) != found_in) return {};
    return {&task, 0, Rule::kSteal};
  }
  static bool SeesQueued() { return true; }  // so that nobody pauses
  static bool SeesMail() { return false; }
  static bool SeesStealable() { return false; }
  static bool ExpectsWork() { return false; }
  void set_reach(Reach reach) { reach_ = reach; }
  Reach reach() const { return reach_; }
  void BeginPause() { pauses = true; }
  void EndPause() { pauses = false; }
  void BeginSearch() { ++searches; }
  void Insist(bool force) {
    EXPECT_EQ(force, !insisted.empty());
    insisted.push_back(reaches.size());
  }

  NoTask task;
  int found_in = 0;
  int searches = 0;
  bool pauses = false;
  std::vector<Reach> reaches;         // of each round
  std::vector<std::size_t> insisted;  // before which round

 private:
  Reach reach_ = Reach::kOneThread;
};

bool Never() { return false; }
void KeepCpu() {}

// A search of a thread that has learned nothing.
template <typename Stop>
Choice SearchOnce(Script& sources, std::chrono::nanoseconds spin, const Stop& stop) {
  Patience patience;
  return Search<FakeClock>(sources, spin, stop, patience, KeepCpu);
}

TEST(SearchTest, WithoutTimeLooksOnceAndEverywhere) {
  Script sources;
  EXPECT_FALSE(SearchOnce(sources, microseconds(0), Never));
  EXPECT_EQ(sources.reaches, std::vector<Reach>{Reach::kLastResort});
  EXPECT_EQ(sources.reach(), Reach::kOneThread);
}

TEST(SearchTest, LooksUntilTheTimeIsOver) {
  Script sources;
  EXPECT_FALSE(SearchOnce(sources, microseconds(50), Never));
  // The clock is looked at before each round, once before the first, and when it insists.
  ASSERT_EQ(sources.reaches.size() + sources.insisted.size(), 50u);
  EXPECT_EQ(sources.searches, 1);
  EXPECT_EQ(sources.reaches.back(), Reach::kLastResort);
  sources.reaches.pop_back();
  for (const Reach reach : sources.reaches) EXPECT_EQ(reach, Reach::kOneThread);
}

TEST(SearchTest, ReturnsWhatItFinds) {
  Script sources;
  sources.found_in = 3;
  const Choice choice = SearchOnce(sources, microseconds(50), Never);
  EXPECT_EQ(choice.task, &sources.task);
  EXPECT_EQ(sources.reaches.size(), 3u);
  EXPECT_EQ(sources.reach(), Reach::kOneThread);
}

TEST(SearchTest, InsistsWhenItHasLookedForLong) {
  Script sources;
  sources.found_in = 18;
  EXPECT_TRUE(SearchOnce(sources, microseconds(50), Never));
  // Each round takes a microsecond, and to insist another one.
  EXPECT_EQ(sources.insisted, (std::vector<std::size_t>{2, 10, 15}));
}

TEST(SearchTest, DoesNotInsistOnWhatItFindsSoon) {
  Script sources;
  sources.found_in = 2;
  EXPECT_TRUE(SearchOnce(sources, microseconds(50), Never));
  EXPECT_TRUE(sources.insisted.empty());
}

TEST(SearchTest, StopsWhenToldSo) {
  Script sources;
  sources.found_in = 1;
  EXPECT_FALSE(SearchOnce(sources, microseconds(50), [] { return true; }));
  EXPECT_TRUE(sources.reaches.empty());
}

// A clock that goes on when it is looked at, a little, and when Timed says so.
struct FineClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<FineClock>;

  static time_point now() { return time += nanoseconds(20); }
  static time_point time;
};
FineClock::time_point FineClock::time{};

// Looks of 200 ns, pauses that take 10 ns for each look at the queue, in which nothing is.
class Timed : public NothingBeforeRule6 {
 public:
  Choice Steal() {
    looks.push_back(FineClock::time);
    FineClock::time += nanoseconds(200);
    if (static_cast<int>(looks.size()) != found_in) return {};
    return {&task, 0, Rule::kSteal};
  }
  static bool SeesQueued() {
    FineClock::time += nanoseconds(10);
    return false;
  }
  bool SeesMail() const { return FineClock::time >= mail_comes && FineClock::time < mail_goes; }
  bool SeesStealable() const { return FineClock::time >= others_share; }
  bool ExpectsWork() const { return expects_work; }
  void set_reach(Reach) {}
  void BeginPause() {}
  void EndPause() {}
  void BeginSearch() {}
  void Insist(bool) {}

  nanoseconds PauseAfterLook(std::size_t i) const {
    return looks[i + 1] - looks[i] - nanoseconds(200);
  }

  NoTask task;
  int found_in = 0;
  bool expects_work = false;
  FineClock::time_point mail_comes = FineClock::time_point::max();
  FineClock::time_point mail_goes = FineClock::time_point::max();
  FineClock::time_point others_share = FineClock::time_point::max();
  std::vector<FineClock::time_point> looks;
};

// Of a thread that has found work of 100 ns so many times.
Patience AfterShortWork(int times) {
  Patience patience;
  for (int i = 0; i < times; ++i) {
    patience.Found(FineClock::time.time_since_epoch(), microseconds(1));
    FineClock::time += nanoseconds(100);
    patience.BeginSearch(FineClock::time.time_since_epoch());
    patience.FoundNothingAtOnce();
  }
  return patience;
}

// As soon as they do.
void ExpectLookAtWhatOthersShare(const Timed& sources) {
  const auto next = std::find_if(sources.looks.begin(), sources.looks.end(),
                                 [&](auto look) { return look >= sources.others_share; });
  ASSERT_NE(next, sources.looks.end());
  EXPECT_LT(*next, sources.others_share + nanoseconds(100));
}

TEST(SearchTest, PausesForLongerTheLongerItLooks) {
  Timed sources;
  Patience patience;
  EXPECT_FALSE(Search<FineClock>(sources, microseconds(100), Never, patience, KeepCpu));
  ASSERT_GT(sources.looks.size(), 50u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_LT(sources.PauseAfterLook(i), nanoseconds(300));
  for (std::size_t i = 0; i + 2 < sources.looks.size(); ++i) {
    const nanoseconds looked = sources.looks[i] - sources.looks[0];
    EXPECT_LE(sources.PauseAfterLook(i), nanoseconds(1000) + looked / 16);
    EXPECT_LE(sources.PauseAfterLook(i), nanoseconds(3000));
  }
  EXPECT_GT(sources.PauseAfterLook(sources.looks.size() - 3), nanoseconds(2000));
}

TEST(SearchTest, AMailEndsAPause) {
  Timed sources;
  Patience patience = AfterShortWork(20);
  ASSERT_GT(patience.pause(), microseconds(2));
  sources.mail_comes = FineClock::time + microseconds(1);
  sources.found_in = 2;
  EXPECT_TRUE(Search<FineClock>(sources, microseconds(100), Never, patience, KeepCpu));
  ASSERT_EQ(sources.looks.size(), 2u);
  EXPECT_LT(sources.PauseAfterLook(0), nanoseconds(1700));
}

TEST(SearchTest, AMailThatIsTakenBackSoonDoesNotEndAPause) {
  Timed sources;
  Patience patience = AfterShortWork(20);
  sources.mail_comes = FineClock::time + microseconds(1);
  sources.mail_goes = sources.mail_comes + nanoseconds(200);
  sources.found_in = 2;
  EXPECT_TRUE(Search<FineClock>(sources, microseconds(100), Never, patience, KeepCpu));
  EXPECT_GT(sources.PauseAfterLook(0), nanoseconds(2000));
}

TEST(SearchTest, WhatOthersShareEndsAPause) {
  Timed sources;
  Patience patience;
  sources.others_share = FineClock::time + microseconds(20);
  EXPECT_FALSE(Search<FineClock>(sources, microseconds(25), Never, patience, KeepCpu));
  ExpectLookAtWhatOthersShare(sources);
}

TEST(SearchTest, NotThatOfAPatientThread) {
  Timed sources;
  Patience patience = AfterShortWork(20);
  sources.others_share = FineClock::time + microseconds(1);
  sources.found_in = 2;
  EXPECT_TRUE(Search<FineClock>(sources, microseconds(100), Never, patience, KeepCpu));
  EXPECT_GT(sources.PauseAfterLook(0), nanoseconds(2000));
}

TEST(SearchTest, OneThatExpectsWorkIsNotPatient) {
  Timed sources;
  sources.expects_work = true;
  Patience patience = AfterShortWork(20);
  sources.others_share = FineClock::time + microseconds(1);
  EXPECT_FALSE(Search<FineClock>(sources, microseconds(25), Never, patience, KeepCpu));
  ExpectLookAtWhatOthersShare(sources);
}

TEST(SearchTest, YieldsInAllButTheFirstPauses) {
  Timed sources;
  Patience patience;
  std::vector<std::size_t> yields;  // after so many looks
  const auto yield = [&] { yields.push_back(sources.looks.size()); };
  EXPECT_FALSE(Search<FineClock>(sources, microseconds(100), Never, patience, yield));
  ASSERT_FALSE(yields.empty());
  EXPECT_GT(yields.front(), 4u);
  EXPECT_LT(yields.front(), 10u);
  for (std::size_t look = yields.front(); look < sources.looks.size(); ++look) {
    EXPECT_GE(std::count(yields.begin(), yields.end(), look), 1) << look;
  }
}

// Sees something before round `seen_before`, and from then on if it stays.
class Seeing : public Script {
 public:
  Seeing(std::size_t seen_before, bool stays) : seen_before_(seen_before), stays_(stays) {}
  bool SeesQueued() const {
    return reaches.size() + 1 == seen_before_ || (stays_ && reaches.size() >= seen_before_);
  }

 private:
  const std::size_t seen_before_;
  const bool stays_;
};

// The rounds after which a search yields.
std::vector<std::size_t> YieldsOf(Seeing& sources) {
  std::vector<std::size_t> yields;
  const auto yield = [&] {
    if (yields.empty() || yields.back() != sources.reaches.size()) {
      yields.push_back(sources.reaches.size());
    }
  };
  Patience patience;
  Search<FakeClock>(sources, microseconds(100), Never, patience, yield);
  return yields;
}

TEST(SearchTest, DoesNotYieldBeforeItTakesWhatItSees) {
  constexpr std::size_t kRound = 12;
  Seeing sources(kRound, false);
  const std::vector<std::size_t> yields = YieldsOf(sources);
  const auto yields_after = [&yields](std::size_t round) {
    return std::count(yields.begin(), yields.end(), round) != 0;
  };
  EXPECT_TRUE(yields_after(kRound - 2));
  EXPECT_FALSE(yields_after(kRound - 1));
  EXPECT_TRUE(yields_after(kRound));
}

TEST(SearchTest, YieldsWhileWhatItSeesIsNotThere) {
  constexpr std::size_t kRound = 12;
  Seeing sources(kRound, true);
  const std::vector<std::size_t> yields = YieldsOf(sources);
  for (std::size_t round = kRound; round < sources.reaches.size(); ++round) {
    EXPECT_EQ(std::count(yields.begin(), yields.end(), round), 1) << round;
  }
}

// A patient search that is told to stop so long after its last look; how long after that it ends.
nanoseconds EndAfterLastLook(Timed& sources, nanoseconds told) {
  Patience patience = AfterShortWork(10);
  const auto stop = [&] {
    return !sources.looks.empty() && FineClock::time - sources.looks.back() > told;
  };
  EXPECT_FALSE(Search<FineClock>(sources, microseconds(1000), stop, patience, KeepCpu));
  EXPECT_GT(patience.pause(), microseconds(3));
  return FineClock::time - sources.looks.back();
}

TEST(SearchTest, StopsInALongPause) {
  Timed sources;
  EXPECT_LT(EndAfterLastLook(sources, nanoseconds(800)), nanoseconds(1300));
}

TEST(SearchTest, StopsInTheMiddleOfAPause) {
  Timed sources;
  EXPECT_LT(EndAfterLastLook(sources, nanoseconds(400)), nanoseconds(650));
  EXPECT_EQ(sources.looks.size(), 1u);
}

TEST(SearchTest, PausesForAsLongAsItIsPatient) {
  Patience patience = AfterShortWork(1);
  ASSERT_GT(patience.pause(), nanoseconds(0));
  Timed sources;
  EXPECT_FALSE(Search<FineClock>(sources, microseconds(50), Never, patience, KeepCpu));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_GE(sources.PauseAfterLook(i) + nanoseconds(250), patience.pause());
    EXPECT_LT(sources.PauseAfterLook(i), patience.pause() + nanoseconds(1000));
  }
}

TEST(SearchTest, LearnsFromWhatItFinds) {
  Patience patience;
  Timed sources;
  sources.found_in = 2;
  EXPECT_TRUE(Search<FineClock>(sources, microseconds(50), Never, patience, KeepCpu));
  FineClock::time += nanoseconds(100);
  sources.looks.clear();
  sources.found_in = 0;
  EXPECT_FALSE(Search<FineClock>(sources, microseconds(50), Never, patience, KeepCpu));
  EXPECT_GT(patience.pause(), nanoseconds(0));
}

TEST(SearchTest, IsNoLongerPatientThanItLooks) {
  Patience patience = AfterShortWork(10);
  ASSERT_GT(patience.pause(), microseconds(3));
  {
    Timed sources;
    Patience copy = patience;
    EXPECT_FALSE(Search<FineClock>(sources, microseconds(50), Never, copy, KeepCpu));
    EXPECT_GT(sources.PauseAfterLook(0), patience.pause() - nanoseconds(300));
    EXPECT_LT(sources.PauseAfterLook(1), nanoseconds(3000));
  }
  Timed sources;
  const FineClock::time_point begin = FineClock::time;
  EXPECT_FALSE(Search<FineClock>(sources, microseconds(1), Never, patience, KeepCpu));
  EXPECT_EQ(sources.looks.size(), 2u);
  EXPECT_LT(FineClock::time - begin, microseconds(2));
}

TEST(SearchTest, WorkThatIsFoundAtOnceIsPartOfWhatWasFoundBefore) {
  Timed sources;
  Patience patience;
  sources.found_in = 2;
  EXPECT_TRUE(Search<FineClock>(sources, microseconds(50), Never, patience, KeepCpu));
  for (int i = 0; i < 20; ++i) {
    FineClock::time += nanoseconds(100);
    sources.looks.clear();
    sources.found_in = 1;
    EXPECT_TRUE(Search<FineClock>(sources, microseconds(50), Never, patience, KeepCpu));
  }
  sources.looks.clear();
  sources.found_in = 0;
  EXPECT_FALSE(Search<FineClock>(sources, microseconds(50), Never, patience, KeepCpu));
  EXPECT_EQ(patience.pause(), nanoseconds(0));
}

TEST(SearchTest, ASearchForATaskIsALook) {
  Script sources;
  sources.found_in = 6;
  const auto looked = LookSeveralTimes<FakeClock>(
      []() -> nanoseconds { return microseconds(4); }, 9,
      [&sources](nanoseconds time) { return SearchOnce(sources, time, Never); },
      [] { return true; });
  EXPECT_EQ(looked.found.task, &sources.task);
  EXPECT_EQ(looked.times, 2);
  // Each search in vain ends with a look at what others may come for.
  EXPECT_EQ(std::count(sources.reaches.begin(), sources.reaches.end(), Reach::kLastResort), 1);
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
