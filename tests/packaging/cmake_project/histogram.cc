// Counts numbers on the workers that its shared library uses too.
#include <tbb/scalable_allocator.h>
#include <tbb/task_arena.h>
#include <tbb/tbb.h>

#include <algorithm>
#include <cstdio>
#include <execution>
#include <numeric>
#include <vector>

#include "counting.h"

int main() {
  std::vector<int> data(100'000);
  tbb::parallel_for(std::size_t{0}, data.size(),
                    [&data](std::size_t i) { data[i] = static_cast<int>(i * 7 % 10); });
  std::sort(std::execution::par, data.begin(), data.end());
  std::vector<int> counts;
  tbb::task_arena(2).execute([&] { counts = CountParallel(data); });
  const int total = std::reduce(std::execution::par_unseq, counts.begin(), counts.end());
  void* const memory = scalable_malloc(100);
  const bool ok = std::is_sorted(data.begin(), data.end()) && memory != nullptr &&
                  counts == std::vector<int>(10, 10'000) && total == 100'000 &&
                  TBB_runtime_interface_version() == TBB_INTERFACE_VERSION;
  scalable_free(memory);
  std::puts(ok ? "histogram: right" : "histogram: WRONG");
  return ok ? 0 : 1;
}
