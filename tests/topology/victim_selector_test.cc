#include "filch/topology/victim_selector.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "gtest/gtest.h"

namespace filch {
namespace {

constexpr int kSearches = 20000;

// The workers first..last but `self`.
std::vector<int> Group(int first, int last, int self) {
  std::vector<int> group;
  for (int worker = first; worker <= last; ++worker) {
    if (worker != self) group.push_back(worker);
  }
  return group;
}

// How often each worker was chosen by attempt number `attempt` of a search.
std::vector<int> Count(VictimSelector victims, int workers, int attempt) {
  std::vector<int> counts(static_cast<std::size_t>(workers), 0);
  for (int search = 0; search < kSearches; ++search) {
    victims.BeginSearch();
    for (int i = 0; i < attempt; ++i) victims.Next();
    ++counts.at(static_cast<std::size_t>(victims.Next()));
  }
  return counts;
}

// The promised probabilities of that attempt.
std::vector<double> Promised(int self, int workers, const std::vector<int>& near, int attempt) {
  const double uniform = near.empty() ? 1 : std::min(1.0, std::ldexp(1.0 / 8, attempt));
  std::vector<double> chances(static_cast<std::size_t>(workers), uniform / (workers - 1));
  chances[static_cast<std::size_t>(self)] = 0;
  for (int worker : near) {
    chances[static_cast<std::size_t>(worker)] += (1 - uniform) / static_cast<double>(near.size());
  }
  return chances;
}

// Pearson's statistic, in standard deviations above its mean.
double Excess(const std::vector<int>& counts, const std::vector<double>& chances) {
  double chi_square = 0;
  int cells = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (chances[i] == 0) continue;
    const double expected = chances[i] * kSearches;
    chi_square += (counts[i] - expected) * (counts[i] - expected) / expected;
    ++cells;
  }
  const double freedom = cells - 1;
  return freedom == 0 ? 0 : (chi_square - freedom) / std::sqrt(2 * freedom);
}

void ExpectPromised(int self, int workers, const std::vector<int>& near, std::uint64_t seed) {
  for (int attempt = 0; attempt < 6; ++attempt) {
    const VictimSelector victims(self, workers, near, seed);
    const std::vector<int> counts = Count(victims, workers, attempt);
    EXPECT_EQ(counts[static_cast<std::size_t>(self)], 0);
    EXPECT_LT(Excess(counts, Promised(self, workers, near, attempt)), 4.5)
        << "self " << self << " of " << workers << ", attempt " << attempt << ", seed " << seed;
  }
}

TEST(VictimSelectorTest, ChoosesWithThePromisedProbabilities) {
  for (std::uint64_t seed : {1U, 2U, 3U}) {
    ExpectPromised(0, 2, {1}, seed);
    ExpectPromised(1, 3, {}, seed);
    ExpectPromised(2, 8, Group(0, 3, 2), seed);
    ExpectPromised(7, 8, Group(0, 7, 7), seed);
    ExpectPromised(17, 32, Group(16, 19, 17), seed);
  }
}

TEST(VictimSelectorTest, WorkersOfOneSeedChooseIndependently) {
  // Pairs of choices of two neighbours cover the square evenly.
  VictimSelector a(0, 9, {}, 42);
  VictimSelector b(1, 9, {}, 42);
  std::vector<int> counts(81, 0);
  for (int i = 0; i < kSearches; ++i)
    ++counts.at(static_cast<std::size_t>(a.Next() * 9 + b.Next()));
  std::vector<double> chances(81, 0);
  for (std::size_t i = 9; i < 81; ++i) chances[i] = i % 9 == 1 ? 0 : 1.0 / 64;
  EXPECT_LT(Excess(counts, chances), 4.5);
  EXPECT_EQ(std::accumulate(counts.begin(), counts.begin() + 9, 0), 0);
}

TEST(VictimSelectorTest, EveryVictimKeepsItsFloorAt1024Workers) {
  // The promise that the running time rests on: at the first attempt, far
  // workers come up with probability 1/8 altogether.
  VictimSelector victims(5, 1024, Group(0, 15, 5), 11);
  int far = 0;
  for (int search = 0; search < kSearches; ++search) {
    victims.BeginSearch();
    far += victims.Next() >= 16 ? 1 : 0;
  }
  const double expected = kSearches / 8.0 * 1008 / 1023;
  EXPECT_LT(std::abs(far - expected), 5 * std::sqrt(expected));
}

TEST(VictimSelectorTest, ChoosesAmongFewerWorkersThanItWasMadeFor) {
  // Of the near group 8..11 of worker 9 only 8 and 10 are left.
  VictimSelector victims(9, 32, Group(8, 11, 9), 3);
  std::vector<int> counts(11, 0);
  for (int search = 0; search < kSearches; ++search) {
    victims.BeginSearch();
    ++counts.at(static_cast<std::size_t>(victims.NextAmong(11)));
  }
  // An eighth is uniform, and so is the third of the rest that meets worker 11.
  const double uniform = 1.0 / 8 + 7.0 / 8 / 3;
  std::vector<double> chances(11, uniform / 10);
  chances[9] = 0;
  chances[8] += 7.0 / 8 / 3;
  chances[10] += 7.0 / 8 / 3;
  EXPECT_EQ(counts[9], 0);
  EXPECT_LT(Excess(counts, chances), 4.5);
}

TEST(VictimSelectorTest, AWorkerBeyondTheRestChoosesAmongAllOfThem) {
  VictimSelector victims(5, 8, {}, 3);
  std::vector<int> counts(3, 0);
  for (int i = 0; i < kSearches; ++i) ++counts.at(static_cast<std::size_t>(victims.NextAmong(3)));
  EXPECT_LT(Excess(counts, std::vector<double>(3, 1.0 / 3)), 4.5);
  EXPECT_EQ(victims.NextAmong(0), VictimSelector::kNoVictim);
}

TEST(VictimSelectorTest, ASingleWorkerMakesNoAttempt) {
  VictimSelector victims(0, 1, {}, 1);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(victims.Next(), VictimSelector::kNoVictim);
}

TEST(VictimSelectorTest, TwoWorkersChooseEachOther) {
  VictimSelector zero(0, 2, {}, 1);
  VictimSelector one(1, 2, {0}, 1);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(zero.Next(), 1);
    EXPECT_EQ(one.Next(), 0);
  }
}

