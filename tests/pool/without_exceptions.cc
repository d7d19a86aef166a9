#include "tests/pool/without_exceptions.h"

#include <atomic>

#include "filch/pool/default_pool.h"
#include "filch/pool/join.h"
#include "filch/pool/parallel_for.h"
#include "filch/pool/parallel_reduce.h"
#include "filch/pool/task_group.h"

#ifdef __cpp_exceptions
#error "This is to be compiled with -fno-exceptions."
#endif

namespace {

long SumByJoin(int begin, int end) {
  if (end - begin == 1) return begin;
  const int middle = begin + (end - begin) / 2;
  long left = 0;
  long right = 0;
  filch::Join([&] { left = SumByJoin(begin, middle); }, [&] { right = SumByJoin(middle, end); });
  return left + right;
}

}  // namespace

long SumInFourWays(int n) {
  const long joined = SumByJoin(0, n);
  std::atomic<long> looped{0};
  filch::ParallelFor(0, n, [&](int i) { looped += i; });
  std::atomic<long> grouped{0};
  filch::TaskGroup group;
  for (int i = 0; i < n; ++i) group.Run([&grouped, i] { grouped += i; });
  group.Wait();

  const long reduced = filch::DefaultPool().Execute([&] {
    return filch::ParallelReduce(
        0, n, 0L,
        [](int begin, int end, long so_far) {
          for (int i = begin; i < end; ++i) so_far += i;
          return so_far;
        },
        [](long left, long right) { return left + right; });
  });
  return joined == looped && joined == grouped && joined == reduced ? joined : -1;
}
