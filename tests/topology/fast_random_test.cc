#include "filch/topology/fast_random.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "gtest/gtest.h"

namespace filch {
namespace {

// The step that Next() applies to its state before it multiplies.
std::uint64_t Step(std::uint64_t x) {
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  return x;
}

// The state behind an output: multiplication by an odd number can be undone.
std::uint64_t StateOf(std::uint64_t output) {
  const std::uint64_t factor = 0x2545F4914F6CDD1DU;
  std::uint64_t inverse = factor;
  for (int i = 0; i < 6; ++i) inverse *= 2 - factor * inverse;
  return output * inverse;
}

// A linear map of 64 bits: where each bit goes.
using LinearMap = std::array<std::uint64_t, 64>;

std::uint64_t Apply(const LinearMap& map, std::uint64_t x) {
  std::uint64_t result = 0;
  for (std::size_t i = 0; i < 64; ++i) {
    if ((x >> i & 1) != 0) result ^= map[i];
  }
  return result;
}

LinearMap Compose(const LinearMap& a, const LinearMap& b) {
  LinearMap result;
  for (std::size_t i = 0; i < 64; ++i) result[i] = Apply(a, b[i]);
  return result;
}

LinearMap Identity() {
  LinearMap map;
  for (std::size_t i = 0; i < 64; ++i) map[i] = std::uint64_t{1} << i;
  return map;
}

LinearMap Power(LinearMap base, std::uint64_t exponent) {
  LinearMap result = Identity();
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = Compose(base, result);
    base = Compose(base, base);
  }
  return result;
}

TEST(FastRandomTest, MakesTheStepsThatThePeriodIsProvedFor) {
  FastRandom random(1);
  std::uint64_t state = StateOf(random.Next());
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t next = StateOf(random.Next());
    ASSERT_EQ(next, Step(state));
    state = next;
  }
}

// The order of a linear map divides n exactly if its n-th power is the identity
// and no (n / p)-th power is, for the primes p of n.
TEST(FastRandomTest, HasTheFullPeriod) {
  LinearMap step;
  for (std::size_t i = 0; i < 64; ++i) step[i] = Step(std::uint64_t{1} << i);
  const std::uint64_t period = ~std::uint64_t{0};  // 2^64 - 1
  EXPECT_EQ(Power(step, period), Identity());
  std::uint64_t product = 1;
  for (std::uint64_t prime : {3U, 5U, 17U, 257U, 641U, 65537U, 6700417U}) {
    EXPECT_NE(Power(step, period / prime), Identity()) << prime;
    product *= prime;
  }
  EXPECT_EQ(product, period);
}

TEST(FastRandomTest, TheSeedThatWouldStickDoesNot) {
  // Scrambling is one-to-one, so exactly one seed gives the state zero.
  const std::uint64_t stuck = 0x61C8864680B583EBU - 0xE220A8397B1DCDAFU;
  FastRandom random(stuck);
  const std::uint64_t first = random.Next();
  EXPECT_EQ(StateOf(first), Step(1)) << "this is not that seed";
  EXPECT_NE(first, 0u);
  EXPECT_NE(random.Next(), first);
}

TEST(FastRandomTest, StreamsAndSeedsDiffer) {
  std::set<std::uint64_t> firsts;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    for (std::uint64_t stream = 0; stream < 100; ++stream) {
      firsts.insert(FastRandom(seed, stream).Next());
    }
  }
  EXPECT_EQ(firsts.size(), 10000u);
}

TEST(FastRandomTest, RepeatsItselfFromTheSameSeed) {
  FastRandom a(7, 3);
  FastRandom b(7, 3);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(a.Next(), b.Next());
}

TEST(FastRandomTest, BelowStaysBelowAndReachesEverything) {
  FastRandom random(5);
  for (std::uint32_t bound : {1U, 2U, 3U, 7U, 64U}) {
    std::vector<int> hits(bound, 0);
    for (int i = 0; i < 6400; ++i) ++hits.at(random.Below(bound));
    // Five standard deviations around the mean of a fair choice.
    const double mean = 6400.0 / bound;
    for (int count : hits) EXPECT_LT((count - mean) * (count - mean), 25 * mean) << bound;
  }
  EXPECT_EQ(random.Below(0), 0u);
}

TEST(FastRandomTest, ScaleMapsTheEndsToTheEnds) {
  EXPECT_EQ(FastRandom::Scale(0, 10), 0u);
  EXPECT_EQ(FastRandom::Scale(~std::uint64_t{0}, 10), 9u);
  EXPECT_EQ(FastRandom::Scale(~std::uint64_t{0}, 0xFFFFFFFFU), 0xFFFFFFFEU);
}

}  // namespace
}  // namespace filch
