// std::execution::par and par_unseq, the algorithms that compute and search: they
// do what the serial ones do.  libstdc++ runs them on TBB.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <execution>
#include <functional>
#include <list>
#include <numeric>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/execution_data.h"
#include "tests/conformance/on_onetbb.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

using execution_data::Random;
using execution_data::Sequences;
using std::execution::par;
using std::execution::par_unseq;

using ExecutionTest = ParallelismTest;

// Two-by-two matrices over a ring: an associative operation that does not
// commute, so parts that are combined out of order show.
struct Matrix {
  std::uint32_t a = 1, b = 0, c = 0, d = 1;

  friend Matrix operator*(const Matrix& x, const Matrix& y) {
    return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c,
            x.c * y.b + x.d * y.d};
  }
  friend bool operator==(const Matrix& x, const Matrix& y) {
    return x.a == y.a && x.b == y.b && x.c == y.c && x.d == y.d;
  }
};

Matrix MatrixOf(int x) { return {static_cast<std::uint32_t>(x), 1, 1, 0}; }

std::vector<Matrix> Matrices(const std::vector<int>& data) {
  std::vector<Matrix> matrices(data.size());
  std::transform(data.begin(), data.end(), matrices.begin(), MatrixOf);
  return matrices;
}

TEST_P(ExecutionTest, ForEachVisitsEveryElementOnce) {
  for (const std::vector<int>& data : Sequences()) {
    std::vector<std::atomic<int>> visits(data.size());
    std::for_each(par, visits.begin(), visits.end(), [](std::atomic<int>& x) { ++x; });
    std::for_each_n(par_unseq, visits.begin(), visits.size(), [](std::atomic<int>& x) { ++x; });
    EXPECT_TRUE(std::all_of(visits.begin(), visits.end(), [](int x) { return x == 2; }));
  }
}

