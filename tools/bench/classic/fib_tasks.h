// Fibonacci numbers without a cut-off, as trees of tasks in the four styles that programs of
// TBB 2020 have: RunTree<BlockingFib>(20).
#ifndef FILCH_TOOLS_BENCH_CLASSIC_FIB_TASKS_H_
#define FILCH_TOOLS_BENCH_CLASSIC_FIB_TASKS_H_

#include <tbb/task.h>

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

// The result of the tree with a root of that type.
template <typename Root>
long RunTree(int size) {
  long result = 0;
  tbb::task::spawn_root_and_wait(*new (tbb::task::allocate_root()) Root(size, &result));
  return result;
}

#endif  // FILCH_TOOLS_BENCH_CLASSIC_FIB_TASKS_H_
