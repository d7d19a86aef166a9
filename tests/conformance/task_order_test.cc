// Tasks of a group that come after others, a preview of oneTBB newer than the system's.
#define TBB_PREVIEW_TASK_GROUP_EXTENSIONS 1

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <iterator>
#include <random>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

static_assert(TBB_HAS_TASK_GROUP_DEPENDENCIES >= 202603);
static_assert(std::is_default_constructible_v<tbb::task_completion_handle>);
static_assert(std::is_copy_constructible_v<tbb::task_completion_handle>);
static_assert(std::is_copy_assignable_v<tbb::task_completion_handle>);
static_assert(std::is_nothrow_move_constructible_v<tbb::task_completion_handle>);
static_assert(std::is_nothrow_move_assignable_v<tbb::task_completion_handle>);
static_assert(std::is_constructible_v<tbb::task_completion_handle, const tbb::task_handle&>);
static_assert(std::is_assignable_v<tbb::task_completion_handle&, const tbb::task_handle&>);
static_assert(!std::is_convertible_v<tbb::task_completion_handle, bool>);

// A functor whose copies are counted while they live.
class Counted {
 public:
  Counted(std::atomic<int>& live, std::atomic<int>& runs) : live_(live), runs_(runs) { ++live_; }
  Counted(const Counted& other) : live_(other.live_), runs_(other.runs_) { ++live_; }
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --live_; }
  void operator()() const { ++runs_; }

 private:
  std::atomic<int>& live_;
  std::atomic<int>& runs_;
};

using TaskOrderTest = ParallelismTest;
INSTANTIATE_TEST_SUITE_P(Limits, TaskOrderTest, kLimits);

TEST_P(TaskOrderTest, AChainRunsInItsOrder) {
  constexpr int kTasks = 200;
  tbb::task_group group;
  std::vector<int> order;  // without a lock: one task at a time
  std::vector<tbb::task_handle> tasks;
  for (int i = 0; i < kTasks; ++i)
    tasks.push_back(group.defer([&order, i] { order.push_back(i); }));
  for (int i = 1; i < kTasks; ++i) tbb::task_group::set_task_order(tasks[i - 1], tasks[i]);
  for (int i = kTasks - 1; i >= 0; --i) group.run(std::move(tasks[i]));
  EXPECT_EQ(group.wait(), tbb::complete);
  ASSERT_EQ(order.size(), std::size_t{kTasks});
  for (int i = 0; i < kTasks; ++i) EXPECT_EQ(order[i], i);
}

// Every cell is the sum of the one above and the one to the left.
TEST_P(TaskOrderTest, AWavefront) {
  constexpr int kSide = 12;
  tbb::task_group group;
  std::vector<long> cell(kSide * kSide, 1);
  std::vector<tbb::task_handle> tasks(kSide * kSide);
  for (int i = 0; i < kSide * kSide; ++i) {
    tasks[i] = group.defer([&cell, i] {
      if (i % kSide != 0 && i >= kSide) cell[i] = cell[i - 1] + cell[i - kSide];
    });
    if (i % kSide != 0) tbb::task_group::set_task_order(tasks[i - 1], tasks[i]);
    if (i >= kSide) tbb::task_group::set_task_order(tasks[i - kSide], tasks[i]);
  }
  for (tbb::task_handle& task : tasks) group.run(std::move(task));
  EXPECT_EQ(group.wait(), tbb::complete);
  EXPECT_EQ(cell.back(), 705432);  // 22 over 11
}

TEST_P(TaskOrderTest, ACompletionHandleStandsForItsTask) {
  tbb::task_group group;
  tbb::task_completion_handle empty;
  EXPECT_FALSE(static_cast<bool>(empty));
  EXPECT_TRUE(empty == nullptr);
  EXPECT_TRUE(nullptr == empty);

  bool first_ran = false;
  tbb::task_handle first = group.defer([&first_ran] { first_ran = true; });
  tbb::task_completion_handle completion = first;
  EXPECT_TRUE(completion != nullptr);
  EXPECT_TRUE(nullptr != completion);
  const tbb::task_completion_handle copy = completion;
  EXPECT_TRUE(static_cast<bool>(copy));
  EXPECT_TRUE(empty != completion);
  empty = first;
  EXPECT_TRUE(static_cast<bool>(empty));
  EXPECT_TRUE(empty == completion);

  bool seen = false;
  tbb::task_handle second = group.defer([&] { seen = first_ran; });
  EXPECT_TRUE(tbb::task_completion_handle(second) != completion);
  tbb::task_group::set_task_order(copy, second);
  group.run(std::move(second));
  group.run(std::move(first));
  EXPECT_EQ(group.wait(), tbb::complete);
  EXPECT_TRUE(seen);
}