TEST_P(ExecutionTest, ForwardIterators) {
  std::list<int> numbers(3000, 1);
  std::for_each(par, numbers.begin(), numbers.end(), [](int& x) { x = 5; });
  EXPECT_EQ(std::reduce(par, numbers.begin(), numbers.end()), 15'000);
  EXPECT_EQ(std::count(par, numbers.begin(), numbers.end(), 5), 3000);
}

TEST_P(ExecutionTest, Reductions) {
  for (const std::vector<int>& data : Sequences()) {
    const std::int64_t sum = std::accumulate(data.begin(), data.end(), std::int64_t{3});
    EXPECT_EQ(std::reduce(par, data.begin(), data.end(), std::int64_t{3}), sum);
    EXPECT_EQ(std::reduce(par_unseq, data.begin(), data.end(), std::int64_t{3}), sum);
    const std::vector<Matrix> matrices = Matrices(data);
    const Matrix product =
        std::accumulate(matrices.begin(), matrices.end(), Matrix(), std::multiplies<>());
    EXPECT_EQ(std::transform_reduce(par, data.begin(), data.end(), Matrix(), std::multiplies<>(),
                                    MatrixOf),
              product);
    EXPECT_EQ(
        std::transform_reduce(par, data.begin(), data.end(), data.begin(), 0u, std::plus<>(),
                              [](int x, int y) { return static_cast<unsigned>(x ^ (y + 1)); }),
        std::inner_product(data.begin(), data.end(), data.begin(), 0u, std::plus<>(),
                           [](int x, int y) { return static_cast<unsigned>(x ^ (y + 1)); }));
  }
}

TEST_P(ExecutionTest, Scans) {
  for (const std::vector<int>& data : Sequences()) {
    const std::vector<Matrix> matrices = Matrices(data);
    std::vector<Matrix> expected(data.size());
    std::vector<Matrix> a(data.size());
    const std::multiplies<> times;
    std::inclusive_scan(matrices.begin(), matrices.end(), expected.begin(), times, MatrixOf(3));
    std::inclusive_scan(par, matrices.begin(), matrices.end(), a.begin(), times, MatrixOf(3));
    EXPECT_EQ(a, expected);
    std::exclusive_scan(matrices.begin(), matrices.end(), expected.begin(), MatrixOf(3), times);
    std::exclusive_scan(par, matrices.begin(), matrices.end(), a.begin(), MatrixOf(3), times);
    EXPECT_EQ(a, expected);
    std::transform_inclusive_scan(par, data.begin(), data.end(), a.begin(), times, MatrixOf,
                                  Matrix());
    std::inclusive_scan(matrices.begin(), matrices.end(), expected.begin(), times);
    EXPECT_EQ(a, expected);
    std::transform_exclusive_scan(par_unseq, data.begin(), data.end(), a.begin(), MatrixOf(2),
                                  times, MatrixOf);
    std::exclusive_scan(matrices.begin(), matrices.end(), expected.begin(), MatrixOf(2), times);
    EXPECT_EQ(a, expected);
    std::vector<int> differences(data.size());
    std::vector<int> expected_differences(data.size());
    std::adjacent_difference(par, data.begin(), data.end(), differences.begin());
    std::adjacent_difference(data.begin(), data.end(), expected_differences.begin());
    EXPECT_EQ(differences, expected_differences);
  }
}

TEST_P(ExecutionTest, SearchesFindTheFirstOne) {
  for (const std::vector<int>& data : Sequences()) {
    const auto begin = data.begin();
    const auto end = data.end();
    for (const int x : {-1, 0, 7, data.empty() ? 1 : data.back()}) {
      const auto is_x = [x](int y) { return y == x; };
      EXPECT_EQ(std::find(par, begin, end, x), std::find(begin, end, x));
      EXPECT_EQ(std::find_if(par_unseq, begin, end, is_x), std::find(begin, end, x));
      EXPECT_EQ(std::find_if_not(par, begin, end, is_x), std::find_if_not(begin, end, is_x));
      EXPECT_EQ(std::any_of(par, begin, end, is_x), std::any_of(begin, end, is_x));
      EXPECT_EQ(std::all_of(par, begin, end, is_x), std::all_of(begin, end, is_x));
      EXPECT_EQ(std::none_of(par, begin, end, is_x), std::none_of(begin, end, is_x));
      EXPECT_EQ(std::count(par, begin, end, x), std::count(begin, end, x));
    }
    const std::vector<int> pattern(begin + static_cast<std::ptrdiff_t>(data.size() / 2), end);
    EXPECT_EQ(std::search(par, begin, end, pattern.begin(), pattern.end()),
              std::search(begin, end, pattern.begin(), pattern.end()));
    EXPECT_EQ(std::search_n(par, begin, end, 3, 7), std::search_n(begin, end, 3, 7));
    const int two[] = {1, 0};
    EXPECT_EQ(std::find_end(par, begin, end, two, two + 2),
              std::find_end(begin, end, two, two + 2));
    EXPECT_EQ(std::find_first_of(par, begin, end, two, two + 2),
              std::find_first_of(begin, end, two, two + 2));
    EXPECT_EQ(std::adjacent_find(par, begin, end), std::adjacent_find(begin, end));
    EXPECT_EQ(std::is_sorted_until(par, begin, end), std::is_sorted_until(begin, end));
    EXPECT_EQ(std::is_heap_until(par, begin, end), std::is_heap_until(begin, end));
  }
}

TEST_P(ExecutionTest, IsSorted) {
  // libstdc++ cancels the reduction that has found the place; oneTBB may lose it then.
  if (kOnOneTbb) GTEST_SKIP();
  std::vector<int> numbers(20'000);
  std::iota(numbers.begin(), numbers.end(), 0);
  EXPECT_TRUE(std::is_sorted(par, numbers.begin(), numbers.end()));
  for (std::size_t i = 625; i < numbers.size(); i += 1250) {
    const int number = std::exchange(numbers[i], -1);
    for (int round = 0; round < 20; ++round) {
      EXPECT_FALSE(std::is_sorted(par, numbers.begin(), numbers.end())) << i;
    }
    numbers[i] = number;
  }
}

TEST_P(ExecutionTest, ExtremaAndComparisons) {
  for (const std::vector<int>& data : Sequences()) {
    const auto begin = data.begin();
    const auto end = data.end();
    EXPECT_EQ(std::min_element(par, begin, end), std::min_element(begin, end));
    EXPECT_EQ(std::max_element(par, begin, end), std::max_element(begin, end));
    EXPECT_EQ(std::minmax_element(par, begin, end), std::minmax_element(begin, end));
    std::vector<int> other = data;
    EXPECT_TRUE(std::equal(par, begin, end, other.begin(), other.end()));
    EXPECT_EQ(std::mismatch(par, begin, end, other.begin()).first, end);
    if (data.empty()) continue;
    other.back() += 1;
    EXPECT_FALSE(std::equal(par, begin, end, other.begin(), other.end()));
    EXPECT_EQ(std::mismatch(par, begin, end, other.begin()).first, end - 1);
    EXPECT_TRUE(std::lexicographical_compare(par, begin, end, other.begin(), other.end()));
    EXPECT_FALSE(std::lexicographical_compare(par, other.begin(), other.end(), begin, end));
  }
}

TEST_P(ExecutionTest, CopiesThatDependOnTheElement) {
  const auto is_odd = [](int x) { return x % 2 != 0; };
  for (const std::vector<int>& data : Sequences()) {
    const auto compare = [&](auto serial, auto parallel) {
      std::vector<int> expected = data;
      std::vector<int> a = data;
      expected.erase(serial(expected), expected.end());
      a.erase(parallel(a), a.end());
      EXPECT_EQ(a, expected);
    };
    using Numbers = std::vector<int>;
    compare([&](Numbers& to) { return std::copy_if(data.begin(), data.end(), to.begin(), is_odd); },
            [&](Numbers& to) {
              return std::copy_if(par, data.begin(), data.end(), to.begin(), is_odd);
            });
    compare(
        [&](Numbers& to) {
          return std::remove_copy_if(data.begin(), data.end(), to.begin(), is_odd);
        },
        [&](Numbers& to) {
          return std::remove_copy_if(par, data.begin(), data.end(), to.begin(), is_odd);
        });
    compare(
        [&](Numbers& to) { return std::unique_copy(data.begin(), data.end(), to.begin()); },
        [&](Numbers& to) { return std::unique_copy(par, data.begin(), data.end(), to.begin()); });
    compare([](Numbers& a) { return std::unique(a.begin(), a.end()); },
            [](Numbers& a) { return std::unique(par, a.begin(), a.end()); });
    compare([&](Numbers& a) { return std::remove_if(a.begin(), a.end(), is_odd); },
            [&](Numbers& a) { return std::remove_if(par, a.begin(), a.end(), is_odd); });
  }
}

TEST_P(ExecutionTest, ElementwiseWrites) {
  for (const std::vector<int>& data : Sequences()) {
    std::vector<int> a(data.size());
    std::copy(par, data.begin(), data.end(), a.begin());
    EXPECT_EQ(a, data);
    std::vector<int> b(data.size());
    std::transform(par, data.begin(), data.end(), a.begin(), b.begin(), std::minus<>());
    EXPECT_TRUE(std::all_of(b.begin(), b.end(), [](int x) { return x == 0; }));
    std::fill(par, b.begin(), b.end(), 4);
    std::replace(par_unseq, b.begin(), b.end(), 4, 9);
    EXPECT_EQ(std::count(par, b.begin(), b.end(), 9), static_cast<std::ptrdiff_t>(b.size()));
    std::swap_ranges(par, a.begin(), a.end(), b.begin());
    EXPECT_EQ(b, data);
    std::atomic<int> calls{0};
    std::generate(par, a.begin(), a.end(), [&calls] { return ++calls; });
    EXPECT_EQ(calls, static_cast<int>(a.size()));
  }
}

// Inside a loop of the library underneath, as programs mix them.
TEST_P(ExecutionTest, Nested) {
  std::vector<std::vector<int>> rows(20, Random(3000, 1 << 30, 8));
  std::for_each(par, rows.begin(), rows.end(),
                [](std::vector<int>& row) { std::sort(par, row.begin(), row.end()); });
  for (const std::vector<int>& row : rows) EXPECT_TRUE(std::is_sorted(row.begin(), row.end()));
}

INSTANTIATE_TEST_SUITE_P(Limits, ExecutionTest, kLimits);

}  // namespace
