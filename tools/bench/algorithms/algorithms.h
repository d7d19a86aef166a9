// Reductions, prefix sums and sorting of arrays of `size` numbers, as the runtimes
// offer them.  The unit is an element.
#ifndef FILCH_TOOLS_BENCH_ALGORITHMS_ALGORITHMS_H_
#define FILCH_TOOLS_BENCH_ALGORITHMS_ALGORITHMS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tools/bench/harness/run.h"

namespace bench {

// Small integers, so that every order of additions gives the same sum.
inline std::vector<double> SmallNumbers(long size) {
  std::vector<double> numbers(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i % 5);
  return numbers;
}

// The sum of a part, in four chains: one would wait for its own additions.
inline double Sum(const double* begin, const double* end) {
  double sums[4] = {0, 0, 0, 0};
  for (; end - begin >= 4; begin += 4) {
    for (int i = 0; i < 4; ++i) sums[i] += begin[i];
  }
  for (; begin != end; ++begin) sums[0] += *begin;
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// The sums of a part from `sum` on; returns the last one.
inline double PrefixSums(const double* begin, const double* end, double* out, double sum) {
  for (; begin != end; ++begin, ++out) {
    sum += *begin;
    *out = sum;
  }
  return sum;
}

// reduce(data, n) returns the sum.
template <typename Reduce>
void TimeReduce(Run& run, Reduce reduce) {
  const std::vector<double> numbers = SmallNumbers(run.size());
  double sum = 0;
  run.Time(static_cast<double>(run.size()), [&] { sum = reduce(numbers.data(), numbers.size()); });
  run.Answer(static_cast<std::int64_t>(sum));
}

// scan(in, out, n) writes all inclusive prefix sums.
template <typename Scan>
void TimeScan(Run& run, Scan scan) {
  const std::vector<double> numbers = SmallNumbers(run.size());
  std::vector<double> sums(numbers.size());
  run.Time(static_cast<double>(run.size()),
           [&] { scan(numbers.data(), sums.data(), numbers.size()); });
  double sum = 0;
  for (const double x : sums) sum += x;
  run.Answer(static_cast<std::int64_t>(sum));
}

// The prefix sums of `parts` parts in two passes, each of which may run its parts
// at the same time: for_each(f) calls f(0) to f(parts - 1).
template <typename ForEach>
void TwoPassScan(const double* in, double* out, std::size_t n, std::size_t parts,
                 ForEach for_each) {
  std::vector<double> sums(parts + 1);
  const auto border = [&](std::size_t part) { return n * part / parts; };
  for_each(
      [&](std::size_t part) { sums[part + 1] = Sum(in + border(part), in + border(part + 1)); });
  for (std::size_t part = 0; part < parts; ++part) sums[part + 1] += sums[part];
  for_each([&](std::size_t part) {
    PrefixSums(in + border(part), in + border(part + 1), out + border(part), sums[part]);
  });
}

}  // namespace bench

#endif  // FILCH_TOOLS_BENCH_ALGORITHMS_ALGORITHMS_H_