TEST_P(TaskOrderTest, WhatComesAfterSomethingOverStartsAtOnce) {
  tbb::task_group group;
  tbb::task_handle first = group.defer([] {});
  tbb::task_completion_handle over = first;
  group.run_and_wait(std::move(first));
  int ran = 0;
  tbb::task_handle second = group.defer([&ran] { ++ran; });
  tbb::task_group::set_task_order(over, second);
  EXPECT_EQ(group.run_and_wait(std::move(second)), tbb::complete);
  EXPECT_EQ(ran, 1);
}

TEST_P(TaskOrderTest, ADroppedPredecessorHoldsNothingBack) {
  tbb::task_group group;
  std::atomic<int> live{0};
  std::atomic<int> runs{0};
  int after = 0;
  tbb::task_handle successor = group.defer([&after] { ++after; });
  {
    tbb::task_handle dropped = group.defer(Counted(live, runs));
    tbb::task_group::set_task_order(dropped, successor);
    group.run(std::move(successor));
  }
  EXPECT_EQ(group.wait(), tbb::complete);
  EXPECT_EQ(after, 1);
  EXPECT_EQ(live, 0);
  EXPECT_EQ(runs, 0);
}

// Its predecessor still knows it; what comes after it waits for that one too.
TEST_P(TaskOrderTest, ADroppedSuccessorIsDestroyedAndNotRun) {
  tbb::task_group group;
  std::atomic<int> live{0};
  std::atomic<int> runs{0};
  bool first_ran = false;
  bool seen = false;
  tbb::task_handle first = group.defer([&first_ran] { first_ran = true; });
  tbb::task_handle last = group.defer([&] { seen = first_ran; });
  {
    tbb::task_handle dropped = group.defer(Counted(live, runs));
    tbb::task_group::set_task_order(first, dropped);
    tbb::task_group::set_task_order(dropped, last);
  }
  group.run(std::move(last));
  group.run(std::move(first));
  EXPECT_EQ(group.wait(), tbb::complete);
  EXPECT_TRUE(seen);
  EXPECT_EQ(live, 0);
  EXPECT_EQ(runs, 0);
}

TEST_P(TaskOrderTest, AnExceptionKeepsSuccessorsFromRunning) {
  tbb::task_group group;
  std::atomic<int> live{0};
  std::atomic<int> runs{0};
  for (int round = 0; round < 20; ++round) {
    tbb::task_handle first = group.defer([] { throw std::runtime_error("from the first"); });
    for (int i = 0; i < 10; ++i) {
      tbb::task_handle after = group.defer(Counted(live, runs));
      tbb::task_group::set_task_order(first, after);
      group.run(std::move(after));
    }
    EXPECT_THROW(group.run_and_wait(std::move(first)), std::runtime_error);
    EXPECT_EQ(live, 0);
    EXPECT_EQ(runs, 0);
  }
}

TEST_P(TaskOrderTest, ACancelledGroupIsOver) {
  tbb::task_group group;
  std::atomic<int> live{0};
  std::atomic<int> runs{0};
  std::vector<tbb::task_handle> tasks;
  for (int i = 0; i < 50; ++i) {
    tasks.push_back(group.defer(Counted(live, runs)));
    if (i > 0) tbb::task_group::set_task_order(tasks[i - 1], tasks[i]);
  }
  group.cancel();
  for (tbb::task_handle& task : tasks) group.run(std::move(task));
  EXPECT_EQ(group.wait(), tbb::canceled);
  EXPECT_EQ(live, 0);
  EXPECT_EQ(runs, 0);
}

// A sum by halves: a task that has been cut is over when both halves have been joined.
class Halves {
 public:
  explicit Halves(std::vector<int> values) : values_(std::move(values)), sums_(values_.size()) {}

