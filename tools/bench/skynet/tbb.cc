#include <tbb/task_group.h>

#include <array>
#include <numeric>

#include "tools/bench/skynet/skynet.h"

namespace bench {
namespace {

std::int64_t Skynet(std::int64_t first, std::int64_t leaves) {
  if (leaves == 1) return first;
  std::array<std::int64_t, 10> sums;
  tbb::task_group group;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    group.run([&sum = sums[i], first = first + static_cast<std::int64_t>(i) * (leaves / 10),
               leaves] { sum = Skynet(first, leaves / 10); });
  }
  group.wait();
  return std::accumulate(sums.begin(), sums.end(), std::int64_t{0});
}

const Registration skynet("skynet", [](Run& run) { TimeSkynet(run, Skynet); });

}  // namespace
}  // namespace bench
