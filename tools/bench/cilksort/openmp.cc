#include "tools/bench/cilksort/cilksort.h"

namespace bench {
namespace {

struct Fork {
  template <typename F, typename G>
  static void Two(const F& f, const G& g) {
#pragma omp task shared(f)
    f();
    g();
#pragma omp taskwait
  }
};

void SortInTeam(std::uint32_t* data, std::uint32_t* other, std::ptrdiff_t size) {
#pragma omp parallel
#pragma omp single
  MergeSort<Fork>(data, other, size, false);
}

void RunSort(Run& run) {
  std::vector<std::uint32_t> other(static_cast<std::size_t>(run.size()));
  TimeSort(run,
           [&](std::uint32_t* data, std::ptrdiff_t size) { SortInTeam(data, other.data(), size); });
}

const Registration cilksort("cilksort", RunSort);

}  // namespace
}  // namespace bench
