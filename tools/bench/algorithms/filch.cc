#include "filch/pool/current_arena.h"
#include "filch/pool/parallel_for.h"
#include "filch/pool/parallel_reduce.h"
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

// The pool has no scan of its own.  A part for each thread and pass; more parts
// would read more memory between a part's two passes.
void Scan(const double* in, double* out, std::size_t n) {
  TwoPassScan(in, out, n, static_cast<std::size_t>(filch::CurrentArena().concurrency()),
              [](const auto& f) {
                filch::ParallelForOptions options;
                options.schedule = filch::LoopSchedule::kStatic;
                filch::ParallelFor(std::size_t{0},
                                   static_cast<std::size_t>(filch::CurrentArena().concurrency()), f,
                                   options);
              });
}

const Registration reduce("reduce", [](Run& run) { TimeReduce(run, Reduce); });
const Registration scan("scan", [](Run& run) { TimeScan(run, Scan); });

}  // namespace
}  // namespace bench
