#include "filch/pool/two_pass_scan.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/context.h"
#include "filch/pool/scan.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

using pool_internal::ScanOf;
using pool_internal::TwoPassScan;

std::uint64_t now = 0;
std::uint64_t Now() { return now; }

// Sums are texts, and what is done is written down.
class Recorder {
 public:
  using Sum = std::string;

  Sum MakeSum() {
    now += make_time;
    return "";
  }
  void Add(UnitInterval block, Sum& sum) {
    log.push_back((sum.empty() ? "sum " : sum + " and ") + Text(block));
    sum += Text(block);
    ++now;
  }
  void Finish(UnitInterval block, Sum& sum) {
    log.push_back(sum + " + " + Text(block));
    sum += Text(block);
  }
  Sum Combine(Sum& left, Sum right) {
    if (cancels != nullptr) cancels->Cancel();
    log.push_back(left + " and " + right);
    return left + right;
  }

  std::vector<std::string> log;
  Context* cancels = nullptr;   // when sums are combined
  std::uint64_t make_time = 0;  // of a sum

 private:
  static std::string Text(UnitInterval block) {
    std::string text;
    for (std::uint32_t i = block.begin; i != block.end; ++i) text += static_cast<char>('a' + i);
    return text;
  }
};

using Log = std::vector<std::string>;

// For one thread: 8 chunks at most.
class TwoPassScanTest : public testing::Test {
 protected:
  Log TakeLog() { return std::exchange(recorder_.log, {}); }

  Recorder recorder_;
  ScanOf<Recorder> recorded_{recorder_};
  ScanOf<Recorder>::SumOfValue sum_{""};
  Context context_;
  TwoPassScan scan_{recorded_, sum_, 1, context_, &Now};
  void* segment_ = nullptr;
  void* of_a_thief_ = nullptr;
};

TEST_F(TwoPassScanTest, TheThreadThatBeganPassesOnce) {
  scan_.Run({0, 1}, &segment_);
  scan_.Run({1, 2}, &segment_);
  scan_.Cut({2, 10});
  auto first = scan_.first_pass();
  ASSERT_EQ(first.units(), 8u);
  for (std::uint32_t i = 0; i < 8; ++i) first.Run({i, i + 1}, &segment_);
  EXPECT_EQ(TakeLog(), (Log{" + a", "a + b", "ab + c", "abc + d", "abcd + e", "abcde + f",
                            "abcdef + g", "abcdefg + h", "abcdefgh + i", "abcdefghi + j"}));
  EXPECT_TRUE(scan_.Chain());
  EXPECT_EQ(scan_.second_pass().units(), 0u);
  EXPECT_EQ(TakeLog(), Log{});
  EXPECT_EQ(sum_.value, "abcdefghij");
}

TEST_F(TwoPassScanTest, WhatOthersTakeIsSummedAndThenScanned) {
  scan_.Run({0, 1}, &segment_);
  scan_.Cut({1, 9});
  auto first = scan_.first_pass();
  first.Run({4, 6}, &of_a_thief_);
  first.Run({0, 2}, &segment_);
  first.Run({6, 7}, &of_a_thief_);
  EXPECT_EQ(TakeLog(), (Log{" + a", "sum f", "sum g", "a + b", "ab + c", "sum h"}));
  // What the first thread does elsewhere does not follow what it did.
  segment_ = nullptr;
  first.Run({7, 8}, &segment_);
  first.Run({2, 4}, &of_a_thief_);
  EXPECT_EQ(TakeLog(), (Log{"sum i", "sum d", "sum e"}));
  EXPECT_TRUE(scan_.Chain());
  EXPECT_EQ(TakeLog(), (Log{"abc and d", "abcd and e", "abcde and f", "abcdef and g",
                            "abcdefg and h", "abcdefgh and i"}));
  auto second = scan_.second_pass();
  ASSERT_EQ(second.units(), 6u);
  second.Run({3, 6}, &of_a_thief_);
  second.Run({0, 3}, &segment_);
  EXPECT_EQ(TakeLog(),
            (Log{"abcdef + g", "abcdefg + h", "abcdefgh + i", "abc + d", "abcd + e", "abcde + f"}));
  EXPECT_EQ(sum_.value, "abcdefghi");
}

