#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

using ParallelSortTest = ParallelismTest;
INSTANTIATE_TEST_SUITE_P(Limits, ParallelSortTest, kLimits);

void ExpectSorts(std::vector<int> values, const char* shape) {
  std::vector<int> expected = values;
  std::sort(expected.begin(), expected.end());
  std::vector<int> ascending = values;
  tbb::parallel_sort(ascending.begin(), ascending.end());
  EXPECT_EQ(ascending, expected) << shape << " of " << values.size();
  tbb::parallel_sort(values.begin(), values.end(), std::greater<int>());
  std::reverse(expected.begin(), expected.end());
  EXPECT_EQ(values, expected) << shape << " downwards, of " << values.size();
}

TEST_P(ParallelSortTest, SortsEveryShapeOfInput) {
  std::mt19937 random(12345);
  for (const int size : {0, 1, 2, 3, 10, 499, 500, 501, 1999, 2048, 20000}) {
    const auto n = static_cast<std::size_t>(size);
    std::vector<int> values(n);
    ExpectSorts(values, "all equal");
    for (int& value : values) value = static_cast<int>(random());
    ExpectSorts(values, "random");
    for (int& value : values) value = static_cast<int>(random() % 3);
    ExpectSorts(values, "three values");
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<int>(i);
    ExpectSorts(values, "sorted");
    std::reverse(values.begin(), values.end());
    ExpectSorts(values, "reversed");
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<int>(std::min(i, n - i));
    ExpectSorts(values, "organ pipes");
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<int>(i % 2 == 0 ? i : n - i);
    ExpectSorts(values, "interleaved");
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<int>(i % 37);
    ExpectSorts(values, "saw teeth");
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<int>(i);
    if (n > 0) values[n / 2] = -1;
    ExpectSorts(values, "sorted but one");
  }
}

TEST_P(ParallelSortTest, TakesContainersAndArrays) {
  std::vector<int> vector = {3, 1, 2};
  tbb::parallel_sort(vector);
  EXPECT_EQ(vector, (std::vector<int>{1, 2, 3}));
  tbb::parallel_sort(vector, std::greater<int>());
  EXPECT_EQ(vector, (std::vector<int>{3, 2, 1}));

  std::deque<std::string> deque;
  for (int i = 0; i < 3000; ++i) deque.push_back(std::to_string(i * 7919 % 3000));
  tbb::parallel_sort(deque);
  EXPECT_TRUE(std::is_sorted(deque.begin(), deque.end()));

  double array[] = {2.5, -1.0, 7.0, 0.0};
  tbb::parallel_sort(array);
  EXPECT_TRUE(std::is_sorted(std::begin(array), std::end(array)));
  tbb::parallel_sort(array, array + 4, [](double a, double b) { return a > b; });
  EXPECT_EQ(array[0], 7.0);
  tbb::parallel_sort(array, array + 4);
  EXPECT_EQ(array[0], -1.0);
}

// Movable, not copyable.
class Ticket {
 public:
  explicit Ticket(int number) : number_(number) {}
  Ticket(Ticket&&) = default;
  Ticket& operator=(Ticket&&) = default;
  int number() const { return number_; }
  friend bool operator<(const Ticket& a, const Ticket& b) { return a.number_ < b.number_; }

 private:
  int number_;
};

TEST_P(ParallelSortTest, MovesItsElements) {
  std::vector<Ticket> tickets;
  for (int i = 0; i < 5000; ++i) tickets.emplace_back(i * 4999 % 5000);
  tbb::parallel_sort(tickets.begin(), tickets.end());
  for (int i = 0; i < 5000; ++i) {
    ASSERT_EQ(tickets[static_cast<std::size_t>(i)].number(), i);
  }
}

TEST_P(ParallelSortTest, RethrowsWhatTheComparisonThrows) {
  std::vector<int> values(5000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i * 31 % 5000);
  EXPECT_THROW(tbb::parallel_sort(values.begin(), values.end(),
                                  [](int a, int b) {
                                    if (a == 4000 || b == 4000) throw std::range_error("4000");
                                    return a < b;
                                  }),
               std::range_error);
}

}  // namespace
