// Work: a computation of a known length that touches no memory.
#ifndef FILCH_TOOLS_BENCH_HARNESS_WORK_H_
#define FILCH_TOOLS_BENCH_HARNESS_WORK_H_

#include <cstdint>

namespace bench {

// A chain of dependent multiplications and additions; a step takes four cycles.
inline std::uint64_t Work(std::uint32_t steps) {
  std::uint64_t x = steps;
  for (std::uint32_t i = 0; i < steps; ++i) x = x * 6364136223846793005u + 1442695040888963407u;
  return x;
}

// At about 3 GHz.
constexpr double kStepsPerMicrosecond = 750;

}  // namespace bench

#endif  // FILCH_TOOLS_BENCH_HARNESS_WORK_H_
