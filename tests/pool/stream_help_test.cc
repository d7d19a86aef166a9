#include "filch/pool/stream_help.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace filch {
namespace {

constexpr std::uint64_t kItems = StreamHelp::kItems;
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

  StreamHelp help_{false};
  StreamHelp::Visit other_{};
  StreamHelp::Visit visit_{};
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
  EXPECT_TRUE(Stays(kShort));
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

TEST_F(StreamHelpTest, NobodyStaysAwayWhenTheOthersAreGone) {
  EXPECT_FALSE(Stays(kShort));
  EXPECT_GT(help_.Pause(), 0u);
  help_.Leave();
  EXPECT_EQ(help_.Pause(), 0u);
}

TEST_F(StreamHelpTest, WhoStaysAwayComesBackAtOnceWhenTheOthersAreGone) {
  EXPECT_FALSE(Stays(kShort));
  int asked = 0;
  help_.StayAway([&] {
    if (asked++ == 0) help_.Leave();
    return std::uint64_t{0};
  });
  EXPECT_EQ(asked, 1);
}

TEST_F(StreamHelpTest, WhoStaysAwayCounts) {
  EXPECT_FALSE(Stays(kShort));
  std::uint64_t begun = 0;
  help_.StayAway([&] { return begun += 1000000; });
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
    StreamHelp help(alone);
    StreamHelp::Visit visit{};
    EXPECT_EQ(help.Pause(), 0u) << "the first one never waits";
    help.Join(visit, 0, 0);
    EXPECT_EQ(help.Pause(), alone ? StreamHelp::kLongestPause : 0);
    help.Leave();
    EXPECT_EQ(help.Pause(), 0u);
  }
}

}  // namespace
}  // namespace filch
