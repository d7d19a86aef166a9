// std::execution::par and par_unseq, the algorithms that put things in order:
// they do what the serial ones do.  libstdc++ runs them on TBB.
#include <algorithm>
#include <cstddef>
#include <execution>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/execution_data.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

using execution_data::Random;
using execution_data::Sequences;
using std::execution::par;
using std::execution::par_unseq;

using ExecutionOrderTest = ParallelismTest;

// What it is, and where it was: shows whether equal elements changed places.
using Placed = std::pair<int, std::size_t>;

std::vector<Placed> WithPlaces(const std::vector<int>& data) {
  std::vector<Placed> placed;
  for (std::size_t i = 0; i < data.size(); ++i) placed.emplace_back(data[i] / 4, i);
  return placed;
}

bool LessByValue(const Placed& a, const Placed& b) { return a.first < b.first; }

std::vector<int> Sorted(std::vector<int> data) {
  std::sort(data.begin(), data.end());
  return data;
}

TEST_P(ExecutionOrderTest, Sort) {
  for (const std::vector<int>& data : Sequences()) {
    const std::vector<int> expected = Sorted(data);
    std::vector<int> a = data;
    std::sort(par, a.begin(), a.end());
    EXPECT_EQ(a, expected);
    a = data;
    std::sort(par_unseq, a.begin(), a.end());
    EXPECT_EQ(a, expected);
    std::sort(par, a.begin(), a.end(), std::greater<>());
    EXPECT_TRUE(std::equal(a.begin(), a.end(), expected.rbegin()));
  }
}

TEST_P(ExecutionOrderTest, StableSortKeepsEqualElementsInOrder) {
  for (const std::vector<int>& data : Sequences()) {
    std::vector<Placed> a = WithPlaces(data);
    std::vector<Placed> expected = a;
    std::stable_sort(expected.begin(), expected.end(), LessByValue);
    std::stable_sort(par, a.begin(), a.end(), LessByValue);
    EXPECT_EQ(a, expected);
  }
}

