#include <tbb/parallel_sort.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <iterator>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/on_onetbb.h"
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
  for (const int size : {0, 1, 2, 3, 10, 16, 17, 65, 66, 499, 500, 501, 1999, 2048, 20000}) {
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
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<int>(i);
    for (std::size_t i = 0; i < n; i += 100) std::swap(values[i], values[random() % n]);
    ExpectSorts(values, "almost sorted");
    std::reverse(values.begin(), values.end());
    ExpectSorts(values, "almost reversed");
    for (std::size_t i = n - n / 10; i < n; ++i) values[i] = static_cast<int>(random() % n);
    ExpectSorts(values, "reversed with a random end");
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<int>(i / 7 * 7);
    for (std::size_t i = 0; i < n; i += 50) values[i] = 7;
    ExpectSorts(values, "almost sorted with equal ones");
  }
}

// Whether all is in order already is found out in parts, by several threads.
TEST_P(ParallelSortTest, FindsASinglePairOutOfOrder) {
  constexpr std::size_t kSize = 50000;
  std::vector<int> expected(kSize);
  for (std::size_t i = 0; i < kSize; ++i) expected[i] = static_cast<int>(i);
  for (std::size_t at = 1; at < kSize; at += at % 5000 < 4 || at % 5000 > 4995 ? 1 : 499) {
    std::vector<int> values = expected;
    std::swap(values[at - 1], values[at]);
    tbb::parallel_sort(values);
    ASSERT_EQ(values, expected) << at;
  }
}

TEST_P(ParallelSortTest, RethrowsWhatIsThrownWhereAllIsInOrder) {
  std::deque<std::string> words(30000, "word");
  words[20000] = "wrong";
  words[20001] = "x";
  for (std::size_t i = 20002; i < words.size(); ++i) words[i] = "y";
  EXPECT_THROW(tbb::parallel_sort(words,
                                  [](const std::string& a, const std::string& b) {
                                    if (a == "wrong" || b == "wrong") {
                                      throw std::range_error("wrong");
                                    }
                                    return a < b;
                                  }),
               std::range_error);
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

struct AsksItself {
  int key() { return value; }  // not const
  int value;
};

TEST_P(ParallelSortTest, AGenericComparisonNeedNotCompileForConstants) {
  std::vector<AsksItself> values(1000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i].value = static_cast<int>(i * 7 % 1000);
  tbb::parallel_sort(values.begin(), values.end(),
                     [](auto& a, auto& b) { return a.key() < b.key(); });
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(values[static_cast<std::size_t>(i)].value, i);
  tbb::parallel_sort(values, [](auto&& a, auto&& b) { return a.key() > b.key(); });
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(values[static_cast<std::size_t>(i)].value, 999 - i);
}

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

TEST_P(ParallelSortTest, AComparisonThatThrowsLosesNoElement) {
  if (kOnOneTbb) GTEST_SKIP() << "oneTBB now and then leaves an element twice";
  std::vector<int> values(5000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i * 31 % 5000);
  for (const int most : {3, 5010, 20000, 40000}) {
    std::atomic<int> calls{0};
    EXPECT_THROW(tbb::parallel_sort(values,
                                    [&](int a, int b) {
                                      if (++calls > most) throw std::range_error("too many");
                                      return a < b;
                                    }),
                 std::range_error);
    std::vector<int> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    for (int i = 0; i < 5000; ++i) ASSERT_EQ(sorted[static_cast<std::size_t>(i)], i) << most;
  }
}

TEST_P(ParallelSortTest, SortsSmallValuesByAnyComparison) {
  struct Entry {
    int key;
    float value;
  };
  std::mt19937 random(7);
  for (const unsigned keys : {1u, 5u, 1000u, 100000u}) {
    std::vector<Entry> entries(30000);
    std::vector<std::pair<int, int>> pairs;
    for (Entry& entry : entries) {
      entry = {static_cast<int>(random() % keys), static_cast<float>(random())};
      pairs.emplace_back(entry.key, static_cast<int>(random() % 1000));
    }
    tbb::parallel_sort(entries, [](const Entry& a, const Entry& b) { return a.key > b.key; });
    EXPECT_TRUE(std::is_sorted(entries.begin(), entries.end(),
                               [](const Entry& a, const Entry& b) { return a.key > b.key; }));
    std::vector<std::pair<int, int>> expected = pairs;
    std::sort(expected.begin(), expected.end());
    tbb::parallel_sort(pairs);
    EXPECT_EQ(pairs, expected);
  }
}

TEST_P(ParallelSortTest, NeedsFewComparisonsWhereKeysAreEqual) {
  constexpr int kSize = 20000;
  for (const unsigned keys : {1u, 2u, 10u}) {
    std::mt19937 random(11);
    std::vector<int> values(kSize);
    for (int& value : values) value = static_cast<int>(random() % keys);
    values.front() = 1;  // not sorted, not reversed
    values.back() = static_cast<int>(keys);
    values[kSize / 2] = -1;
    std::atomic<int> comparisons{0};
    tbb::parallel_sort(values, [&](int a, int b) {
      comparisons.fetch_add(1, std::memory_order_relaxed);
      return a < b;
    });
    EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
    EXPECT_LT(comparisons.load(), 25 * kSize) << keys << " keys";
  }
}

TEST_P(ParallelSortTest, AComparisonThatThrowsLosesNoElementOfLongRuns) {
  if (kOnOneTbb) GTEST_SKIP() << "oneTBB now and then leaves an element twice";
  for (const int size : {12, 100, 400, 5000}) {
    std::vector<int> values;
    for (int i = 0; i < size; ++i) values.push_back(i < size / 2 ? 2 * i : 2 * (size - i) - 1);
    std::vector<int> expected = values;
    std::sort(expected.begin(), expected.end());
    for (int most = 1; most < 20 * size; most += 1 + size / 7) {
      std::vector<int> left = values;
      std::atomic<int> calls{0};
      try {
        tbb::parallel_sort(left, [&](int a, int b) {
          if (calls.fetch_add(1, std::memory_order_relaxed) > most) {
            throw std::range_error("too many");
          }
          return a < b;
        });
      } catch (const std::range_error&) {
      }
      std::sort(left.begin(), left.end());
      ASSERT_EQ(left, expected) << most;
    }
  }
}

// Neither one that contradicts itself.
TEST_P(ParallelSortTest, KeepsItsElementsWhenTheComparisonChangesItsMind) {
  if (kOnOneTbb) GTEST_SKIP() << "undefined: std::sort leaves the array";
  for (const int size : {12, 100, 400, 5000}) {
    std::vector<int> values;
    for (int i = 0; i < size; ++i) values.push_back(i * 3 % size / 10 * 10 + i % 3);
    std::vector<int> expected = values;
    std::sort(expected.begin(), expected.end());
    std::atomic<unsigned> calls{0};
    tbb::parallel_sort(values, [&](int a, int b) {
      return calls.fetch_add(1, std::memory_order_relaxed) % 11 < 3 ? a >= b : a < b;
    });
    std::sort(values.begin(), values.end());
    ASSERT_EQ(values, expected) << size;
  }
}

// Comparisons with what is not a number contradict each other.
TEST_P(ParallelSortTest, KeepsItsElementsWhenTheyCannotBeOrdered) {
  std::vector<double> values(10000);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = i % 7 == 0 ? std::numeric_limits<double>::quiet_NaN()
                           : static_cast<double>(i * 7919 % 10000);
  }
  double sum = 0;
  for (const double value : values) sum += value == value ? value : 0;
  tbb::parallel_sort(values);
  int numbers = 0;
  double sum_after = 0;
  for (const double value : values) {
    numbers += value == value ? 1 : 0;
    sum_after += value == value ? value : 0;
  }
  EXPECT_EQ(numbers, 10000 - 1429);
  EXPECT_EQ(sum_after, sum);
}

