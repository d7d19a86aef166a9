// What trees of tasks execute on the thread that spawned them: where nobody steals, no
// reference count is a read-modify-write but where README.md of tbb_compat says so, nothing
// else is one, and there are not many instructions.
#include "tests/conformance/task_trees.h"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <atomic>
#include <cstdint>
#include <new>

#include "gtest/gtest.h"
#include "tests/executed_instructions.h"

namespace filch {
namespace {

// Who is about to sleep asks those who spawn to pass a fence each for a while; that is over.
void PassFences() {
  constexpr int kEnough = 300;
  tbb::task_group group;
  for (int i = 0; i < kEnough; ++i) group.run([] {});
  group.wait();
}

class TaskTreesTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!ExecutedInstructions::IsAvailable()) {
      GTEST_SKIP() << "Nothing to check: this is not an x86-64 machine.";
    }
  }

  // Of a call on the only thread of the pool, after one that has left the memory that it
  // takes.
  template <typename F>
  static ExecutedInstructions Executed(const F& f) {
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    EndWorkers();
    PassFences();
    f();
    ExecutedInstructions executed;
    executed.Start();
    f();
    executed.Stop();
    return executed;
  }
  static ExecutedInstructions Executed(long (*tree)(int), int size, long result) {
    return Executed([=] { EXPECT_EQ(tree(size), result); });
  }

  // Those that came before the limit, and may still look for work.
  static void EndWorkers() {
    tbb::task_scheduler_handle scheduler{tbb::attach()};
    EXPECT_TRUE(tbb::finalize(scheduler, std::nothrow));
  }

  // Of Fibonacci of 3 and of 7.  `limit` is for each call.
  static void CheckDifference(const ExecutedInstructions& small, const ExecutedInstructions& large,
                              int limit) {
    EXPECT_EQ(small.locked(), 0);
    EXPECT_EQ(large.locked(), 0);
    const std::int64_t each = (large.all() - small.all()) / (CallsOfFib(7) - CallsOfFib(3));
    RecordProperty("instructions_each", static_cast<int>(each));
    EXPECT_GT(each, limit / 3);
    EXPECT_LE(each, limit);
  }

  static void CheckFib(long (*tree)(int), int limit) {
    CheckDifference(Executed(tree, 3, 2), Executed(tree, 7, 13), limit);
  }
};

TEST_F(TaskTreesTest, WhatLocksIsSeen) {
  std::atomic<int> word{0};
  const auto locked = [](const auto& operation) { return Executed(operation).locked(); };
  EXPECT_EQ(locked([&] { static_cast<void>(word.load(std::memory_order_relaxed)); }), 0);
  EXPECT_EQ(locked([&] { word.fetch_add(1, std::memory_order_relaxed); }), 1);
  EXPECT_EQ(locked([&] { word.exchange(1, std::memory_order_relaxed); }), 1);
  EXPECT_EQ(locked([&] { word.store(1, std::memory_order_seq_cst); }), 1);
  EXPECT_EQ(locked([&] { std::atomic_thread_fence(std::memory_order_seq_cst); }), 1);
}

// The limits are a third more than gcc 12 makes.
TEST_F(TaskTreesTest, ABlockingTreeOfTwosLocksNothing) { CheckFib(&BlockingTree, 190); }

TEST_F(TaskTreesTest, AContinuedTreeOfTwosLocksNothing) { CheckFib(&ContinuationTree, 247); }

TEST_F(TaskTreesTest, ABypassingTreeOfTwosLocksNothing) { CheckFib(&BypassTree, 217); }

TEST_F(TaskTreesTest, ARecyclingTreeOfTwosLocksNothing) { CheckFib(&RecyclingTree, 201); }

TEST_F(TaskTreesTest, ATreeOfGroupsLocksNothing) { CheckFib(&GroupTree, 192); }

TEST_F(TaskTreesTest, AWaitForAnyNumberOfChildrenLocksNothing) {
  EXPECT_EQ(Executed(&ThreeChildrenBlocking, 2, 9).locked(), 0);
  EXPECT_EQ(Executed(&ManyChildren, 20, 20).locked(), 0);
}

TEST_F(TaskTreesTest, OfThreeChildrenThatAreContinuedTheFirstOneLocks) {
  EXPECT_EQ(Executed(&ThreeChildrenContinued, 2, 9).locked(), 1 + 3);
}

// Of the thread that took the tree.
ExecutedInstructions stolen;

TEST_F(TaskTreesTest, AStolenTreeOfTwosLocksNothing) {
  const tbb::global_control two(tbb::global_control::max_allowed_parallelism, 2);
  EndWorkers();
  const auto executed = [](int n, long result) {
    tbb::task_arena arena(2);
    arena.execute([&] {
      EXPECT_EQ(StolenTree(
                    n,
                    [] {
                      PassFences();
                      stolen.Start();
                    },
                    [] { stolen.Stop(); }),
                result);
    });
    return stolen;
  };
  executed(7, 13);  // leaves the memory that it takes
  const ExecutedInstructions small = executed(3, 2);
  CheckDifference(small, executed(7, 13), 334);
}

}  // namespace
}  // namespace filch
