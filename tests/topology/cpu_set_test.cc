#include "filch/topology/cpu_set.h"

#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "filch/topology/cpu_list.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

CpuSet Parsed(const std::string& text) {
  absl::StatusOr<CpuSet> set = ParseCpuList(text);
  EXPECT_TRUE(set.ok()) << set.status();
  return set.ok() ? *set : CpuSet();
}

std::vector<int> Cpus(const CpuSet& set) { return std::vector<int>(set.begin(), set.end()); }

TEST(CpuSetTest, ParsesWhatItPrints) {
  for (const char* text : {"", "0", "5", "0-3,8", "0-1,3-4,63-65", "1023-1024,4096", "65535"}) {
    EXPECT_EQ(Parsed(text).ToString(), text);
  }
}

TEST(CpuSetTest, PrintsTheShortestList) {
  EXPECT_EQ(Parsed("8,3,2,1,0,2-3").ToString(), "0-3,8");
  EXPECT_EQ(Parsed(" 0-63,64-127\n").ToString(), "0-127");
}

TEST(CpuSetTest, RejectsWhatIsNoListWithASentence) {
  for (const char* text : {"a", "-1", "1-", ",1", "1,", "1,,2", "3-1", "1-2-3", "1 2", "0x3",
                           "65536", "0-99999999999", "99999999999999999999", "+1", "1,-2"}) {
    absl::StatusOr<CpuSet> set = ParseCpuList(text);
    ASSERT_FALSE(set.ok()) << text;
    EXPECT_EQ(set.status().code(), absl::StatusCode::kInvalidArgument);
    const std::string sentence(set.status().message());
    EXPECT_NE(sentence.find(text), std::string::npos) << sentence;
    EXPECT_EQ(sentence.back(), '.');
  }
}

TEST(CpuSetTest, IteratesUpwardsAcrossWords) {
  EXPECT_EQ(Cpus(Parsed("200,0,63-65")), (std::vector<int>{0, 63, 64, 65, 200}));
  EXPECT_TRUE(Cpus(CpuSet()).empty());
}

TEST(CpuSetTest, FindsFirstLastAndNext) {
  const CpuSet set = {3, 64, 4000};
  EXPECT_EQ(set.First(), 3);
  EXPECT_EQ(set.Last(), 4000);
  EXPECT_EQ(set.Next(3), 64);
  EXPECT_EQ(set.Next(63), 64);
  EXPECT_EQ(set.Next(4000), -1);
  EXPECT_EQ(set.Next(CpuSet::kMaxCpu), -1);
  EXPECT_EQ(set.Next(std::numeric_limits<int>::max()), -1);
  EXPECT_EQ(set.Next(-5), 3);
  EXPECT_EQ(CpuSet().First(), -1);
  EXPECT_EQ(CpuSet().Last(), -1);
}

TEST(CpuSetTest, EqualSetsAreEqualWhateverTheirHistory) {
  CpuSet set = {1, 900};
  set.Remove(900);
  set.Remove(901);
  EXPECT_EQ(set, CpuSet({1}));
  set.Remove(1);
  EXPECT_EQ(set, CpuSet());
  EXPECT_TRUE(set.empty());
  EXPECT_NE(CpuSet({1}), CpuSet({2}));
}

TEST(CpuSetTest, CountsAndContains) {
  const CpuSet set = CpuSet::Range(60, 2060);
  EXPECT_EQ(set.size(), 2001);
  EXPECT_TRUE(set.Contains(60) && set.Contains(2060));
  EXPECT_FALSE(set.Contains(59) || set.Contains(2061) || set.Contains(-1) ||
               set.Contains(CpuSet::kMaxCpu + 1));
  EXPECT_TRUE(CpuSet::Range(3, 2).empty());
}

TEST(CpuSetTest, CombinesSetsOfDifferentLength) {
  const CpuSet low = CpuSet::Range(0, 3);
  const CpuSet wide = {2, 3, 1000};
  EXPECT_EQ((low | wide).ToString(), "0-3,1000");
  EXPECT_EQ((wide | low).ToString(), "0-3,1000");
  EXPECT_EQ((low & wide).ToString(), "2-3");
  EXPECT_EQ((wide & low).ToString(), "2-3");
  EXPECT_EQ((low - wide).ToString(), "0-1");
  EXPECT_EQ((wide - low).ToString(), "1000");
}

TEST(CpuSetTest, ComparesByInclusion) {
  const CpuSet set = {2, 1000};
  EXPECT_TRUE(CpuSet({1000}).IsSubsetOf(set));
  EXPECT_FALSE(CpuSet({2, 3}).IsSubsetOf(set));
  EXPECT_TRUE(CpuSet().IsSubsetOf(CpuSet()));
  EXPECT_TRUE(set.Intersects({0, 1000}));
  EXPECT_FALSE(set.Intersects({1, 999}));
  EXPECT_FALSE(set.Intersects({}));
}

TEST(CpuSetDeathTest, ACpuOutOfRangeStopsWithASentence) {
  EXPECT_EXIT(CpuSet({-1}), testing::KilledBySignal(SIGABRT), "out of range");
  EXPECT_EXIT(CpuSet({CpuSet::kMaxCpu + 1}), testing::KilledBySignal(SIGABRT), "out of range");
}

}  // namespace
}  // namespace filch
