// Counted: knows how many objects of it exist, so that a test sees every leak.
#ifndef FILCH_TESTS_CONFORMANCE_COUNTED_TASK_H_
#define FILCH_TESTS_CONFORMANCE_COUNTED_TASK_H_

#include <tbb/task.h>

#include <atomic>
#include <utility>

// A task that calls a function, which may return the next task.
class CountedTask : public tbb::task {
 public:
  CountedTask() { live().fetch_add(1, std::memory_order_relaxed); }
  ~CountedTask() override { live().fetch_sub(1, std::memory_order_relaxed); }

  static std::atomic<int>& live() {
    static std::atomic<int> count{0};
    return count;
  }
};

// Calls f(*this), which returns the next task or null.
template <typename F>
class FunctionTask final : public CountedTask {
 public:
  explicit FunctionTask(F f) : f_(std::move(f)) {}
  tbb::task* execute() override { return f_(*this); }

 private:
  F f_;
};

// As programs do that pass the allocation through: make(task.allocate_child(), f).
template <typename Allocation, typename F>
tbb::task& Make(Allocation&& allocation, F f) {
  return *new (std::forward<Allocation>(allocation)) FunctionTask<F>(std::move(f));
}

#endif  // FILCH_TESTS_CONFORMANCE_COUNTED_TASK_H_
