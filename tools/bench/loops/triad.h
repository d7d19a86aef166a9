// a = b + s * c over arrays of `size` doubles, again and again: from memory or
// from the caches, as the size says.  The unit is an element.
#ifndef FILCH_TOOLS_BENCH_LOOPS_TRIAD_H_
#define FILCH_TOOLS_BENCH_LOOPS_TRIAD_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tools/bench/harness/run.h"

namespace bench {

// A timed part has at least so many elements.
constexpr long kTriadElements = 5000000;

template <typename For>
void TimeTriadWith(Run& run, For for_loop) {
  const auto n = static_cast<std::size_t>(run.size());
  std::vector<double> a(n);
  std::vector<double> b(n);
  std::vector<double> c(n);
  for (std::size_t i = 0; i < n; ++i) {
    b[i] = static_cast<double>(i % 5);
    c[i] = static_cast<double>(i % 3);
  }
  // Tiny arrays are for tests.
  const long passes = std::max(1L, std::min(run.size() / 20, kTriadElements / run.size()));
  run.Time(static_cast<double>(passes) * static_cast<double>(n), [&] {
    for (long pass = 0; pass < passes; ++pass) {
      const auto s = static_cast<double>(pass % 2 + 2);
      for_loop(n,
               [a = a.data(), b = b.data(), c = c.data(), s](std::size_t begin, std::size_t end) {
                 for (std::size_t i = begin; i < end; ++i) a[i] = b[i] + s * c[i];
               });
    }
  });
  double sum = 0;
  for (const double x : a) sum += x;
  run.Answer(static_cast<std::int64_t>(sum));
}

template <typename Loop>
void TimeTriad(Run& run, Loop& loop) {
  TimeTriadWith(run, [&](std::size_t n, const auto& body) { loop.For(n, body); });
}

// With the loop that gives every thread the same part each time.
template <typename Loop>
void TimeAffinity(Run& run, Loop& loop) {
  TimeTriadWith(run, [&](std::size_t n, const auto& body) { loop.SameParts(n, body); });
}

}  // namespace bench

#endif  // FILCH_TOOLS_BENCH_LOOPS_TRIAD_H_
