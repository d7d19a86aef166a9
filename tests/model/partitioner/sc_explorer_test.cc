// StealingRange under every sequentially consistent interleaving, and the
// published algorithm beside it: the explorer must find what is wrong there.
#include "tests/model/partitioner/sc_explorer.h"

#include <cstdint>
#include <memory>
#include <vector>

#include "filch/partitioner/stealing_range.h"
#include "filch/partitioner/unit_interval.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

using model::ScAtomics;
using model::ScExplorer;

// How often each of the units 0 ... size - 1 was executed; the last entry counts
// foreign ones.
class Books {
 public:
  explicit Books(std::uint32_t size) : counts_(size + 1) {}
  void Execute(UnitInterval units) {
    for (std::uint32_t unit = units.begin; unit != units.end; ++unit) {
      ++counts_[unit < counts_.size() - 1 ? unit : counts_.size() - 1];
    }
  }
  bool balanced() const {
    for (std::size_t i = 0; i + 1 < counts_.size(); ++i) {
      if (counts_[i] != 1) return false;
    }
    return counts_.back() == 0;
  }

 private:
  std::vector<int> counts_;
};

// An owner that claims `batch` units at a time and gives back when asked, and
// one or two thieves that try `attempts` times each.
template <int kThieves>
struct Stealing {
  static constexpr int kThreads = 1 + kThieves;

  Stealing(std::uint32_t size, std::uint32_t batch_units, int attempt_count)
      : books(size), batch(batch_units), attempts(attempt_count) {
    range.Reset({0, size});
  }
  void Thread(int index) {
    if (index != 0) {
      for (int i = 0; i < attempts; ++i) books.Execute(range.Steal());
      return;
    }
    for (UnitInterval units = range.Claim(batch); !units.empty(); units = range.Claim(batch)) {
      while (!units.empty()) {
        books.Execute(TakeLower(&units, 1));
        if (!units.empty() && range.thieves_waiting()) range.GiveBack(&units);
      }
    }
  }
  void Check() { ASSERT_TRUE(books.balanced()); }

  BasicStealingRange<ScAtomics> range;
  Books books;
  std::uint32_t batch;
  int attempts;
};

TEST(StealingRangeExplorerTest, OneThiefAtEverySmallSizeAndBatch) {
  for (std::uint32_t size = 0; size <= 9; ++size) {
    for (std::uint32_t batch : {1u, 2u, 3u, kAllUnits}) {
      const std::uint64_t executions =
          ScExplorer::Explore([&] { return std::make_unique<Stealing<1>>(size, batch, 2); },
                              [] { return !::testing::Test::HasFatalFailure(); });
      ASSERT_FALSE(HasFatalFailure()) << size << " units, batches of " << batch;
      EXPECT_GT(executions, 1u);
    }
  }
}

TEST(StealingRangeExplorerTest, TwoThievesAtEveryTinySizeAndBatch) {
  for (std::uint32_t size = 0; size <= 4; ++size) {
    for (std::uint32_t batch : {1u, 2u, kAllUnits}) {
      ScExplorer::Explore([&] { return std::make_unique<Stealing<2>>(size, batch, 1); },
                          [] { return !::testing::Test::HasFatalFailure(); });
      ASSERT_FALSE(HasFatalFailure()) << size << " units, batches of " << batch;
    }
  }
}

// The published range, with its pair of bounds compared by value as a packed
// integer is.  `kPart` is the part of the range that thieves may take.
template <int kPart>
class PublishedRange {
 public:
  explicit PublishedRange(int high) : low_(0), range_(Create(0, high)) {}

  UnitInterval Steal() {
    Bounds seen = range_.load(std::memory_order_seq_cst);
    const int low = low_.load(std::memory_order_seq_cst);
    if (low > seen.mid) return {};
    const Bounds smaller = Create(low, seen.mid);
    if (!range_.compare_exchange_strong(seen, smaller, std::memory_order_seq_cst,
                                        std::memory_order_seq_cst)) {
      return {};
    }
    return {static_cast<std::uint32_t>(seen.mid), static_cast<std::uint32_t>(seen.high)};
  }

  UnitInterval TakeOne() {
    const int low = low_.load(std::memory_order_seq_cst);
    low_.exchange(low + 1, std::memory_order_seq_cst);
    Bounds seen = range_.load(std::memory_order_seq_cst);
    if (low > seen.mid) return {};
    if (low == seen.mid) {
      if (!range_.compare_exchange_strong(seen, Create(low, low), std::memory_order_seq_cst,
                                          std::memory_order_seq_cst)) {
        return {};
      }
    } else if (seen.mid - low <= 2 * (seen.high - seen.mid)) {
      range_.compare_exchange_strong(seen, Create(low, seen.high), std::memory_order_seq_cst,
                                     std::memory_order_seq_cst);
    }
    return {static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(low) + 1};
  }

 private:
  struct Bounds {
    int mid = 0;
    int high = 0;
    bool operator==(const Bounds& other) const { return mid == other.mid && high == other.high; }
  };
  static Bounds Create(int low, int high) {
    if (low == high) return {low - 1, low - 1};
    return {(low + (kPart - 1) * high) / kPart, high};
  }

  ScAtomics::Atomic<int> low_;
  ScAtomics::Atomic<Bounds> range_;
};

template <int kPart>
struct Published {
  static constexpr int kThreads = 2;

  Published(int size, int attempt_count, bool* unbalanced_seen)
      : range(size),
        books(static_cast<std::uint32_t>(size)),
        attempts(attempt_count),
        unbalanced(unbalanced_seen) {}
  void Thread(int index) {
    if (index != 0) {
      for (int i = 0; i < attempts; ++i) books.Execute(range.Steal());
      return;
    }
    for (UnitInterval unit = range.TakeOne(); !unit.empty(); unit = range.TakeOne()) {
      books.Execute(unit);
    }
  }
  void Check() { *unbalanced = *unbalanced || !books.balanced(); }

  PublishedRange<kPart> range;
  Books books;
  int attempts;
  bool* unbalanced;
};

template <int kPart>
bool PublishedLosesSomething(int size, int attempts) {
  bool unbalanced = false;
  ScExplorer::Explore(
      [&] { return std::make_unique<Published<kPart>>(size, attempts, &unbalanced); },
      [&] { return !unbalanced; });
  return unbalanced;
}

TEST(PublishedCaseTest, EightItemsOneThiefAndAnEqualValuedRefresh) {
  EXPECT_TRUE(PublishedLosesSomething<4>(8, 1));
  EXPECT_TRUE(PublishedLosesSomething<4>(9, 1));
}

TEST(PublishedCaseTest, StealingHalfLosesTheThirdOfSixItems) {
  EXPECT_TRUE(PublishedLosesSomething<2>(6, 1));
}

}  // namespace
}  // namespace filch
