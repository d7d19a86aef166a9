#include "tests/conformance/without_rtti.h"

#include <tbb/tbb.h>

#include <functional>

int SumWithoutRtti(int n) {
  tbb::enumerable_thread_specific<int> sums;
  tbb::task_group group;
  group.run([&] { tbb::parallel_for(0, n, [&](int i) { sums.local() += i; }); });
  group.wait();
  return sums.combine(std::plus<>());
}

bool ResourceEqualsItselfWithoutRtti() {
  const tbb::cache_aligned_resource resource;
  const tbb::cache_aligned_resource other;
  return resource == resource && !(resource == other);
}
