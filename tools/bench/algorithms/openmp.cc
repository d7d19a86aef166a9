#include <omp.h>
#ifndef __clang__
#include <parallel/algorithm>
#endif

#include "tools/bench/algorithms/algorithms.h"
#include "tools/bench/cilksort/cilksort.h"

namespace bench {
namespace {

double Reduce(const double* data, std::size_t n) {
  double sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    const auto i = static_cast<std::size_t>(omp_get_thread_num());
    sum += Sum(data + n * i / threads, data + n * (i + 1) / threads);
  }
  return sum;
}

void Scan(const double* in, double* out, std::size_t n) {
  TwoPassScan(in, out, n, static_cast<std::size_t>(omp_get_max_threads()), [](const auto& f) {
#pragma omp parallel
    f(static_cast<std::size_t>(omp_get_thread_num()));
  });
}

const Registration reduce("reduce", [](Run& run) { TimeReduce(run, Reduce); });
const Registration scan("scan", [](Run& run) { TimeScan(run, Scan); });

#ifndef __clang__
// GNU's parallel mode.
void Sort(std::uint32_t* data, std::ptrdiff_t size) { __gnu_parallel::sort(data, data + size); }

const Registration sort("sort", [](Run& run) { TimeSort(run, Sort); });
#endif

}  // namespace
}  // namespace bench
