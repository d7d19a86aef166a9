#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <tbb/tick_count.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

using ParallelScanTest = ParallelismTest;
INSTANTIATE_TEST_SUITE_P(Limits, ParallelScanTest, kLimits);

using Range = tbb::blocked_range<int>;

// Appends the indices of a part to a text: associative and not commutative.
std::string Texts(const Range& part, std::string text) {
  for (int i = part.begin(); i != part.end(); ++i) text += static_cast<char>('a' + i % 26);
  return text;
}

struct TextBody {
  explicit TextBody(std::vector<std::string>* out) : results(out) {}
  TextBody(TextBody& other, tbb::split) : results(other.results) {}

  template <typename Tag>
  void operator()(const Range& part, Tag) {
    for (int i = part.begin(); i != part.end(); ++i) {
      text += static_cast<char>('a' + i % 26);
      if (Tag::is_final_scan()) (*results)[static_cast<std::size_t>(i)] += text;
    }
  }
  void reverse_join(TextBody& left) { text = left.text + text; }
  void assign(TextBody& last) { text = last.text; }

  std::vector<std::string>* results;
  std::string text;
};

TEST_P(ParallelScanTest, TheBodyKeepsTheOrder) {
  for (int size : {0, 1, 2, 7, 300}) {
    for (std::size_t grain : {1, 3, 1000}) {
      std::vector<std::string> results(static_cast<std::size_t>(size));
      const Range range(0, size, grain);
      TextBody whole(&results);
      tbb::parallel_scan(range, whole);
      EXPECT_EQ(whole.text, Texts(range, ""));
      TextBody by_simple(&results);
      tbb::parallel_scan(range, by_simple, tbb::simple_partitioner());
      EXPECT_EQ(by_simple.text, Texts(range, ""));
      TextBody by_auto(&results);
      tbb::parallel_scan(range, by_auto, tbb::auto_partitioner());
      EXPECT_EQ(by_auto.text, Texts(range, ""));
      // Every index was scanned for good once in each of the three.
      for (int i = 0; i < size; ++i) {
        const std::string once = Texts(Range(0, i + 1), "");
        EXPECT_EQ(results[static_cast<std::size_t>(i)], once + once + once);
      }
    }
  }
}

TEST_P(ParallelScanTest, TheFunctionsGetLeftAndRight) {
  constexpr int kSize = 2000;
  for (int form = 0; form < 3; ++form) {
    std::vector<long> prefix(kSize);
    const auto scan = [&](const Range& part, long sum, bool is_final) {
      for (int i = part.begin(); i != part.end(); ++i) {
        sum += i;
        if (is_final) prefix[static_cast<std::size_t>(i)] = sum;
      }
      return sum;
    };
    const auto join = [](long left, long right) { return left + right; };
    const Range range(0, kSize);
    const long total = form == 0 ? tbb::parallel_scan(range, 0L, scan, join)
                       : form == 1
                           ? tbb::parallel_scan(range, 0L, scan, join, tbb::simple_partitioner())
                           : tbb::parallel_scan(range, 0L, scan, join, tbb::auto_partitioner());
    EXPECT_EQ(total, kSize * (kSize - 1L) / 2);
    for (long i = 0; i < kSize; ++i) {
      ASSERT_EQ(prefix[static_cast<std::size_t>(i)], i * (i + 1) / 2) << i;
    }
  }
}

TEST_P(ParallelScanTest, ManyTimesWithThreadsThatCome) {
  constexpr int kSize = 10000;
  for (int repeat = 0; repeat < 50; ++repeat) {
    std::vector<int> times(kSize);
    const long total = tbb::parallel_scan(
        Range(0, kSize, 16), 0L,
        [&](const Range& part, long sum, bool is_final) {
          for (int i = part.begin(); i != part.end(); ++i) {
            sum += i;
            if (is_final) ++times[static_cast<std::size_t>(i)];
          }
          return sum;
        },
        [](long left, long right) { return left + right; });
    ASSERT_EQ(total, kSize * (kSize - 1L) / 2);
    for (int count : times) ASSERT_EQ(count, 1);
  }
}

