#include <tbb/blocked_range.h>
#include <tbb/blocked_range2d.h>
#include <tbb/global_control.h>
#include <tbb/parallel_reduce.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/argument_tails.h"
#include "tests/conformance/on_onetbb.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

using ParallelReduceTest = ParallelismTest;
INSTANTIATE_TEST_SUITE_P(Limits, ParallelReduceTest, kLimits);

using Range = tbb::blocked_range<int>;

// Digits of the indices in order, which no other order of joining gives.
std::string Serial(int from, int to) {
  std::string text;
  for (int i = from; i != to; ++i) text += static_cast<char>('a' + i % 26);
  return text;
}

// The imperative form of the concatenation; counts its live objects.
class Concatenation {
 public:
  Concatenation() { ++alive; }
  Concatenation(Concatenation&, tbb::split) { ++alive; }
  ~Concatenation() { --alive; }
  Concatenation(const Concatenation&) = delete;
  Concatenation& operator=(const Concatenation&) = delete;

  void operator()(const Range& part) { text_ += Serial(part.begin(), part.end()); }
  void join(Concatenation& right) { text_ += right.text_; }
  const std::string& text() const { return text_; }

  static std::atomic<int> alive;

 private:
  std::string text_;
};
std::atomic<int> Concatenation::alive{0};

// As ForEachTail; the deterministic algorithm knows fewer partitioners.
template <typename With>
void ForEachDeterministicTail(const With& with) {
  tbb::task_group_context context;
  with();
  with(tbb::simple_partitioner());
  with(tbb::static_partitioner());
  with(context);
  with(tbb::simple_partitioner(), context);
  with(tbb::static_partitioner(), context);
}

TEST_P(ParallelReduceTest, JoinsInOrderInAllImperativeForms) {
  int forms = 0;
  ForEachTail([&](auto&&... tail) {
    for (const int size : {0, 1, 2, 17, 1000}) {
      Concatenation body;
      tbb::parallel_reduce(Range(0, size), body, tail...);
      EXPECT_EQ(body.text(), Serial(0, size)) << "form " << forms;
    }
    ++forms;
  });
  EXPECT_EQ(forms, 10);
  EXPECT_EQ(Concatenation::alive, 0);
}

TEST_P(ParallelReduceTest, JoinsInOrderInAllDeterministicImperativeForms) {
  int forms = 0;
  ForEachDeterministicTail([&](auto&&... tail) {
    for (const int size : {0, 1, 2, 17, 1000}) {
      Concatenation body;
      tbb::parallel_deterministic_reduce(Range(0, size, 8), body, tail...);
      EXPECT_EQ(body.text(), Serial(0, size)) << "form " << forms;
    }
    ++forms;
  });
  EXPECT_EQ(forms, 6);
  EXPECT_EQ(Concatenation::alive, 0);
}

TEST_P(ParallelReduceTest, JoinsInOrderInAllFunctionalForms) {
  const auto body = [](const Range& part, std::string text) {
    return text + Serial(part.begin(), part.end());
  };
  const auto join = [](const std::string& left, const std::string& right) { return left + right; };
  int forms = 0;
  ForEachTail([&](auto&&... tail) {
    EXPECT_EQ(tbb::parallel_reduce(Range(0, 1000), std::string(), body, join, tail...),
              Serial(0, 1000))
        << "form " << forms;
    ++forms;
  });
  EXPECT_EQ(forms, 10);
  forms = 0;
  ForEachDeterministicTail([&](auto&&... tail) {
    EXPECT_EQ(
        tbb::parallel_deterministic_reduce(Range(0, 1000, 10), std::string(), body, join, tail...),
        Serial(0, 1000))
        << "form " << forms;
    ++forms;
  });
  EXPECT_EQ(forms, 6);
}

