#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <tbb/parallel_sort.h>

#include <functional>

#include "tools/bench/algorithms/algorithms.h"
#include "tools/bench/cilksort/cilksort.h"

namespace bench {
namespace {

using Range = tbb::blocked_range<std::size_t>;

double Reduce(const double* data, std::size_t n) {
  return tbb::parallel_reduce(
      Range(0, n), 0.0,
      [data](const Range& part, double so_far) {
        return so_far + Sum(data + part.begin(), data + part.end());
      },
      std::plus<>());
}

void Scan(const double* in, double* out, std::size_t n) {
  tbb::parallel_scan(
      Range(0, n), 0.0,
      [in, out](const Range& part, double sum, bool is_final) {
        const double* const begin = in + part.begin();
        const double* const end = in + part.end();
        return is_final ? PrefixSums(begin, end, out + part.begin(), sum) : sum + Sum(begin, end);
      },
      std::plus<>());
}

void Sort(std::uint32_t* data, std::ptrdiff_t size) { tbb::parallel_sort(data, data + size); }

const Registration reduce("reduce", [](Run& run) { TimeReduce(run, Reduce); });
const Registration scan("scan", [](Run& run) { TimeScan(run, Scan); });
const Registration sort("sort", [](Run& run) { TimeSort(run, Sort); });

}  // namespace
}  // namespace bench
