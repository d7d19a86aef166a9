#include "tools/bench/streams/streams.h"

namespace bench {
namespace {

template <std::uint32_t kSteps>
std::int64_t Pipeline(std::int64_t size) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < size; ++i) sum += Digest<kSteps>(i) * (i % 3);
  return sum;
}

std::int64_t EachOnce(std::int64_t size) {
  std::int64_t sum = 0;
  for (Once item(0); item != Once(size); ++item) sum += Digest<1>(*item);
  return sum;
}

const Registration pipeline("pipeline", [](Run& run) { TimeStream(run, Pipeline<1>); });
const Registration pipeline_1us("pipeline_1us",
                                [](Run& run) { TimeStream(run, Pipeline<kStepsOfMicrosecond>); });
const Registration each_once("each_once", [](Run& run) { TimeStream(run, EachOnce); });

}  // namespace
}  // namespace bench
