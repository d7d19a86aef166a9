#include "filch/pool/stream_paces.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

constexpr std::uint64_t kKind = 7;
constexpr std::uint64_t kItems = 100;
constexpr std::uint64_t kQuick = 300;
constexpr std::uint64_t kSlow = 600;
constexpr int kMany = 10 * StreamPaces::kMostTrusted;

class StreamPacesTest : public testing::Test {
 protected:
  // One stream, which takes so long for an item if it begins with one thread, or with several.
  // Whether it begins with one.
  bool Run(std::uint64_t alone, std::uint64_t together, std::uint64_t kind = kKind) {
    const bool is_alone = paces_.BeginsAlone(kind);
    paces_.Note(kind, is_alone, kItems, kItems * (is_alone ? alone : together));
    return is_alone;
  }
  // How many of `streams` begin with one thread.
  int CountAlone(std::uint64_t alone, std::uint64_t together, int streams = kMany) {
    int count = 0;
    for (int i = 0; i < streams; ++i) count += Run(alone, together) ? 1 : 0;
    return count;
  }

  StreamPaces paces_;
};

TEST_F(StreamPacesTest, TheFirstOneBeginsWithAllAndTheSecondOneWithOneThread) {
  EXPECT_FALSE(Run(kQuick, kSlow));
  EXPECT_TRUE(Run(kQuick, kSlow));
}

TEST_F(StreamPacesTest, BeginsAsWasFasterButForATrialNowAndThen) {
  const int trials = kMany / StreamPaces::kMostTrusted;
  EXPECT_NEAR(CountAlone(kQuick, kSlow), kMany - trials, 2);
  paces_ = StreamPaces();
  EXPECT_NEAR(CountAlone(kSlow, kQuick), trials, 2);
}

TEST_F(StreamPacesTest, FindsOutThatItHasChanged) {
  CountAlone(kQuick, kSlow);
  CountAlone(kSlow, kQuick);
  EXPECT_LE(CountAlone(kSlow, kQuick), kMany / 10);
}

TEST_F(StreamPacesTest, LongItemsAreForAllThreads) {
  constexpr std::uint64_t kLong = StreamPaces::kLongItem + 1;
  EXPECT_EQ(CountAlone(1, kLong), 0);
}

TEST_F(StreamPacesTest, OneThatWasInterruptedChangesLittle) {
  CountAlone(kQuick, kSlow, 4);
  paces_.Note(kKind, true, kItems, ~std::uint64_t{0});
  EXPECT_TRUE(Run(kQuick, kSlow));
}

TEST_F(StreamPacesTest, AStreamWithoutItemsSaysNothing) {
  paces_.Note(kKind, false, 0, 1);
  EXPECT_FALSE(paces_.BeginsAlone(kKind));
}

TEST_F(StreamPacesTest, OtherKindsAreNotMixedUp) {
  CountAlone(kQuick, kSlow, 4);
  for (std::uint64_t other = kKind + 1; other < kKind + 1000; ++other) {
    EXPECT_FALSE(paces_.BeginsAlone(other)) << other;
  }
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