TEST_P(ParallelReduceTest, ReturnsTheIdentityOfAnEmptyRange) {
  EXPECT_EQ(
      tbb::parallel_reduce(
          Range(3, 3), 42, [](const Range&, int) { return 0; }, [](int a, int b) { return a + b; }),
      42);
}

TEST_P(ParallelReduceTest, SumsLongArrays) {
  std::vector<long> values(100000);
  std::iota(values.begin(), values.end(), 1);
  using Slice = tbb::blocked_range<const long*>;
  const long sum = tbb::parallel_reduce(
      Slice(values.data(), values.data() + values.size()), 0L,
      [](const Slice& part, long start) {
        return std::accumulate(part.begin(), part.end(), start);
      },
      std::plus<long>());
  EXPECT_EQ(sum, 100000L * 100001L / 2);
}

#if TBB_INTERFACE_VERSION >= 12200  // older versions copy
// A value that is moved, never copied, once the identity has been copied.
class Bag {
 public:
  Bag() = default;
  Bag(const Bag& other) : items_(other.items_) {
    if (!items_.empty()) copied_full = true;
  }
  Bag& operator=(const Bag& other) = default;
  Bag(Bag&&) = default;
  Bag& operator=(Bag&&) = default;

  std::vector<int> items_;
  static std::atomic<bool> copied_full;
};
std::atomic<bool> Bag::copied_full{false};

TEST_P(ParallelReduceTest, MovesItsValues) {
  Bag::copied_full = false;
  const Bag all = tbb::parallel_reduce(
      Range(0, 2000, 10), Bag(),
      [](const Range& part, Bag&& bag) {
        for (int i = part.begin(); i != part.end(); ++i) bag.items_.push_back(i);
        return std::move(bag);
      },
      [](Bag&& left, Bag&& right) {
        left.items_.insert(left.items_.end(), right.items_.begin(), right.items_.end());
        return std::move(left);
      },
      tbb::simple_partitioner());
  std::vector<int> expected(2000);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(all.items_, expected);
  EXPECT_FALSE(Bag::copied_full);
}
#endif

TEST_P(ParallelReduceTest, DeterministicSplitsTheSameWayEveryTime) {
  std::vector<float> values(20000);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = 1.0f / static_cast<float>(i * 7919 % 20000 + 1);
  }
  using Slice = tbb::blocked_range<std::size_t>;
  const auto sum = [&] {
    return tbb::parallel_deterministic_reduce(
        Slice(0, values.size(), 16), 0.0f,
        [&](const Slice& part, float start) {
          for (std::size_t i = part.begin(); i != part.end(); ++i) start += values[i];
          return start;
        },
        [](float a, float b) { return a + b; });
  };
  const float first = sum();
  for (int repeat = 0; repeat < 20; ++repeat) EXPECT_EQ(sum(), first);
}

// The tree of a deterministic reduction as text: cuts by "(l r)".
TEST_P(ParallelReduceTest, DeterministicCutsInHalvesDownToTheGrain) {
  const std::string tree = tbb::parallel_deterministic_reduce(
      Range(0, 8, 2), std::string(),
      [](const Range& part, const std::string&) {
        return std::to_string(part.begin()) + "-" + std::to_string(part.end());
      },
      [](const std::string& left, const std::string& right) {
        return "(" + left + " " + right + ")";
      });
  EXPECT_EQ(tree, "((0-2 2-4) (4-6 6-8))");
}

// The same by static_partitioner, whoever runs its few parts.
template <typename Interval>
std::string StaticTree(int items) {
  return tbb::parallel_deterministic_reduce(
      Interval(0, items), std::string(),
      [](const Interval& part, const std::string& before) {
        return before + std::to_string(part.begin()) + "-" + std::to_string(part.end());
      },
      [](const std::string& left, const std::string& right) {
        return "(" + left + " " + right + ")";
      },
      tbb::static_partitioner());
}

