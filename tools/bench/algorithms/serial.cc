#include <algorithm>

#include "tools/bench/algorithms/algorithms.h"
#include "tools/bench/cilksort/cilksort.h"

namespace bench {
namespace {

double Reduce(const double* data, std::size_t n) { return Sum(data, data + n); }

void Scan(const double* in, double* out, std::size_t n) { PrefixSums(in, in + n, out, 0); }

void Sort(std::uint32_t* data, std::ptrdiff_t size) { std::sort(data, data + size); }

const Registration reduce("reduce", [](Run& run) { TimeReduce(run, Reduce); });
const Registration scan("scan", [](Run& run) { TimeScan(run, Scan); });
const Registration sort("sort", [](Run& run) { TimeSort(run, Sort); });

}  // namespace
}  // namespace bench