// An iterator may return an object that stands for the element. No more of them than
// one thread sorts, for neighbouring bits share a word.
TEST_P(ParallelSortTest, SortsBits) {
  std::vector<bool> bits(300);
  for (std::size_t i = 0; i < bits.size(); i += 3) bits[i] = true;
  tbb::parallel_sort(bits.begin(), bits.end());
  EXPECT_TRUE(std::is_sorted(bits.begin(), bits.end()));
  EXPECT_EQ(std::count(bits.begin(), bits.end(), true), 100);
}

// What follows the sort may rely on the order, and may run although it was cancelled.
TEST_P(ParallelSortTest, SmallOnesAreDoneInACancelledTaskToo) {
  for (const int size : {3, 20, 499}) {
    std::vector<int> values;
    for (int i = 0; i < size; ++i) values.push_back(i * 31 % size);
    tbb::task_group group;
    group.run_and_wait([&] {
      group.cancel();
      tbb::parallel_sort(values);
    });
    EXPECT_TRUE(std::is_sorted(values.begin(), values.end())) << size;
  }
}

// An iterator that is made of a place and of nothing else.
class Place {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = int;
  using difference_type = std::ptrdiff_t;
  using pointer = int*;
  using reference = int&;

  explicit Place(int* number) : number_(number) {}

  int& operator*() const { return *number_; }
  int& operator[](std::ptrdiff_t n) const { return number_[n]; }
  Place& operator+=(std::ptrdiff_t n) {
    number_ += n;
    return *this;
  }
  Place& operator-=(std::ptrdiff_t n) { return *this += -n; }
  Place& operator++() { return *this += 1; }
  Place& operator--() { return *this -= 1; }
  Place operator++(int) { return Place(number_++); }
  Place operator--(int) { return Place(number_--); }
  friend Place operator+(Place place, std::ptrdiff_t n) { return place += n; }
  friend Place operator-(Place place, std::ptrdiff_t n) { return place -= n; }
  friend std::ptrdiff_t operator-(Place a, Place b) { return a.number_ - b.number_; }
  friend bool operator==(Place a, Place b) { return a.number_ == b.number_; }
  friend bool operator!=(Place a, Place b) { return a.number_ != b.number_; }
  friend bool operator<(Place a, Place b) { return a.number_ < b.number_; }
  [[maybe_unused]] friend bool operator>(Place a, Place b) { return b < a; }
  friend bool operator<=(Place a, Place b) { return !(b < a); }
  [[maybe_unused]] friend bool operator>=(Place a, Place b) { return !(a < b); }

 private:
  int* number_;
};

TEST_P(ParallelSortTest, IteratorsNeedNoDefault) {
  std::vector<int> values;
  for (int i = 0; i < 5000; ++i) values.push_back(i * 31 % 5000);
  tbb::parallel_sort(Place(values.data()), Place(values.data() + values.size()));
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
}

}  // namespace