// A range that is not a blocked_range.
class OwnRange {
 public:
  OwnRange(int begin, int end) : range_(begin, end) {}
  OwnRange(OwnRange& other, tbb::split) : range_(other.range_, tbb::split()) {}
  bool empty() const { return range_.empty(); }
  bool is_divisible() const { return range_.is_divisible(); }
  int begin() const { return range_.begin(); }
  int end() const { return range_.end(); }

 private:
  Range range_;
};

TEST_P(ParallelReduceTest, DeterministicStaticCutsTheSameWayEveryTime) {
  for (const int items : {8, 64, 256, 2000}) {
    const std::string tree = StaticTree<Range>(items);
    const std::string own_tree = StaticTree<OwnRange>(items);
    for (int repeat = 0; repeat < 500; ++repeat) {
      ASSERT_EQ(StaticTree<Range>(items), tree);
      ASSERT_EQ(StaticTree<OwnRange>(items), own_tree);
    }
  }
}

TEST_P(ParallelReduceTest, RethrowsAndDestroysItsBodies) {
  class Thrower {
   public:
    Thrower() { ++Concatenation::alive; }
    Thrower(Thrower&, tbb::split) { ++Concatenation::alive; }
    ~Thrower() { --Concatenation::alive; }
    void operator()(const Range& part) {
      if (part.begin() <= 700 && 700 < part.end()) throw std::length_error("700");
    }
    void join(Thrower&) {}
  };
  ForEachTail([&](auto&&... tail) {
    Thrower body;
    try {
      tbb::parallel_reduce(Range(0, 1000), body, tail...);
    } catch (const std::length_error& error) {
      EXPECT_STREQ(error.what(), "700");
    }
  });
  Thrower body;
  EXPECT_THROW(tbb::parallel_reduce(Range(0, 1000), body), std::length_error);
  EXPECT_THROW(tbb::parallel_deterministic_reduce(Range(0, 1000, 10), body), std::length_error);
  // Only a deterministic reduction joins even where nothing was stolen.  oneTBB 2021.8
  // joins when it has destroyed the task, and when that throws it cancels the task.
  if (!kOnOneTbb) {
    EXPECT_THROW(tbb::parallel_deterministic_reduce(
                     Range(0, 1000, 10), 0, [](const Range&, int) { return 1; },
                     [](int, int) -> int { throw std::length_error("join"); }),
                 std::length_error);
  }
  EXPECT_EQ(Concatenation::alive, 1);
}

// Bodies that know from which one they were split, and on which thread.
class Lineage {
 public:
  Lineage() = default;
  Lineage(Lineage& from, tbb::split) : from_(&from), maker_(std::this_thread::get_id()) {}
  Lineage(const Lineage&) = delete;
  Lineage& operator=(const Lineage&) = delete;

  void operator()(const Range& part) {
    // A body accumulates neighbouring parts from left to right, on one thread.
    if (count_ != 0) {
      EXPECT_EQ(part.begin(), end_);
    } else if (from_ != nullptr) {
      EXPECT_EQ(std::this_thread::get_id(), maker_);
    }
    end_ = part.end();
    count_ += static_cast<int>(part.size());
    std::this_thread::yield();
  }
  void join(Lineage& right) {
    EXPECT_EQ(right.from_, this);
    end_ = right.end_;
    count_ += right.count_;
  }
  int count() const { return count_; }

 private:
  const Lineage* from_ = nullptr;
  std::thread::id maker_;
  int count_ = 0;
  int end_ = 0;
};

TEST_P(ParallelReduceTest, JoinsABodyToTheOneThatItWasSplitFrom) {
  ForEachTail([&](auto&&... tail) {
    Lineage body;
    tbb::parallel_reduce(Range(0, 1000), body, tail...);
    EXPECT_EQ(body.count(), 1000);
  });
}

