#include <tbb/parallel_invoke.h>
#include <tbb/task_group.h>

#include "tools/bench/fib/fib.h"

namespace bench {
namespace {

std::int64_t InvokeFib(long n) {
  if (n < 2) return n;
  std::int64_t x = 0;
  std::int64_t y = 0;
  tbb::parallel_invoke([&] { x = InvokeFib(n - 1); }, [&] { y = InvokeFib(n - 2); });
  return x + y;
}

std::int64_t GroupFib(long n) {
  if (n < 2) return n;
  std::int64_t x = 0;
  tbb::task_group group;
  group.run([&x, n] { x = GroupFib(n - 1); });
  const std::int64_t y = GroupFib(n - 2);
  group.wait();
  return x + y;
}

const Registration fib_join("fib_join", [](Run& run) { TimeFib(run, InvokeFib); });
const Registration fib_group("fib_group", [](Run& run) { TimeFib(run, GroupFib); });

}  // namespace
}  // namespace bench
