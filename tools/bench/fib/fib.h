// Fibonacci numbers by recursion without a cut-off: the whole cost is tasks.
//
// The unit is an inner call, which spawns one task; leaves are not counted.
#ifndef FILCH_TOOLS_BENCH_FIB_FIB_H_
#define FILCH_TOOLS_BENCH_FIB_FIB_H_

#include <cstdint>

#include "tools/bench/harness/run.h"

namespace bench {

inline double InnerCalls(long n) {
  double previous = 0;
  double calls = 0;
  for (long i = 2; i <= n; ++i) {
    const double next = 1 + calls + previous;
    previous = calls;
    calls = next;
  }
  return calls < 1 ? 1 : calls;
}

template <typename Fib>
void TimeFib(Run& run, Fib fib) {
  std::int64_t value = 0;
  run.Time(InnerCalls(run.size()), [&] { value = fib(run.size()); });
  run.Answer(value);
}

}  // namespace bench

#endif  // FILCH_TOOLS_BENCH_FIB_FIB_H_