TEST(ParallelReduceAloneTest, SplitsNoBodyWhenNobodyHelps) {
  class Unsplit {
   public:
    Unsplit() = default;
    Unsplit(Unsplit&, tbb::split) { ADD_FAILURE() << "there is one thread"; }
    void operator()(const Range& part) { count_ += static_cast<int>(part.size()); }
    void join(Unsplit&) {}
    int count_ = 0;
  };
  const auto reduce = [] {
    ForEachTail([](auto&&... tail) {
      Unsplit body;
      tbb::parallel_reduce(Range(0, 1000), body, tail...);
      EXPECT_EQ(body.count_, 1000);
    });
  };
  tbb::task_arena(1).execute(reduce);
  // There is room for a second one, and a part of the loop for it.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 1);
  tbb::task_arena(2).execute(reduce);
}

TEST_P(ParallelReduceTest, RethrowsWhatSplittingAndJoiningThrow) {
  // oneTBB waits forever for a part whose body cannot be split, and crashes when
  // join throws.
  if (kOnOneTbb) GTEST_SKIP();
  enum class Where { kSplit, kJoin };
  class Thrower {
   public:
    Thrower(Where where, std::atomic<bool>& threw) : where_(where), threw_(threw) {}
    Thrower(Thrower& from, tbb::split) : where_(from.where_), threw_(from.threw_) {
      if (where_ == Where::kSplit) Throw();
    }
    void operator()(const Range&) { std::this_thread::yield(); }
    void join(Thrower&) {
      if (where_ == Where::kJoin) Throw();
    }

   private:
    void Throw() {
      threw_ = true;
      throw std::length_error("body");
    }
    const Where where_;
    std::atomic<bool>& threw_;
  };
  for (const Where where : {Where::kSplit, Where::kJoin}) {
    const auto reduce = [where](auto&&... partitioner) {
      std::atomic<bool> threw{false};
      bool caught = false;
      Thrower body(where, threw);
      try {
        tbb::parallel_reduce(Range(0, 1000), body, partitioner...);
      } catch (const std::length_error&) {
        caught = true;
      }
      EXPECT_EQ(caught, threw);  // whether there is a thief is chance
    };
    tbb::affinity_partitioner affinity;
    reduce();
    reduce(tbb::simple_partitioner());
    reduce(tbb::static_partitioner());
    reduce(affinity);
  }
}

TEST_P(ParallelReduceTest, StopsWhenItsContextIsCancelled) {
  tbb::task_group_context context;
  const int seen = tbb::parallel_reduce(
      Range(0, 10000000), 0,
      [&](const Range& part, int count) {
        context.cancel_group_execution();
        return count + static_cast<int>(part.size());
      },
      std::plus<int>(), tbb::simple_partitioner(), context);
  EXPECT_LT(seen, 10000000);
  EXPECT_TRUE(context.is_group_execution_cancelled());
}

// What a cancelled reduction has come to: every part that ran, and in order.
template <typename R, typename Reduce>
void ExpectKeepsWhatRan(const Reduce& reduce) {
  for (int round = 0; round < 50; ++round) {
    tbb::task_group_context context;
    std::atomic<int> ran{0};
    const auto accumulate = [&](const R& part, std::vector<int> seen) {
      for (int i = part.begin(); i != part.end(); ++i) {
        seen.push_back(i);
        if (++ran == 300) context.cancel_group_execution();
      }
      return seen;
    };
    const auto append = [](std::vector<int> left, const std::vector<int>& right) {
      left.insert(left.end(), right.begin(), right.end());
      return left;
    };
    const std::vector<int> seen =
        reduce(R(0, 20000), std::vector<int>(), accumulate, append, context);
    EXPECT_EQ(static_cast<int>(seen.size()), ran);
    EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  }
}

