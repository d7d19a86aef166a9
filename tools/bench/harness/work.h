// Work: a computation of a known length that touches no memory.
#ifndef FILCH_TOOLS_BENCH_HARNESS_WORK_H_
#define FILCH_TOOLS_BENCH_HARNESS_WORK_H_

#include <cstdint>

namespace bench {

// A chain of dependent operations that no compiler shortens (clang does shorten a
// linear congruence); a step takes five cycles.
inline std::uint64_t Work(std::uint32_t steps) {
  std::uint64_t x = steps + 1;
  for (std::uint32_t i = 0; i < steps; ++i) x = (x ^ (x >> 29)) * 6364136223846793005u;
  return x;
}

// At about 3 GHz.
constexpr double kStepsPerMicrosecond = 600;

}  // namespace bench

#endif  // FILCH_TOOLS_BENCH_HARNESS_WORK_H_
