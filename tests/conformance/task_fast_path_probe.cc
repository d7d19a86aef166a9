// A function whose machine code task_fast_path_test.sh reads: what a task does that
// has a continuation with two children, of which it spawns one.
#include <tbb/task.h>

#include <atomic>

namespace {

struct Sum : tbb::task {
  tbb::task* execute() override {
    total = left + right;
    return nullptr;
  }
  long left = 0;
  long right = 0;
  long total = 0;
};

struct Part : tbb::task {
  explicit Part(long& to) : result(to) {}
  tbb::task* execute() override {
    ++result;
    return nullptr;
  }
  long& result;
};

}  // namespace

extern "C" {

tbb::task* ProbeTasks(tbb::task& self) {
  Sum& sum = *new (self.allocate_continuation()) Sum;
  sum.set_ref_count(2);
  tbb::task::spawn(*new (sum.allocate_child()) Part(sum.left));
  return new (sum.allocate_child()) Part(sum.right);
}

void ProbeLocked(std::atomic<int>* counter) { counter->fetch_add(1, std::memory_order_relaxed); }

}  // extern "C"
