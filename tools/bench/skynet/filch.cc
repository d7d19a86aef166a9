#include "filch/pool/join.h"
#include "tools/bench/skynet/skynet.h"

namespace bench {
namespace {

std::int64_t Skynet(std::int64_t first, std::int64_t leaves);

// `parts` neighbouring parts of `leaves` each, halved until there is one.
std::int64_t Parts(std::int64_t first, std::int64_t leaves, int parts) {
  if (parts == 1) return Skynet(first, leaves);
  const int half = parts / 2;
  std::int64_t left = 0;
  std::int64_t right = 0;
  filch::Join([&] { left = Parts(first, leaves, half); },
              [&] { right = Parts(first + half * leaves, leaves, parts - half); });
  return left + right;
}

std::int64_t Skynet(std::int64_t first, std::int64_t leaves) {
  return leaves == 1 ? first : Parts(first, leaves / 10, 10);
}

const Registration skynet("skynet", [](Run& run) { TimeSkynet(run, Skynet); });

}  // namespace
}  // namespace bench
