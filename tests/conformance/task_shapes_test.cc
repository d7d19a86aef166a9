// Shapes that programs of TBB 2017 to 2020 are made of.
#include <tbb/task.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "counted_task.h"
#include "gtest/gtest.h"
#include "parallelism_fixture.h"

namespace {

class TaskShapesTest : public ParallelismTest {
 protected:
  ~TaskShapesTest() override { EXPECT_EQ(CountedTask::live(), 0); }
};

// --- a chain

struct Link : CountedTask {
  Link(int links, int* end) : left(links), result(end) {}
  tbb::task* execute() override {
    if (left == 0) {
      *result = 1;
      return nullptr;
    }
    Link& next = *new (allocate_continuation()) Link(left - 1, result);
    return &next;
  }
  const int left;
  int* const result;
};

struct CountedLink : CountedTask {
  CountedLink(int links, int* end) : left(links), result(end) {}
  tbb::task* execute() override {
    if (left == 0) {
      *result = 1;
      return nullptr;
    }
    CountedLink& next = *new (allocate_continuation()) CountedLink(left - 1, result);
    next.set_ref_count(1);
    return new (next.allocate_child()) tbb::empty_task;
  }
  const int left;
  int* const result;
};

TEST_P(TaskShapesTest, AMillionLinksNeedNoStack) {
  int end = 0;
  tbb::task::spawn_root_and_wait(*new (tbb::task::allocate_root()) Link(1000000, &end));
  EXPECT_EQ(end, 1);
  end = 0;
  tbb::task::spawn_root_and_wait(*new (tbb::task::allocate_root()) CountedLink(1000000, &end));
  EXPECT_EQ(end, 1);
}

// A million tasks deep, then a million completions up.
struct Deep : CountedTask {
  explicit Deep(int levels) : left(levels) {}
  tbb::task* execute() override {
    if (left == 0) return nullptr;
    recycle_as_continuation();
    const int below = left - 1;
    left = 0;
    set_ref_count(1);
    return new (allocate_child()) Deep(below);
  }
  int left;
};

TEST_P(TaskShapesTest, AMillionLevelsNeedNoStack) {
  tbb::task::spawn_root_and_wait(*new (tbb::task::allocate_root()) Deep(1000000));
}

// --- a tree summed by continuations and recycling

struct Node {
  std::unique_ptr<Node> left;
  std::unique_ptr<Node> right;
  int value = 0;
};

std::unique_ptr<Node> Tree(int depth, int* number) {
  auto node = std::make_unique<Node>();
  node->value = ++*number;
  if (depth > 0) {
    node->left = Tree(depth - 1, number);
    if (depth % 3 != 0) node->right = Tree(depth - 1, number);
  }
  return node;
}

struct TreeSum : CountedTask {
  TreeSum(const Node& subtree, std::int64_t* result) : node(subtree), sum(result) {}
  tbb::task* execute() override {
    if (continues) {
      *sum = node.value + x + y;
      return nullptr;
    }
    if (node.left == nullptr) {
      *sum = node.value;
      return nullptr;
    }
    continues = true;
    recycle_as_continuation();
    TreeSum& a = *new (allocate_child()) TreeSum(*node.left, &x);
    if (node.right == nullptr) {
      set_ref_count(1);
    } else {
      set_ref_count(2);
      spawn(*new (allocate_child()) TreeSum(*node.right, &y));
    }
    return &a;
  }
  const Node& node;
  std::int64_t* const sum;
  std::int64_t x = 0;
  std::int64_t y = 0;
  bool continues = false;
};

TEST_P(TaskShapesTest, SumsATreeWithRecycledContinuations) {
  int count = 0;
  const auto root = Tree(15, &count);
  std::int64_t sum = 0;
  tbb::task::spawn_root_and_wait(*new (tbb::task::allocate_root()) TreeSum(*root, &sum));
  EXPECT_EQ(sum, std::int64_t{count} * (count + 1) / 2);
}

// --- additional children of one root, down to a cut-off

struct Visit : CountedTask {
  Visit(tbb::task& all, int depth, std::atomic<int>& visits)
      : root(all), left(depth), count(visits) {}
  tbb::task* execute() override {
    ++count;
    if (left < 3) {
      count += (1 << (left + 1)) - 2;  // below the cut-off it is done by a loop
      return nullptr;
    }
    spawn(*new (allocate_additional_child_of(root)) Visit(root, left - 1, count));
    return new (allocate_additional_child_of(root)) Visit(root, left - 1, count);
  }
  tbb::task& root;
  const int left;
  std::atomic<int>& count;
};

TEST_P(TaskShapesTest, AddsChildrenUntilTheCutOff) {
  for (int i = 0; i < 10; ++i) {
    std::atomic<int> count{0};
    tbb::task& root = *new (tbb::task::allocate_root()) tbb::empty_task;
    root.set_ref_count(1);
    tbb::task::spawn(*new (tbb::task::allocate_additional_child_of(root)) Visit(root, 11, count));
    root.wait_for_all();
    EXPECT_EQ(count, (1 << 12) - 1);
    tbb::task::destroy(root);
  }
}

// --- a wavefront: a cell starts when those above and to the left are done

struct Cell : CountedTask {
  Cell(std::vector<std::vector<Cell*>>& cells, std::vector<std::vector<int>>& values, std::size_t i,
       std::size_t j)
      : all(cells), value(values), row(i), column(j) {}
  tbb::task* execute() override {
    const int above = row > 0 ? value[row - 1][column] : 1;
    const int left = column > 0 ? value[row][column - 1] : 1;
    value[row][column] = row > 0 && column > 0 ? (above + left) % 1000003 : 1;
    tbb::task* next = nullptr;
    if (row + 1 < all.size()) next = Release(*all[row + 1][column], next);
    if (column + 1 < all.size()) next = Release(*all[row][column + 1], next);
    return next;
  }
  // The cell may be ready: one is returned, another one spawned.
  static tbb::task* Release(Cell& cell, tbb::task* next) {
    if (cell.decrement_ref_count() != 0) return next;
    if (next == nullptr) return &cell;
    spawn(cell);
    return next;
  }
  std::vector<std::vector<Cell*>>& all;
  std::vector<std::vector<int>>& value;
  const std::size_t row;
  const std::size_t column;
};

TEST_P(TaskShapesTest, RunsAWavefrontByRefCounts) {
  constexpr std::size_t kSize = 60;
  std::vector<std::vector<Cell*>> cells(kSize, std::vector<Cell*>(kSize));
  std::vector<std::vector<int>> values(kSize, std::vector<int>(kSize, -1));
  tbb::task& all = *new (tbb::task::allocate_root()) tbb::empty_task;
  all.set_ref_count(static_cast<int>(kSize * kSize) + 1);
  for (std::size_t i = 0; i < kSize; ++i) {
    for (std::size_t j = 0; j < kSize; ++j) {
      cells[i][j] = new (all.allocate_child()) Cell(cells, values, i, j);
      cells[i][j]->set_ref_count((i > 0 ? 1 : 0) + (j > 0 ? 1 : 0));
    }
  }
  all.spawn_and_wait_for_all(*cells[0][0]);
  tbb::task::destroy(all);
  std::vector<std::vector<int>> expected(kSize, std::vector<int>(kSize, 1));
  for (std::size_t i = 1; i < kSize; ++i) {
    for (std::size_t j = 1; j < kSize; ++j) {
      expected[i][j] = (expected[i - 1][j] + expected[i][j - 1]) % 1000003;
    }
  }
  EXPECT_EQ(values, expected);
}

// --- quicksort

struct Sort : CountedTask {
  Sort(int* begin, int* end) : first(begin), last(end) {}
  tbb::task* execute() override {
    if (last - first < 50) {
      std::sort(first, last);
      return nullptr;
    }
    const int pivot = first[(last - first) / 2];
    int* const low = std::partition(first, last, [pivot](int x) { return x < pivot; });
    int* const high = std::partition(low, last, [pivot](int x) { return x == pivot; });
    tbb::empty_task& both = *new (allocate_continuation()) tbb::empty_task;
    both.set_ref_count(2);
    spawn(*new (both.allocate_child()) Sort(high, last));
    recycle_as_child_of(both);
    last = low;
    return this;
  }
  int* const first;
  int* last;
};

TEST_P(TaskShapesTest, SortsByTasks) {
  std::vector<int> numbers;
  std::uint32_t random = 1;
  for (int i = 0; i < 100000; ++i) {
    random = random * 1664525 + 1013904223;
    numbers.push_back(static_cast<int>(random >> 12));
  }
  tbb::task::spawn_root_and_wait(*new (tbb::task::allocate_root())
                                     Sort(numbers.data(), numbers.data() + numbers.size()));
  EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
}

// --- a holder of a task that is spawned when its count reaches zero

class WaitingTaskHolder {
 public:
  explicit WaitingTaskHolder(tbb::task& task) : task_(&task) { task.increment_ref_count(); }
  WaitingTaskHolder(const WaitingTaskHolder& other) : task_(other.task_) {
    task_->increment_ref_count();
  }
  WaitingTaskHolder(WaitingTaskHolder&& other) noexcept
      : task_(std::exchange(other.task_, nullptr)) {}
  WaitingTaskHolder& operator=(const WaitingTaskHolder&) = delete;
  ~WaitingTaskHolder() {
    if (task_ != nullptr && task_->decrement_ref_count() == 0) tbb::task::spawn(*task_);
  }

 private:
  tbb::task* task_;
};

TEST_P(TaskShapesTest, SpawnsAWaitingTaskWhenItsLastHolderIsGone) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> done{0};
    int seen = -1;
    tbb::task& all = *new (tbb::task::allocate_root()) tbb::empty_task;
    all.set_ref_count(2);
    {
      const WaitingTaskHolder holder(Make(all.allocate_child(), [&](tbb::task&) -> tbb::task* {
        seen = done;
        return nullptr;
      }));
      for (int i = 0; i < 10; ++i) {
        all.increment_ref_count();
        tbb::task::spawn(Make(all.allocate_child(), [&, holder](tbb::task&) -> tbb::task* {
          ++done;
          return nullptr;
        }));
      }
    }
    all.wait_for_all();
    EXPECT_EQ(seen, 10);
    tbb::task::destroy(all);
  }
}

INSTANTIATE_TEST_SUITE_P(Limits, TaskShapesTest, kLimits);

}  // namespace
