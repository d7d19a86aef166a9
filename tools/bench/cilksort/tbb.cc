#include <tbb/parallel_invoke.h>

#include "tools/bench/cilksort/cilksort.h"

namespace bench {
namespace {

struct Fork {
  template <typename F, typename G>
  static void Two(const F& f, const G& g) {
    tbb::parallel_invoke(f, g);
  }
};

const Registration cilksort("cilksort", TimeMergeSort<Fork>);

}  // namespace
}  // namespace bench