  long Sum() {
    tbb::task_handle whole = Defer(0, values_.size());
    long seen = 0;
    tbb::task_handle after = group_.defer([this, &seen] { seen = sums_[0]; });
    tbb::task_group::set_task_order(whole, after);
    group_.run(std::move(after));
    group_.run(std::move(whole));
    EXPECT_EQ(group_.wait(), tbb::complete);
    return seen;
  }

 private:
  tbb::task_handle Defer(std::size_t begin, std::size_t end) {
    return group_.defer([this, begin, end] { SumPart(begin, end); });
  }

  // Leaves the sum of a part where the part begins.
  void SumPart(std::size_t begin, std::size_t end) {
    if (end - begin == 1) {
      sums_[begin] = values_[begin];
      return;
    }
    const std::size_t middle = begin + (end - begin) / 2;
    tbb::task_handle left = Defer(begin, middle);
    tbb::task_handle right = Defer(middle, end);
    tbb::task_handle join = group_.defer([this, begin, middle] { sums_[begin] += sums_[middle]; });
    tbb::task_group::set_task_order(left, join);
    tbb::task_group::set_task_order(right, join);
    tbb::task_group::transfer_this_task_completion_to(join);
    group_.run(std::move(left));
    group_.run(std::move(right));
    group_.run(std::move(join));
  }

  const std::vector<int> values_;
  std::vector<long> sums_;
  tbb::task_group group_;
};

TEST_P(TaskOrderTest, ATaskPassesItsCompletionOn) {
  std::vector<int> values(300);
  long expected = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<int>(i * 7 % 31);
    expected += values[i];
  }
  for (int round = 0; round < 10; ++round) EXPECT_EQ(Halves(values).Sum(), expected);
}

// What the heir had to finish already, it still finishes.
TEST_P(TaskOrderTest, AnHeirHasSuccessorsOfItsOwn) {
  tbb::task_group group;
  bool heir_ran = false;
  bool seen[2] = {};
  tbb::task_handle successors[2] = {group.defer([&] { seen[0] = heir_ran; }),
                                    group.defer([&] { seen[1] = heir_ran; })};
  tbb::task_handle first = group.defer([&] {
    tbb::task_handle heir = group.defer([&heir_ran] { heir_ran = true; });
    tbb::task_group::set_task_order(heir, successors[1]);
    tbb::task_group::transfer_this_task_completion_to(heir);
    group.run(std::move(successors[1]));
    group.run(std::move(heir));
  });
  tbb::task_completion_handle completion = first;
  tbb::task_group::set_task_order(first, successors[0]);
  group.run(std::move(successors[0]));
  group.run(std::move(first));
  EXPECT_EQ(group.wait(), tbb::complete);
  EXPECT_TRUE(seen[0]);
  EXPECT_TRUE(seen[1]);
}

// A task that an ordered one runs and waits for has nothing to pass on: the outer one's
// successors are none of its business.
TEST_P(TaskOrderTest, OnlyTheTaskItselfPassesItsCompletionOn) {
  tbb::task_group group;
  tbb::task_group inner;
  tbb::task_handle kept;
  std::atomic<int> passed{0};
  bool outer_over = false;
  bool seen = false;
  tbb::task_handle outer = group.defer([&] {
    kept = group.defer([] {});
    const auto pass_on = [&] {
      tbb::task_group::transfer_this_task_completion_to(kept);
      ++passed;
    };
    inner.run(pass_on);
    inner.wait();
    inner.run_and_wait(pass_on);
    inner.run_and_wait(inner.defer(pass_on));
    outer_over = true;
  });
  tbb::task_handle after = group.defer([&] {
    seen = outer_over;
    group.run(std::move(kept));  // nobody waits in vain for it
  });
  tbb::task_group::set_task_order(outer, after);
  group.run(std::move(after));
  group.run(std::move(outer));
  EXPECT_EQ(group.wait(), tbb::complete);
  EXPECT_EQ(passed, 3);
  EXPECT_TRUE(seen);
}