TEST_P(ExecutionOrderTest, SortOfWhatOwnsMemory) {
  std::vector<std::string> a;
  for (const int x : Random(20'000, 1 << 30, 3))
    a.push_back(std::string(20, 'x') + std::to_string(x));
  std::vector<std::string> expected = a;
  std::sort(expected.begin(), expected.end());
  std::sort(par, a.begin(), a.end());
  EXPECT_EQ(a, expected);
}

TEST_P(ExecutionOrderTest, PartialSortAndNthElement) {
  for (const std::vector<int>& data : Sequences()) {
    const std::vector<int> sorted = Sorted(data);
    for (const std::size_t part : {std::size_t{0}, data.size() / 3, data.size()}) {
      const auto middle = static_cast<std::ptrdiff_t>(part);
      std::vector<int> a = data;
      std::partial_sort(par, a.begin(), a.begin() + middle, a.end());
      EXPECT_TRUE(std::equal(a.begin(), a.begin() + middle, sorted.begin()));
      EXPECT_EQ(Sorted(a), sorted);
      // libstdc++ needs quadratic time for nth_element of equal values.
      if (part == data.size() || data.size() > 3000) continue;
      a = data;
      std::nth_element(par, a.begin(), a.begin() + middle, a.end());
      EXPECT_EQ(a[part], sorted[part]);
      EXPECT_TRUE(
          std::all_of(a.begin(), a.begin() + middle, [&](int x) { return x <= sorted[part]; }));
      EXPECT_EQ(Sorted(a), sorted);
    }
  }
}

TEST_P(ExecutionOrderTest, Merge) {
  for (const std::vector<int>& data : Sequences()) {
    // One as long, one that is much shorter, and one that comes after all.
    for (const std::vector<int>& other :
         {Sorted(Random(data.size(), 1 << 30, 4)), Sorted(Random(10, 100, 5)),
          std::vector<int>(data.size(), (1 << 30) + 1)}) {
      const std::vector<int> one = Sorted(data);
      std::vector<int> a(one.size() + other.size());
      std::vector<int> expected = a;
      std::merge(one.begin(), one.end(), other.begin(), other.end(), expected.begin());
      std::merge(par, one.begin(), one.end(), other.begin(), other.end(), a.begin());
      EXPECT_EQ(a, expected);
      a.assign(one.begin(), one.end());
      a.insert(a.end(), other.begin(), other.end());
      std::inplace_merge(par, a.begin(), a.begin() + static_cast<std::ptrdiff_t>(one.size()),
                         a.end());
      EXPECT_EQ(a, expected);
    }
  }
}

TEST_P(ExecutionOrderTest, SetOperations) {
  for (const std::vector<int>& data : Sequences()) {
    const std::vector<int> one = Sorted(data);
    const std::vector<int> other = Sorted(Random(data.size(), 100, 6));
    const auto compare = [&](auto serial, auto parallel) {
      std::vector<int> expected(one.size() + other.size());
      std::vector<int> a = expected;
      expected.erase(serial(expected.begin()), expected.end());
      a.erase(parallel(a.begin()), a.end());
      EXPECT_EQ(a, expected);
    };
#define FILCH_COMPARE(algorithm)                                                        \
  compare(                                                                              \
      [&](auto out) {                                                                   \
        return algorithm(one.begin(), one.end(), other.begin(), other.end(), out);      \
      },                                                                                \
      [&](auto out) {                                                                   \
        return algorithm(par, one.begin(), one.end(), other.begin(), other.end(), out); \
      })
    FILCH_COMPARE(std::set_union);
    FILCH_COMPARE(std::set_intersection);
    FILCH_COMPARE(std::set_difference);
    FILCH_COMPARE(std::set_symmetric_difference);
#undef FILCH_COMPARE
    EXPECT_EQ(std::includes(par, one.begin(), one.end(), other.begin(), other.end()),
              std::includes(one.begin(), one.end(), other.begin(), other.end()));
  }
}

TEST_P(ExecutionOrderTest, Partitions) {
  const auto is_small = [](int x) { return x % 3 == 0; };
  for (const std::vector<int>& data : Sequences()) {
    std::vector<int> expected = data;
    const auto place =
        std::stable_partition(expected.begin(), expected.end(), is_small) - expected.begin();
    std::vector<int> a = data;
    EXPECT_EQ(std::stable_partition(par, a.begin(), a.end(), is_small) - a.begin(), place);
    EXPECT_EQ(a, expected);
    a = data;
    EXPECT_EQ(std::partition(par, a.begin(), a.end(), is_small) - a.begin(), place);
    EXPECT_TRUE(std::is_partitioned(par, a.begin(), a.end(), is_small));
    EXPECT_EQ(Sorted(a), Sorted(data));
    std::vector<int> yes(data.size());
    std::vector<int> no(data.size());
    const auto ends =
        std::partition_copy(par, data.begin(), data.end(), yes.begin(), no.begin(), is_small);
    EXPECT_EQ(ends.first - yes.begin(), place);
    EXPECT_TRUE(std::equal(yes.begin(), ends.first, expected.begin()));
    EXPECT_TRUE(std::equal(no.begin(), ends.second, expected.begin() + place, expected.end()));
  }
}

TEST_P(ExecutionOrderTest, ReversalAndRotation) {
  for (const std::vector<int>& data : Sequences()) {
    std::vector<int> a = data;
    std::reverse(par, a.begin(), a.end());
    EXPECT_TRUE(std::equal(a.begin(), a.end(), data.rbegin(), data.rend()));
    const auto middle = static_cast<std::ptrdiff_t>(data.size() / 3);
    std::vector<int> expected = data;
    std::rotate(expected.begin(), expected.begin() + middle, expected.end());
    a = data;
    std::rotate(par, a.begin(), a.begin() + middle, a.end());
    EXPECT_EQ(a, expected);
    std::rotate_copy(par, data.begin(), data.begin() + middle, data.end(), a.begin());
    EXPECT_EQ(a, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Limits, ExecutionOrderTest, kLimits);

}  // namespace