TEST_P(ParallelScanTest, AnEmptyRangeGivesTheIdentity) {
  const auto scan = [](const Range&, int, bool) -> int { throw std::logic_error("called"); };
  EXPECT_EQ(tbb::parallel_scan(Range(3, 3), 17, scan, [](int a, int) { return a; }), 17);
}

TEST_P(ParallelScanTest, Rethrows) {
  const auto scan = [](const Range& part, int sum, bool) {
    if (part.begin() <= 70 && 70 < part.end()) throw std::domain_error("thrown");
    return sum;
  };
  EXPECT_THROW(tbb::parallel_scan(
                   Range(0, 100), 0, scan, [](int a, int) { return a; }, tbb::simple_partitioner()),
               std::domain_error);
}

// Makes what comes after the first index worth help, and gives others time to come.
void BeginSlowly(const Range& part) {
  if (part.begin() == 0) {
    const tbb::tick_count begin = tbb::tick_count::now();
    while ((tbb::tick_count::now() - begin).seconds() < 0.001) {
    }
  }
  std::this_thread::yield();
}

struct SlowTextBody : TextBody {
  using TextBody::TextBody;

  template <typename Tag>
  void operator()(const Range& part, Tag tag) {
    BeginSlowly(part);
    TextBody::operator()(part, tag);
  }
};

TEST_P(ParallelScanTest, TheBodyKeepsTheOrderAmongManyThreads) {
  tbb::task_arena arena(8);
  for (int size : {1, 2, 7, 300}) {
    std::vector<std::string> results(static_cast<std::size_t>(size));
    const Range range(0, size);
    arena.execute([&] {
      SlowTextBody by_simple(&results);
      tbb::parallel_scan(range, by_simple, tbb::simple_partitioner());
      EXPECT_EQ(by_simple.text, Texts(range, ""));
      SlowTextBody by_auto(&results);
      tbb::parallel_scan(range, by_auto, tbb::auto_partitioner());
      EXPECT_EQ(by_auto.text, Texts(range, ""));
    });
    for (int i = 0; i < size; ++i) {
      const std::string once = Texts(Range(0, i + 1), "");
      EXPECT_EQ(results[static_cast<std::size_t>(i)], once + once);
    }
  }
}

TEST_P(ParallelScanTest, TheFunctionsKeepTheOrderAmongManyThreads) {
  constexpr int kSize = 2000;
  tbb::task_arena arena(8);
  for (int repeat = 0; repeat < 10; ++repeat) {
    std::vector<std::size_t> lengths(kSize);
    const std::string all = arena.execute([&] {
      return tbb::parallel_scan(
          Range(0, kSize, 5), std::string(),
          [&](const Range& part, std::string text, bool is_final) {
            BeginSlowly(part);
            for (int i = part.begin(); i != part.end(); ++i) {
              text = Texts(Range(i, i + 1), std::move(text));
              if (is_final) lengths[static_cast<std::size_t>(i)] += text.size();
            }
            return text;
          },
          std::plus<std::string>());
    });
    EXPECT_EQ(all, Texts(Range(0, kSize), ""));
    for (std::size_t i = 0; i < kSize; ++i) ASSERT_EQ(lengths[i], i + 1);
  }
}

TEST_P(ParallelScanTest, RethrowsWhatOneOfManyThreadsThrows) {
  tbb::task_arena arena(8);
  for (int bad : {0, 1, 50, 99}) {
    const auto scan = [bad](const Range& part, int sum, bool) {
      BeginSlowly(part);
      if (part.begin() <= bad && bad < part.end()) throw std::domain_error("thrown");
      return sum;
    };
    arena.execute([&] {
      EXPECT_THROW(
          tbb::parallel_scan(
              Range(0, 100), 0, scan, [](int a, int) { return a; }, tbb::simple_partitioner()),
          std::domain_error);
    });
  }
}

