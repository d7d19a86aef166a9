#include "filch/pool/join.h"
#include "filch/pool/task_group.h"
#include "tools/bench/fib/fib.h"

namespace bench {
namespace {

std::int64_t JoinFib(long n) {
  if (n < 2) return n;
  std::int64_t x = 0;
  std::int64_t y = 0;
  filch::Join([&] { x = JoinFib(n - 1); }, [&] { y = JoinFib(n - 2); });
  return x + y;
}

std::int64_t GroupFib(long n) {
  if (n < 2) return n;
  std::int64_t x = 0;
  filch::TaskGroup group;
  group.Run([&x, n] { x = GroupFib(n - 1); });
  const std::int64_t y = GroupFib(n - 2);
  group.Wait();
  return x + y;
}

const Registration fib_join("fib_join", [](Run& run) { TimeFib(run, JoinFib); });
const Registration fib_group("fib_group", [](Run& run) { TimeFib(run, GroupFib); });

}  // namespace
}  // namespace bench
