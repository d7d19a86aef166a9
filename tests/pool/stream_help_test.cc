#include "filch/pool/stream_help.h"

#include <cstdint>
#include <thread>

#include "filch/pool/stream_visit.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

constexpr std::uint64_t kItems = StreamVisit::kItems;
constexpr std::uint64_t kShort = 100;

// Two threads take part.
class StreamHelpTest : public testing::Test {
 protected:
  StreamHelpTest() {
    help_.Join(other_, 0, 0);
    help_.Join(visit_, 0, 0);
  }

  // One of them looks, after kItems items of each; `pace` is the time from one to the next.
  bool Stays(std::uint64_t pace) {
    begun_ += 2 * kItems;
    now_ += 2 * kItems * pace;
    return help_.Stays(visit_, begun_, now_);
  }
  // It was away, and is back.
  void ComeBack(std::uint64_t pace) {
    help_.BegunWithout(kItems, kItems * pace);
    help_.Join(visit_, begun_, now_);
  }

  // It stays away while nothing begins: how often it asks for that.
  int TimesAsked(bool is_over) {
    int asked = 0;
    help_.StayAway(
        [&] {
          ++asked;
          return std::uint64_t{0};
        },
        [is_over] { return is_over; });
    return asked;
  }

  StreamHelp help_{false, 0};
  StreamVisit other_{};
  StreamVisit visit_{};
  std::uint64_t begun_ = 0;
  std::uint64_t now_ = 0;
};

TEST_F(StreamHelpTest, NobodyIsKeptAwayAtFirst) { EXPECT_EQ(help_.Pause(), 0u); }

TEST_F(StreamHelpTest, WhoseItemsAreLongStays) {
  EXPECT_TRUE(Stays(2 * StreamHelp::kLongItem));
  EXPECT_EQ(help_.Pause(), 0u);
}

TEST_F(StreamHelpTest, NobodyIsKeptAwayWhenItemsAreLong) {
  EXPECT_FALSE(Stays(kShort));
  ComeBack(kShort);
  EXPECT_TRUE(Stays(2 * StreamHelp::kLongItem));
  EXPECT_EQ(help_.Pause(), 0u);
}

TEST_F(StreamHelpTest, WhoseItemsAreShortFindsOutHowItIsWithoutIt) {
  EXPECT_FALSE(Stays(kShort));
  EXPECT_EQ(help_.Pause(), StreamHelp::kShortestPause);
}

TEST_F(StreamHelpTest, WhoMakesItFasterStays) {
  EXPECT_FALSE(Stays(kShort));
  ComeBack(kShort);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(Stays(kShort - 10));
}

TEST_F(StreamHelpTest, WhoDoesNotLeavesForLongerAndLonger) {
  std::uint64_t before = 0;
  for (int i = 0; i < 4; ++i) {
    EXPECT_FALSE(Stays(kShort));
    EXPECT_GT(help_.Pause(), before);
    before = help_.Pause();
    ComeBack(kShort);
  }
  EXPECT_EQ(before, StreamHelp::kLongestPause);
  EXPECT_FALSE(Stays(kShort));
  EXPECT_EQ(help_.Pause(), StreamHelp::kLongestPause);
  // And for less again, once it was of help.
  ComeBack(2 * kShort);
  EXPECT_TRUE(Stays(kShort));
  EXPECT_EQ(help_.Pause(), StreamHelp::kShortestPause);
}

TEST_F(StreamHelpTest, TheLastOneNeverLeaves) {
  EXPECT_FALSE(Stays(kShort));
  EXPECT_TRUE(help_.IsAlone());
  EXPECT_TRUE(help_.Stays(other_, begun_, now_));
}

// Between its items a thread does other things.
TEST_F(StreamHelpTest, WhoComesWithEachItemIsOneThreadThatStays) {
  EXPECT_FALSE(Stays(kShort));
  for (int i = 0; i < 3; ++i) {
    other_.items = 5;
    help_.Join(other_, ++begun_, ++now_);
    EXPECT_EQ(other_.items, 5u);
    EXPECT_EQ(other_.begun, 0u);
  }
  EXPECT_TRUE(help_.IsAlone());
}

