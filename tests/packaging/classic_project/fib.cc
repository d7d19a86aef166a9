#include <tbb/task.h>
#include <tbb/task_scheduler_init.h>

#include <cstdio>

static_assert(TBB_INTERFACE_VERSION < 12000, "TBB 2020");

class Fib : public tbb::task {
 public:
  Fib(int n, long* sum) : n_(n), sum_(sum) {}

  tbb::task* execute() override {
    if (n_ < 2) {
      *sum_ = n_;
      return nullptr;
    }
    long x;
    long y;
    set_ref_count(3);
    spawn(*new (allocate_child()) Fib(n_ - 1, &x));
    spawn_and_wait_for_all(*new (allocate_child()) Fib(n_ - 2, &y));
    *sum_ = x + y;
    return nullptr;
  }

 private:
  int n_;
  long* sum_;
};

int main() {
  tbb::task_scheduler_init init(2);
  long sum = 0;
  tbb::task::spawn_root_and_wait(*new (tbb::task::allocate_root()) Fib(20, &sum));
  std::puts(sum == 6765 ? "fib: right" : "fib: WRONG");
  return sum == 6765 ? 0 : 1;
}
