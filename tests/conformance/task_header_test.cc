// What programs of TBB 2020 use behind <tbb/task.h> and do not include. Nothing else is
// included here, not even GoogleTest.
#include <tbb/task.h>

// Split by who includes more than the tasks.
struct Half {
  explicit Half(std::size_t all) : size(all) {}
  Half(Half& rest, tbb::split) : size(rest.size / 2) { rest.size -= size; }
  std::size_t size;
};

int main() {
  Half left(10);
  const Half right(left, tbb::split());
#if TBB_INTERFACE_VERSION < 12000
  if (sched_yield() != 0 || getpid() <= 0) return 1;
#endif
  return left.size == 5 && right.size == 5 ? 0 : 1;
}