TEST_P(ParallelReduceTest, KeepsWhatRanBeforeItWasCancelled) {
  // libstdc++ cancels a reduction and returns what it yields; with oneTBB, which does
  // not join then, std::is_sorted may take what is out of order for sorted.
  if (kOnOneTbb) GTEST_SKIP();
  tbb::affinity_partitioner affinity;
  const auto reduce = [](auto& partitioner) {
    return [&partitioner](const auto& range, const auto& identity, const auto& body,
                          const auto& join, tbb::task_group_context& context) {
      return tbb::parallel_reduce(range, identity, body, join, partitioner, context);
    };
  };
  const auto expect_for_all = [&](auto& partitioner) {
    ExpectKeepsWhatRan<Range>(reduce(partitioner));
    ExpectKeepsWhatRan<OwnRange>(reduce(partitioner));
  };
  const tbb::simple_partitioner simple;
  const tbb::auto_partitioner automatic;
  const tbb::static_partitioner fixed;
  expect_for_all(simple);
  expect_for_all(automatic);
  expect_for_all(fixed);
  expect_for_all(affinity);
  ExpectKeepsWhatRan<Range>([](const auto& range, const auto& identity, const auto& body,
                               const auto& join, tbb::task_group_context& context) {
    return tbb::parallel_deterministic_reduce(range, identity, body, join, context);
  });
}

// Holds no value before it has seen a part, and cancels its context when it is split.
class Unstarted {
 public:
  explicit Unstarted(tbb::task_group_context& context) : context_(context) {}
  Unstarted(Unstarted& other, tbb::split) : context_(other.context_) {
    ++splits;
    context_.cancel_group_execution();
  }
  template <typename AnyRange>
  void operator()(const AnyRange&) {
    if (waits) {
      while (splits == 0) std::this_thread::yield();
    }
    has_value_ = true;
  }
  void join(Unstarted& right) {
    if (!right.has_value_) ++joined_without_value;
  }

  static inline std::atomic<int> splits{0};
  static inline std::atomic<int> joined_without_value{0};
  static inline std::atomic<bool> waits{false};

 private:
  tbb::task_group_context& context_;
  bool has_value_ = false;
};

template <typename AnyRange, typename Reduce>
void ExpectJoinsNothingUnstarted(bool waits, const Reduce& reduce) {
  Unstarted::waits = waits;
  for (int round = 0; round < 20; ++round) {
    Unstarted::splits = 0;
    tbb::task_group_context context;
    Unstarted body(context);
    reduce(AnyRange(0, 4), body, context);
    EXPECT_GT(Unstarted::splits, 0);
    EXPECT_EQ(Unstarted::joined_without_value, 0);
  }
}

// That of libstdc++'s std::transform_reduce is such a body.
TEST_P(ParallelReduceTest, JoinsNoBodyThatHasSeenNothingWhenItIsCancelled) {
  const auto deterministic = [](const auto& range, Unstarted& body, auto& context) {
    tbb::parallel_deterministic_reduce(range, body, tbb::static_partitioner(), context);
  };
  tbb::task_arena arena(4);
  arena.execute([&] {
    ExpectJoinsNothingUnstarted<Range>(false, deterministic);
    ExpectJoinsNothingUnstarted<OwnRange>(false, deterministic);
  });
  if (HasNoWorkers(limit())) return;
  // Here only a second thread splits the body.
  ExpectJoinsNothingUnstarted<Range>(true, [](const auto& range, Unstarted& body, auto& context) {
    tbb::parallel_reduce(range, body, tbb::simple_partitioner(), context);
  });
}

// As that of libstdc++'s std::stable_partition does, which joins each part to all before it.
TEST_P(ParallelReduceTest, AFunctionThatTakesAsLongForAnyPartGetsFewParts) {
  constexpr int kSize = 20000;
  std::atomic<int> parts{0};
  const auto takes_long = [&](const Range& part, int sum) {
    ++parts;
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(30);
    while (std::chrono::steady_clock::now() < end) {
    }
    return sum + static_cast<int>(part.size());
  };
  EXPECT_EQ(tbb::parallel_reduce(Range(0, kSize), 0, takes_long, std::plus<int>()), kSize);
  EXPECT_LT(parts, kSize / 4);
}

