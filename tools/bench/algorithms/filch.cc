#include "filch/pool/parallel_reduce.h"
#include "filch/pool/parallel_scan.h"
#include "tools/bench/algorithms/algorithms.h"

namespace bench {
namespace {

double Reduce(const double* data, std::size_t n) {
  return filch::ParallelReduce(
      std::size_t{0}, n, 0.0,
      [data](std::size_t begin, std::size_t end, double so_far) {
        return so_far + Sum(data + begin, data + end);
      },
      [](double left, double right) { return left + right; });
}

void Scan(const double* in, double* out, std::size_t n) {
  filch::ParallelScan(
      std::size_t{0}, n, 0.0,
      [in, out](std::size_t begin, std::size_t end, double sum, bool is_final) {
        return is_final ? PrefixSums(in + begin, in + end, out + begin, sum)
                        : sum + Sum(in + begin, in + end);
      },
      [](double left, double right) { return left + right; });
}

const Registration reduce("reduce", [](Run& run) { TimeReduce(run, Reduce); });
const Registration scan("scan", [](Run& run) { TimeScan(run, Scan); });

}  // namespace
}  // namespace bench