TEST(VictimSelectorTest, ASearchBeginsNearAndEndsUniform) {
  // With a near group of one, the fourth and all later attempts are uniform.
  VictimSelector victims(0, 101, {1}, 9);
  int near = 0;
  for (int i = 0; i < 3; ++i) victims.Next();
  for (int i = 0; i < kSearches; ++i) near += victims.Next() == 1 ? 1 : 0;
  EXPECT_LT(std::abs(near - kSearches / 100.0), 5 * std::sqrt(kSearches / 100.0));
  near = 0;
  for (int i = 0; i < kSearches; ++i) {
    victims.BeginSearch();
    near += victims.Next() == 1 ? 1 : 0;
  }
  EXPECT_GT(near, kSearches * 0.86);
}

TEST(VictimSelectorTest, RepeatsItselfFromTheSameSeed) {
  VictimSelector a(3, 40, Group(0, 7, 3), 99);
  VictimSelector b(3, 40, Group(0, 7, 3), 99);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(a.Next(), b.Next());
}

TEST(VictimSelectorDeathTest, RejectsImpossibleGroups) {
  EXPECT_EXIT(VictimSelector(2, 2, {}, 1), testing::KilledBySignal(SIGABRT), "none of the workers");
  EXPECT_EXIT(VictimSelector(0, 0, {}, 1), testing::KilledBySignal(SIGABRT), "none of the workers");
  EXPECT_EXIT(VictimSelector(0, 2, {0}, 1), testing::KilledBySignal(SIGABRT), "near group");
  EXPECT_EXIT(VictimSelector(0, 2, {2}, 1), testing::KilledBySignal(SIGABRT), "near group");
}

}  // namespace
}  // namespace filch
