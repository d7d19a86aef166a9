// Indices wider than std::size_t, where the standard library takes them for integers: with
// the language's extensions, which are most compilers' default.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/partitioner.h>

#include <mutex>
#include <set>
#include <type_traits>

#include "gtest/gtest.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

#ifdef __SIZEOF_INT128__

using Wide = __int128;
using UnsignedWide = unsigned __int128;
static_assert(std::is_integral_v<Wide>, "this test is of the language with extensions");

// Beyond what 64 bits hold.
constexpr Wide kLarge = Wide{1} << 70;

using WideIntegersTest = ParallelismTest;
INSTANTIATE_TEST_SUITE_P(Limits, WideIntegersTest, kLimits);

// What calls of a loop's function were given.
template <typename Index>
class Calls {
 public:
  void Add(Index index) {
    const std::lock_guard<std::mutex> lock(mutex_);
    EXPECT_TRUE(seen_.insert(index).second);
  }
  void ExpectAre(Index first, Index last, Index step) const {
    std::set<Index> expected;
    for (Index i = first; i < last; i += step) expected.insert(i);
    EXPECT_TRUE(seen_ == expected);
  }

 private:
  std::mutex mutex_;
  std::set<Index> seen_;
};

template <typename Index>
void ExpectLoopsOver(Index first, Index last) {
  Calls<Index> of_indices;
  tbb::parallel_for(first, last, [&](Index i) { of_indices.Add(i); });
  of_indices.ExpectAre(first, last, 1);

  Calls<Index> of_steps;
  tbb::parallel_for(
      first, last, Index{3}, [&](Index i) { of_steps.Add(i); }, tbb::static_partitioner());
  of_steps.ExpectAre(first, last, 3);

  Calls<Index> of_parts;
  tbb::parallel_for(tbb::blocked_range<Index>(first, last),
                    [&](const tbb::blocked_range<Index>& part) {
                      for (Index i = part.begin(); i < part.end(); ++i) of_parts.Add(i);
                    });
  of_parts.ExpectAre(first, last, 1);
}

TEST_P(WideIntegersTest, LoopsCallTheirFunctionsWithTheIndicesThemselves) {
  ExpectLoopsOver<Wide>(-5, 100);
  ExpectLoopsOver<Wide>(kLarge - 50, kLarge + 50);
  ExpectLoopsOver<Wide>(-kLarge - 50, -kLarge + 50);
  ExpectLoopsOver<UnsignedWide>(UnsignedWide{1} << 127, (UnsignedWide{1} << 127) + 100);
}

TEST_P(WideIntegersTest, StepsAreAsWideAsIndices) {
  Calls<Wide> calls;
  tbb::parallel_for(Wide{-2} * kLarge, Wide{3} * kLarge, kLarge, [&](Wide i) { calls.Add(i); });
  calls.ExpectAre(-2 * kLarge, 3 * kLarge, kLarge);
}

TEST_P(WideIntegersTest, SumsAreThoseOfTheIndices) {
  const Wide sum = tbb::parallel_reduce(
      tbb::blocked_range<Wide>(-kLarge, -kLarge + 1000), Wide{0},
      [](const tbb::blocked_range<Wide>& part, Wide so_far) {
        for (Wide i = part.begin(); i < part.end(); ++i) so_far += i + kLarge;
        return so_far;
      },
      [](Wide left, Wide right) { return left + right; });
  EXPECT_TRUE(sum == Wide{1000} * 999 / 2);
}

TEST(WideIntegersRangeTest, HalvesMeetInTheMiddle) {
  for (const Wide first : {Wide{-5}, kLarge, -kLarge}) {
    tbb::blocked_range<Wide> left(first, first + 10);
    EXPECT_EQ(left.size(), 10u);
    const tbb::blocked_range<Wide> right(left, tbb::split());
    EXPECT_TRUE(left.begin() == first);
    EXPECT_TRUE(left.end() == first + 5);
    EXPECT_TRUE(right.begin() == first + 5);
    EXPECT_TRUE(right.end() == first + 10);
  }
}

#endif

}  // namespace