TEST_F(TwoPassScanTest, NeighboursHaveOneDearSum) {
  recorder_.make_time = 1;
  scan_.Cut({0, 8});
  auto first = scan_.first_pass();
  first.Run({4, 5}, &of_a_thief_);
  first.Run({5, 7}, &of_a_thief_);
  first.Run({0, 3}, &segment_);
  void* of_another = nullptr;
  first.Run({7, 8}, &of_another);
  first.Run({3, 4}, &segment_);
  EXPECT_EQ(TakeLog(),
            (Log{"sum e", "e and f", "ef and g", " + a", "a + b", "ab + c", "sum h", "abc + d"}));
  EXPECT_TRUE(scan_.Chain());
  EXPECT_EQ(TakeLog(), (Log{"abcd and efg", "abcdefg and h"}));
  auto second = scan_.second_pass();
  ASSERT_EQ(second.units(), 2u);
  second.Run({1, 2}, &of_another);
  second.Run({0, 1}, &segment_);
  EXPECT_EQ(TakeLog(), (Log{"abcdefg + h", "abcd + efg"}));
  EXPECT_EQ(sum_.value, "abcdefgh");
}

TEST_F(TwoPassScanTest, ChunksAreEven) {
  scan_.Cut({3, 15});
  auto first = scan_.first_pass();
  ASSERT_EQ(first.units(), 8u);
  first.Run({0, 8}, &segment_);
  const Log log = TakeLog();
  ASSERT_EQ(log.size(), 8u);
  std::string expected;
  for (const std::string& line : log) {
    const std::string chunk = line.substr(expected.size() + 3);
    EXPECT_TRUE(chunk.size() == 1 || chunk.size() == 2) << chunk;
    expected += chunk;
  }
  EXPECT_EQ(expected, "defghijklmno");
}

TEST_F(TwoPassScanTest, AChunkHasAUnitAtLeast) {
  scan_.Cut({3, 5});
  auto first = scan_.first_pass();
  ASSERT_EQ(first.units(), 2u);
  first.Run({1, 2}, &of_a_thief_);
  first.Run({0, 1}, &segment_);
  EXPECT_TRUE(scan_.Chain());
  EXPECT_EQ(scan_.second_pass().units(), 1u);
  EXPECT_EQ(sum_.value, "de");
}

TEST_F(TwoPassScanTest, MoreThreadsHaveMoreChunks) {
  TwoPassScan scan(recorded_, sum_, 16, context_);
  scan.Cut({0, 1000});
  EXPECT_EQ(scan.first_pass().units(), 128u);
}

TEST_F(TwoPassScanTest, NothingIsChainedAcrossAChunkThatWasLeftOut) {
  scan_.Cut({0, 8});
  auto first = scan_.first_pass();
  first.Run({0, 2}, &segment_);
  first.Run({2, 3}, &of_a_thief_);
  first.Run({4, 8}, &of_a_thief_);
  TakeLog();
  EXPECT_FALSE(scan_.Chain());
  EXPECT_EQ(TakeLog(), Log{"ab and c"});
}

TEST_F(TwoPassScanTest, NothingIsChainedOnceTheScanIsCancelled) {
  scan_.Cut({0, 8});
  auto first = scan_.first_pass();
  first.Run({0, 2}, &segment_);
  first.Run({2, 8}, &of_a_thief_);
  TakeLog();
  recorder_.cancels = &context_;
  EXPECT_FALSE(scan_.Chain());
  EXPECT_EQ(TakeLog(), Log{"ab and c"});
}

}  // namespace
}  // namespace filch
