#include "filch/tbb_compat/src/pipeline_help.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace filch::tbb_compat_internal {
namespace {

constexpr std::uint64_t kItems = 16;
constexpr std::uint64_t kShort = 100;

// Two threads take part.
class PipelineHelpTest : public testing::Test {
 protected:
  PipelineHelpTest() {
    help_.Join();
    help_.Join();
  }

  // One of them looks, after some items of both; `pace` is the time from one to the next.
  bool Stays(std::uint64_t pace) { return help_.Stays(kItems, 2 * kItems, 2 * kItems * pace); }
  // It was away, and is back.
  void ComeBack(std::uint64_t pace) {
    help_.BegunWithout(kItems, kItems * pace);
    help_.Join();
  }

  PipelineHelp help_;
};

TEST_F(PipelineHelpTest, NobodyIsKeptAwayAtFirst) { EXPECT_EQ(help_.Pause(), 0u); }

TEST_F(PipelineHelpTest, WhoseItemsAreLongStays) {
  EXPECT_TRUE(Stays(2 * PipelineHelp::kLongItem));
  EXPECT_EQ(help_.Pause(), 0u);
}

TEST_F(PipelineHelpTest, WhoseItemsAreShortFindsOutHowItIsWithoutIt) {
  EXPECT_FALSE(Stays(kShort));
  EXPECT_EQ(help_.Pause(), PipelineHelp::kShortestPause);
}

TEST_F(PipelineHelpTest, WhoMakesItFasterStays) {
  EXPECT_FALSE(Stays(kShort));
  ComeBack(kShort);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(Stays(kShort - 10));
}

TEST_F(PipelineHelpTest, WhoDoesNotLeavesForLongerAndLonger) {
  std::uint64_t before = 0;
  for (int i = 0; i < 4; ++i) {
    EXPECT_FALSE(Stays(kShort));
    EXPECT_GT(help_.Pause(), before);
    before = help_.Pause();
    ComeBack(kShort);
  }
  EXPECT_EQ(before, PipelineHelp::kLongestPause);
  EXPECT_FALSE(Stays(kShort));
  EXPECT_EQ(help_.Pause(), PipelineHelp::kLongestPause);
  // And for less again, once it was of help.
  ComeBack(2 * kShort);
  EXPECT_TRUE(Stays(kShort));
  EXPECT_EQ(help_.Pause(), PipelineHelp::kShortestPause);
}

TEST_F(PipelineHelpTest, TheLastOneNeverLeaves) {
  EXPECT_FALSE(Stays(kShort));
  EXPECT_TRUE(Stays(kShort));
}

TEST_F(PipelineHelpTest, NobodyStaysAwayWhenTheOthersAreGone) {
  EXPECT_FALSE(Stays(kShort));
  EXPECT_GT(help_.Pause(), 0u);
  help_.Leave();
  EXPECT_EQ(help_.Pause(), 0u);
}

TEST_F(PipelineHelpTest, APipelineThatStandsStillIsNotFaster) {
  EXPECT_FALSE(Stays(kShort));
  help_.BegunWithout(0, 1000);
  help_.Join();
  EXPECT_TRUE(Stays(kShort));
}

}  // namespace
}  // namespace filch::tbb_compat_internal
