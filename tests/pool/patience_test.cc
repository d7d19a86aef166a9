// By what a thread's pauses between two looks for work grow, and by what they end.
#include "filch/pool/patience.h"

#include <chrono>

#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

using std::chrono::nanoseconds;

class PatienceTest : public ::testing::Test {
 protected:
  static constexpr nanoseconds kLook{100};

  // Work is found, which takes so long, and nothing after it.
  void Finds(nanoseconds work) {
    Search(kLook);
    Run(work);
    BeginSearch();
    patience_.FoundNothingAtOnce();
  }
  // A look that is not the first one finds some.
  void Search(nanoseconds look) {
    now_ += look;
    patience_.Found(now_, look);
  }
  void Run(nanoseconds work) { now_ += work; }
  void BeginSearch() { patience_.BeginSearch(now_); }

  Patience patience_;
  nanoseconds now_{1000000};
};

TEST_F(PatienceTest, LooksAllTheTimeAtFirst) { EXPECT_EQ(patience_.pause(), nanoseconds(0)); }

TEST_F(PatienceTest, GrowsWhileWorkIsOverSoonerThanItIsFetched) {
  nanoseconds last{0};
  for (int i = 0; i < 6; ++i) {
    Finds(nanoseconds(300));
    EXPECT_GT(patience_.pause(), last);
    last = patience_.pause();
  }
  for (int i = 0; i < 100; ++i) Finds(nanoseconds(300));
  EXPECT_EQ(patience_.pause(), last);
  EXPECT_LT(last, std::chrono::microseconds(20));
}

TEST_F(PatienceTest, EndsWithWorkThatWasWorthIt) {
  for (int i = 0; i < 10; ++i) Finds(nanoseconds(300));
  Finds(nanoseconds(1000));
  EXPECT_EQ(patience_.pause(), nanoseconds(0));
}

TEST_F(PatienceTest, WhatIsFoundAtOnceIsPartOfTheSameWork) {
  Search(kLook);
  for (int i = 0; i < 4; ++i) {
    Run(nanoseconds(150));
    BeginSearch();
    patience_.FoundAtOnce(now_);
  }
  Run(nanoseconds(150));
  BeginSearch();
  patience_.FoundNothingAtOnce();
  EXPECT_EQ(patience_.pause(), nanoseconds(0));
  Finds(nanoseconds(150));
  EXPECT_GT(patience_.pause(), nanoseconds(0));
}

TEST_F(PatienceTest, WhatIsDearerToFetchHasToBeMore) {
  Search(5 * kLook);
  Run(nanoseconds(1000));
  BeginSearch();
  patience_.FoundNothingAtOnce();
  EXPECT_GT(patience_.pause(), nanoseconds(0));
}

TEST_F(PatienceTest, WhoExpectsWorkPausesAgainOnlyAfterMoreThatWasNotWorthIt) {
  for (int i = 0; i < 10; ++i) Finds(nanoseconds(300));
  Search(kLook);
  Run(nanoseconds(300));
  BeginSearch();
  patience_.FoundNothingAtOnce(/*expects_work=*/true);
  EXPECT_EQ(patience_.pause(), nanoseconds(0));
  BeginSearch();
  patience_.FoundNothingAtOnce();
  EXPECT_EQ(patience_.pause(), nanoseconds(0));
  Finds(nanoseconds(300));
  EXPECT_GT(patience_.pause(), nanoseconds(0));
}

TEST_F(PatienceTest, LooksInVainSayNothing) {
  Finds(nanoseconds(300));
  const nanoseconds pause = patience_.pause();
  for (int i = 0; i < 10; ++i) {
    now_ += std::chrono::microseconds(10);
    BeginSearch();
    patience_.FoundNothingAtOnce();
  }
  EXPECT_EQ(patience_.pause(), pause);
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