TEST_F(StreamHelpTest, WhoWasAtAnotherStreamIsNew) {
  StreamHelp elsewhere(false, 0);
  elsewhere.Join(visit_, 0, 0);
  EXPECT_FALSE(help_.IsAt(visit_));
  // Nothing is known of its help.
  EXPECT_TRUE(Stays(kShort));
  EXPECT_TRUE(help_.IsAt(visit_));
  EXPECT_EQ(visit_.begun, begun_);
  EXPECT_FALSE(Stays(kShort));
}

TEST_F(StreamHelpTest, WhoWasAtOneInTheSamePlaceIsNew) {
  StreamHelp help(false, 5);
  StreamVisit visit{&help, 0, 0, 4};
  EXPECT_FALSE(help.IsAt(visit));
  help.Join(visit, 0, 5);
  EXPECT_TRUE(help.IsAt(visit));
}

TEST_F(StreamHelpTest, TheLastOneDoesNotCallTheOthersBack) {
  EXPECT_FALSE(Stays(kShort));
  help_.BegunWithout(kItems, kItems * kShort);
  const std::uint64_t pause = help_.Pause();
  for (int i = 0; i < 10; ++i) {
    const bool is_long = i % 2 == 0;  // it was interrupted
    begun_ += kItems;
    now_ += kItems * (is_long ? 2 * StreamHelp::kLongItem : kShort / 2);
    EXPECT_TRUE(help_.Stays(other_, begun_, now_));
    EXPECT_EQ(help_.Pause(), pause);
  }
}

TEST_F(StreamHelpTest, WhoStaysAwayComesBackWhenNothingBegins) {
  for (int i = 0; i < 4; ++i) {
    EXPECT_FALSE(Stays(kShort));
    ComeBack(kShort);
  }
  EXPECT_FALSE(Stays(kShort));
  EXPECT_EQ(help_.Pause(), StreamHelp::kLongestPause);
  EXPECT_EQ(TimesAsked(false), 3)
      << "as it goes, once after the shortest pause, and as it comes back";
}

TEST_F(StreamHelpTest, WhoStaysAwayComesBackWhenAllIsOver) {
  EXPECT_FALSE(Stays(kShort));
  EXPECT_EQ(TimesAsked(true), 1) << "as it goes";
}

TEST_F(StreamHelpTest, WhoStaysAwayComesBackWhenItemsAreLong) {
  EXPECT_FALSE(Stays(kShort));
  StreamVisit third{};
  help_.Join(third, begun_, now_);
  int asked = 0;
  help_.StayAway([] { return std::uint64_t{0}; },
                 [&] {
                   const std::uint64_t later = now_ + 2 * kItems * StreamHelp::kLongItem;
                   EXPECT_TRUE(help_.Stays(third, begun_ + kItems, later));
                   ++asked;
                   return false;
                 });
  EXPECT_EQ(asked, 1);
}

TEST_F(StreamHelpTest, WhoStaysAwayCounts) {
  EXPECT_FALSE(Stays(kShort));
  std::uint64_t begun = 0;
  help_.StayAway([&] { return begun += 1000000; }, [] { return false; });
  help_.Join(visit_, begun_, now_);
  EXPECT_FALSE(Stays(kShort));
}

TEST_F(StreamHelpTest, AStreamThatStandsStillIsNotFaster) {
  EXPECT_FALSE(Stays(kShort));
  help_.BegunWithout(0, 1000000);
  help_.Join(visit_, begun_, now_);
  EXPECT_TRUE(Stays(kShort));
}

TEST(StreamHelpAtFirstTest, WhoComesStaysAwayIfTheStreamBeginsAlone) {
  for (const bool alone : {false, true}) {
    StreamHelp help(alone, 0);
    StreamVisit visit{};
    EXPECT_EQ(help.Pause(), 0u) << "the first one never waits";
    help.Join(visit, 0, 0);
    EXPECT_EQ(help.Pause(), alone ? StreamHelp::kLongestPause : 0);
  }
}

TEST(OwnVisitTest, EachThreadHasOne) {
  StreamVisit& own = StreamHelp::OwnVisit();
  EXPECT_EQ(&StreamHelp::OwnVisit(), &own);
  std::thread([&] {
    EXPECT_NE(&StreamHelp::OwnVisit(), &own);
    EXPECT_EQ(StreamHelp::OwnVisit().stream, nullptr);
  }).join();
}

}  // namespace
}  // namespace filch