void TakeMilliseconds(double milliseconds) {
  const tbb::tick_count begin = tbb::tick_count::now();
  while ((tbb::tick_count::now() - begin).seconds() < milliseconds / 1000) {
  }
}

// Takes a millisecond to be made, and one to be joined.
struct DearBody {
  explicit DearBody(std::atomic<int>& counter) : bodies(counter) {}
  DearBody(DearBody& other, tbb::split) : bodies(other.bodies) {
    ++bodies;
    TakeMilliseconds(1);
  }

  template <typename Tag>
  void operator()(const Range& part, Tag) {
    for (int i = part.begin(); i != part.end(); ++i) {
      TakeMilliseconds(0.004);
      sum += i;
    }
  }
  void reverse_join(DearBody& left) {
    TakeMilliseconds(1);
    sum += left.sum;
  }
  void assign(DearBody& last) { sum = last.sum; }

  std::atomic<int>& bodies;
  long sum = 0;
};

TEST_P(ParallelScanTest, FewBodiesAreMadeOfWhatIsDearToMakeAndToJoin) {
  constexpr int kSize = 10000;
  for (const int threads : {2, 4, 8}) {
    // A thread that is interrupted seems to need more, so this is several times what is expected.
    // With one for each short block there were 70 to 1000 for two threads.
    const int few = 16 * threads;
    tbb::task_arena arena(threads);
    std::atomic<int> bodies{0};
    DearBody by_auto(bodies);
    arena.execute([&] { tbb::parallel_scan(Range(0, kSize), by_auto); });
    EXPECT_EQ(by_auto.sum, kSize * (kSize - 1L) / 2);
    EXPECT_LE(bodies.exchange(0), few);
    DearBody by_simple(bodies);
    arena.execute(
        [&] { tbb::parallel_scan(Range(0, kSize, 20), by_simple, tbb::simple_partitioner()); });
    EXPECT_EQ(by_simple.sum, kSize * (kSize - 1L) / 2);
    EXPECT_LE(bodies.exchange(0), few);
  }
}

TEST(ScanTagTest, SaysWhichScanItIs) {
  EXPECT_FALSE(tbb::pre_scan_tag::is_final_scan());
  EXPECT_TRUE(tbb::final_scan_tag::is_final_scan());
  tbb::pre_scan_tag pre{};
  tbb::final_scan_tag final{};
  EXPECT_FALSE(static_cast<bool>(pre));
  EXPECT_TRUE(static_cast<bool>(final));
}

// Tells the two scans apart by type.
struct TypedScan {
  int operator()(const Range& part, int sum, tbb::pre_scan_tag) const {
    for (int i = part.begin(); i != part.end(); ++i) sum += i;
    return sum;
  }
  template <typename Tag>
  int operator()(const Range& part, int sum, Tag) const {
    static_assert(std::is_same_v<Tag, tbb::final_scan_tag>);
    for (int i = part.begin(); i != part.end(); ++i) {
      sum += i;
      out[static_cast<std::size_t>(i)] = sum;
    }
    return sum;
  }

  std::vector<int>& out;
};

TEST_P(ParallelScanTest, FunctionsAreGivenTheTag) {
  constexpr int kItems = 1000;
  std::vector<int> sums(kItems);
  const int total = tbb::parallel_scan(Range(0, kItems, 10), 0, TypedScan{sums}, std::plus<int>());
  EXPECT_EQ(total, kItems * (kItems - 1) / 2);
  for (int i = 0; i < kItems; ++i) EXPECT_EQ(sums[static_cast<std::size_t>(i)], i * (i + 1) / 2);
}

TEST_P(ParallelScanTest, ACancelledScanOfFunctionsReturnsTheIdentity) {
  tbb::task_group group;
  std::string total = "untouched";
  group.run([&] {
    group.cancel();
    total = tbb::parallel_scan(
        Range(0, 100), std::string(),
        [](const Range& part, std::string text, bool) { return Texts(part, std::move(text)); },
        std::plus<std::string>());
  });
  EXPECT_EQ(group.wait(), tbb::canceled);
  EXPECT_EQ(total, "");
}

}  // namespace
