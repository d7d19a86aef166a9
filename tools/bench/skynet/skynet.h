// A tree of tasks in which each starts ten more, down to 10^size leaves, and the
// sum of the leaves' numbers.  The unit is a leaf.
#ifndef FILCH_TOOLS_BENCH_SKYNET_SKYNET_H_
#define FILCH_TOOLS_BENCH_SKYNET_SKYNET_H_

#include <cstdint>

#include "tools/bench/harness/run.h"

namespace bench {

template <typename Skynet>
void TimeSkynet(Run& run, Skynet skynet) {
  std::int64_t leaves = 1;
  for (long i = 0; i < run.size(); ++i) leaves *= 10;
  std::int64_t sum = 0;
  run.Time(static_cast<double>(leaves), [&] { sum = skynet(std::int64_t{0}, leaves); });
  run.Answer(sum);
}

}  // namespace bench

#endif  // FILCH_TOOLS_BENCH_SKYNET_SKYNET_H_
