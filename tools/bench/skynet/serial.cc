#include "tools/bench/skynet/skynet.h"

namespace bench {
namespace {

std::int64_t Skynet(std::int64_t first, std::int64_t leaves) {
  if (leaves == 1) return first;
  std::int64_t sum = 0;
  for (int i = 0; i < 10; ++i) sum += Skynet(first + i * (leaves / 10), leaves / 10);
  return sum;
}

const Registration skynet("skynet", [](Run& run) { TimeSkynet(run, Skynet); });

}  // namespace
}  // namespace bench
