#include "tools/bench/fib/fib.h"

namespace bench {
namespace {

std::int64_t TaskFib(long n) {
  if (n < 2) return n;
  std::int64_t x = 0;
#pragma omp task shared(x) firstprivate(n)
  x = TaskFib(n - 1);
  const std::int64_t y = TaskFib(n - 2);
#pragma omp taskwait
  return x + y;
}

std::int64_t Fib(long n) {
  std::int64_t value = 0;
#pragma omp parallel
#pragma omp single
  value = TaskFib(n);
  return value;
}

void RunFib(Run& run) { TimeFib(run, Fib); }

const Registration fib_join("fib_join", RunFib);
const Registration fib_group("fib_group", RunFib);

}  // namespace
}  // namespace bench
