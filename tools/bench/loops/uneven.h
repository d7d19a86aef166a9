// Loops over bodies of known lengths: equal, growing, all the work in the first
// hundredth, and a few very long ones.  The unit is an item.
#ifndef FILCH_TOOLS_BENCH_LOOPS_UNEVEN_H_
#define FILCH_TOOLS_BENCH_LOOPS_UNEVEN_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tools/bench/harness/run.h"
#include "tools/bench/harness/work.h"

namespace bench {

enum class Shape { kUniform, kSkewed, kHeavyFirst, kPareto };

// How many steps item `i` of `n` takes; a microsecond on average, or ten
// nanoseconds for kHeavyFirst.
inline std::uint32_t Steps(Shape shape, std::size_t i, std::size_t n) {
  double microseconds = 1;
  const double place = (static_cast<double>(i) + 0.5) / static_cast<double>(n);
  switch (shape) {
    case Shape::kUniform:
      break;
    case Shape::kSkewed:
      microseconds = 2 * place;
      break;
    case Shape::kHeavyFirst:
      microseconds = place < 0.01 ? 1 : 0;
      break;
    case Shape::kPareto: {
      // Exponent 1.5, cut off at 1000; the order of the items is scattered.
      const double scattered = std::fmod(place * 7919.13, 1.0);
      microseconds = std::min(std::pow(1 - scattered, -1 / 1.5) / 3, 1000.0);
      break;
    }
  }
  return static_cast<std::uint32_t>(microseconds * kStepsPerMicrosecond);
}

// `loop` has a For(n, body), which calls body(begin, end) for parts of [0, n).
template <Shape shape, typename Loop>
void TimeUneven(Run& run, Loop& loop) {
  const auto n = static_cast<std::size_t>(run.size());
  std::vector<std::uint32_t> steps(n);
  for (std::size_t i = 0; i < n; ++i) steps[i] = Steps(shape, i, n);
  std::vector<std::uint64_t> results(n);
  run.Time(static_cast<double>(n), [&] {
    loop.For(n, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i != end; ++i) results[i] = Work(steps[i]) + i;
    });
  });
  std::uint64_t sum = 0;
  for (const std::uint64_t result : results) sum = sum * 31 + result;
  run.Answer(static_cast<std::int64_t>(sum));
}

}  // namespace bench

#endif  // FILCH_TOOLS_BENCH_LOOPS_UNEVEN_H_
