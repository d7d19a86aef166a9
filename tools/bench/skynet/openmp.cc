#include <array>
#include <numeric>

#include "tools/bench/skynet/skynet.h"

namespace bench {
namespace {

std::int64_t TaskSkynet(std::int64_t first, std::int64_t leaves) {
  if (leaves == 1) return first;
  std::array<std::int64_t, 10> sums;
  for (std::size_t i = 0; i < sums.size(); ++i) {
#pragma omp task shared(sums) firstprivate(i, first, leaves)
    sums[i] = TaskSkynet(first + static_cast<std::int64_t>(i) * (leaves / 10), leaves / 10);
  }
#pragma omp taskwait
  return std::accumulate(sums.begin(), sums.end(), std::int64_t{0});
}

std::int64_t Skynet(std::int64_t first, std::int64_t leaves) {
  std::int64_t sum = 0;
#pragma omp parallel
#pragma omp single
  sum = TaskSkynet(first, leaves);
  return sum;
}

const Registration skynet("skynet", [](Run& run) { TimeSkynet(run, Skynet); });

}  // namespace
}  // namespace bench
