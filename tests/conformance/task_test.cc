#include <tbb/task.h>

#include <cstddef>

#include "gtest/gtest.h"
#include "parallelism_fixture.h"

namespace {

using TaskTest = ParallelismTest;

struct BlockingFib : tbb::task {
  BlockingFib(int index, long* result) : n(index), sum(result) {}
  tbb::task* execute() override {
    if (n < 2) {
      *sum = n;
      return nullptr;
    }
    long x = 0;
    long y = 0;
    BlockingFib& a = *new (allocate_child()) BlockingFib(n - 1, &x);
    BlockingFib& b = *new (allocate_child()) BlockingFib(n - 2, &y);
    set_ref_count(3);
    spawn(b);
    spawn_and_wait_for_all(a);
    *sum = x + y;
    return nullptr;
  }
  const int n;
  long* const sum;
};

struct FibSum : tbb::task {
  explicit FibSum(long* result) : sum(result) {}
  tbb::task* execute() override {
    *sum = x + y;
    return nullptr;
  }
  long* const sum;
  long x = 0;
  long y = 0;
};

struct ContinuationFib : tbb::task {
  ContinuationFib(int index, long* result) : n(index), sum(result) {}
  tbb::task* execute() override {
    if (n < 2) {
      *sum = n;
      return nullptr;
    }
    FibSum& c = *new (allocate_continuation()) FibSum(sum);
    ContinuationFib& a = *new (c.allocate_child()) ContinuationFib(n - 1, &c.x);
    ContinuationFib& b = *new (c.allocate_child()) ContinuationFib(n - 2, &c.y);
    c.set_ref_count(2);
    spawn(b);
    spawn(a);
    return nullptr;
  }
  const int n;
  long* const sum;
};

struct BypassFib : tbb::task {
  BypassFib(int index, long* result) : n(index), sum(result) {}
  tbb::task* execute() override {
    if (n < 2) {
      *sum = n;
      return nullptr;
    }
    FibSum& c = *new (allocate_continuation()) FibSum(sum);
    BypassFib& a = *new (c.allocate_child()) BypassFib(n - 1, &c.x);
    BypassFib& b = *new (c.allocate_child()) BypassFib(n - 2, &c.y);
    c.set_ref_count(2);
    spawn(b);
    return &a;
  }
  const int n;
  long* const sum;
};

struct RecyclingFib : tbb::task {
  RecyclingFib(int index, long* result) : n(index), sum(result) {}
  tbb::task* execute() override {
    if (n < 2) {
      *sum = n;
      return nullptr;
    }
    FibSum& c = *new (allocate_continuation()) FibSum(sum);
    RecyclingFib& b = *new (c.allocate_child()) RecyclingFib(n - 2, &c.y);
    recycle_as_child_of(c);
    n -= 1;
    sum = &c.x;
    c.set_ref_count(2);
    spawn(b);
    return this;
  }
  int n;
  long* sum;
};

template <typename Fib>
long RunFib(int n) {
  long sum = 0;
  tbb::task::spawn_root_and_wait(*new (tbb::task::allocate_root()) Fib(n, &sum));
  return sum;
}

TEST_P(TaskTest, FibonacciInFourStyles) {
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(RunFib<BlockingFib>(20), 6765);
    EXPECT_EQ(RunFib<ContinuationFib>(20), 6765);
    EXPECT_EQ(RunFib<BypassFib>(20), 6765);
    EXPECT_EQ(RunFib<RecyclingFib>(20), 6765);
  }
}

INSTANTIATE_TEST_SUITE_P(Limits, TaskTest, kLimits);

}  // namespace