TEST_P(ParallelReduceTest, Nests) {
  const int total = tbb::parallel_reduce(
      Range(0, 40), 0,
      [](const Range& outer, int start) {
        for (int i = outer.begin(); i != outer.end(); ++i) {
          start += tbb::parallel_reduce(
              Range(0, i), 0,
              [](const Range& inner, int sum) { return sum + static_cast<int>(inner.size()); },
              std::plus<int>());
        }
        return start;
      },
      std::plus<int>());
  EXPECT_EQ(total, 40 * 39 / 2);
}

// Dozens of these are more than a stack has room for.
class Histogram {
 public:
  Histogram() = default;
  Histogram(Histogram&, tbb::split) {}
  Histogram(const Histogram&) = delete;
  Histogram& operator=(const Histogram&) = delete;

  template <typename AnyRange>
  void operator()(const AnyRange&) {
    ++parts_;
  }
  void join(Histogram& right) { parts_ += right.parts_; }
  int parts() const { return parts_; }

 private:
  int parts_ = 0;
  [[maybe_unused]] char counts_[1 << 20];
};

TEST_P(ParallelReduceTest, BodiesMayBeLarge) {
  const auto reduced = [](const auto& reduce) {
    const auto body = std::make_unique<Histogram>();
    reduce(*body);
    return body->parts();
  };
  using Area = tbb::blocked_range2d<int>;
  EXPECT_EQ(
      reduced([](Histogram& body) { tbb::parallel_deterministic_reduce(Range(0, 4096), body); }),
      4096);
  EXPECT_EQ(reduced([](Histogram& body) {
              tbb::parallel_reduce(Area(0, 64, 0, 64), body, tbb::simple_partitioner());
            }),
            4096);
  EXPECT_GT(reduced([](Histogram& body) { tbb::parallel_reduce(Area(0, 64, 0, 64), body); }), 0);
}

void Take(std::chrono::microseconds time) {
  const auto begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - begin < time) {
  }
}

// Takes a millisecond to be made, and one to be joined.
struct DearBody {
  DearBody() = default;
  DearBody(DearBody&, tbb::split) { Take(std::chrono::milliseconds(1)); }

  void operator()(const Range& part) {
    for (int i = part.begin(); i != part.end(); ++i) {
      Take(std::chrono::microseconds(4));
      items.push_back(i);
    }
  }
  void join(DearBody& right) {
    Take(std::chrono::milliseconds(1));
    items.insert(items.end(), right.items.begin(), right.items.end());
  }

  std::vector<int> items;
};

TEST_P(ParallelReduceTest, JoinsInOrderWhatIsDearToMakeAndToJoin) {
  constexpr int kSize = 2000;
  std::vector<int> expected(kSize);
  std::iota(expected.begin(), expected.end(), 0);
  for (const int threads : {2, 4, 8}) {
    tbb::task_arena arena(threads);
    // The first ones learn what it takes.
    for (int loop = 0; loop != 5; ++loop) {
      DearBody body;
      arena.execute([&] { tbb::parallel_reduce(Range(0, kSize), body); });
      EXPECT_EQ(body.items, expected);
    }
  }
}

TEST_P(ParallelReduceTest, AFunctionMayTakeItsPartAsItsOwn) {
  const auto sum = [](Range& part, int so_far) {
    while (part.size() > 1) so_far += static_cast<int>(Range(part, tbb::split()).size());
    return so_far + static_cast<int>(part.size());
  };
  EXPECT_EQ(tbb::parallel_reduce(Range(0, 100, 1), 0, sum, std::plus<>()), 100);
  EXPECT_EQ(tbb::parallel_deterministic_reduce(Range(0, 100, 1), 0, sum, std::plus<>()), 100);
}

}  // namespace