TEST_P(TaskOrderTest, SeveralThreadsSetTheOrder) {
  constexpr int kThreads = 4;
  constexpr int kTasks = 50;
  for (int round = 0; round < 10; ++round) {
    tbb::task_group group;
    std::atomic<int> before{0};
    std::atomic<int> after{0};
    int at_middle = -1;
    tbb::task_handle start = group.defer([] {});
    tbb::task_completion_handle started = start;
    tbb::task_handle middle = group.defer([&] { at_middle = before; });
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, from_start = started]() mutable {
        for (int k = 0; k < kTasks; ++k) {
          tbb::task_handle earlier = group.defer([&before] { ++before; });
          tbb::task_handle later = group.defer([&] { after += at_middle; });
          tbb::task_group::set_task_order(from_start, earlier);
          tbb::task_group::set_task_order(earlier, middle);
          tbb::task_group::set_task_order(middle, later);
          group.run(std::move(earlier));
          group.run(std::move(later));
        }
      });
    }
    group.run(std::move(start));  // while they do
    for (std::thread& thread : threads) thread.join();
    group.run(std::move(middle));
    EXPECT_EQ(group.wait(), tbb::complete);
    EXPECT_EQ(at_middle, kThreads * kTasks);
    EXPECT_EQ(after, kThreads * kTasks * kThreads * kTasks);
  }
}

// Graphs in which every task has some of the earlier ones before it, set in all the ways
// that there are, and let go in any sequence.
TEST_P(TaskOrderTest, NoTaskOfARandomGraphStartsTooEarly) {
  constexpr unsigned kTasks = 300;
  std::minstd_rand random(42);
  for (int round = 0; round < 10; ++round) {
    tbb::task_group group;
    bool over[kTasks] = {};  // the order is all that protects it
    std::atomic<int> too_early{0};
    std::vector<std::vector<unsigned>> before(kTasks);
    std::vector<tbb::task_handle> tasks(kTasks);
    std::vector<tbb::task_completion_handle> completions(kTasks);
    for (unsigned i = 0; i < kTasks; ++i) {
      while (i > 0 && random() % 4 != 0) before[i].push_back(static_cast<unsigned>(random() % i));
      tasks[i] = group.defer([&, i] {
        for (const unsigned earlier : before[i]) too_early += over[earlier] ? 0 : 1;
        over[i] = true;
      });
      if (i % 3 == 0) completions[i] = tasks[i];
      for (const unsigned earlier : before[i]) {
        if (completions[earlier] != nullptr) {
          tbb::task_group::set_task_order(completions[earlier], tasks[i]);
        } else {
          tbb::task_group::set_task_order(tasks[earlier], tasks[i]);
        }
      }
      // Some start while the graph grows.
      if (i % 6 == 0) group.run(std::move(tasks[i]));
    }
    std::shuffle(tasks.begin(), tasks.end(), random);
    for (tbb::task_handle& task : tasks) {
      if (task != nullptr) group.run(std::move(task));
    }
    EXPECT_EQ(group.wait(), tbb::complete);
    EXPECT_EQ(too_early, 0);
    EXPECT_EQ(std::count(std::begin(over), std::end(over), true), kTasks);
  }
}

TEST_P(TaskOrderTest, WhatIsEnqueuedRunsInItsArena) {
  tbb::task_arena arena(3);
  tbb::task_group group;
  int concurrency[2] = {};
  tbb::task_handle first = group.defer([] {});
  tbb::task_handle second =
      group.defer([&concurrency] { concurrency[0] = tbb::this_task_arena::max_concurrency(); });
  tbb::task_handle third =
      group.defer([&concurrency] { concurrency[1] = tbb::this_task_arena::max_concurrency(); });
  tbb::task_group::set_task_order(first, second);
  tbb::task_group::set_task_order(second, third);
  arena.enqueue(std::move(third));
  arena.enqueue(std::move(second));
  group.run(std::move(first));
  EXPECT_EQ(group.wait(), tbb::complete);
  EXPECT_EQ(concurrency[0], 3);
  EXPECT_EQ(concurrency[1], 3);
}

TEST_P(TaskOrderTest, AHandleThatABodyReturnsKeepsItsPlace) {
  tbb::task_group group;
  bool first_ran = false;
  bool seen = false;
  tbb::task_handle first = group.defer([&first_ran] { first_ran = true; });
  tbb::task_completion_handle completion = first;
  group.run([&] {
    tbb::task_handle after = group.defer([&] { seen = first_ran; });
    tbb::task_group::set_task_order(completion, after);
    return after;
  });
  group.run([&] { group.run(std::move(first)); });
  EXPECT_EQ(group.wait(), tbb::complete);
  EXPECT_TRUE(seen);
}

}  // namespace
