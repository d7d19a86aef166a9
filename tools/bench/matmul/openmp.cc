#include "tools/bench/matmul/matmul.h"

namespace bench {
namespace {

void Multiply(const Square& c, const Square& a, const Square& b) {
  if (c.size <= kLeafSize) return MultiplyLeaf(c, a, b);
  MultiplyQuadrants(c, a, b, Multiply,
                    [](const auto& f, const auto& g, const auto& h, const auto& i) {
#pragma omp task
                      f();
#pragma omp task
                      g();
#pragma omp task
                      h();
                      i();
#pragma omp taskwait
                    });
}

void MultiplyInTeam(const Square& c, const Square& a, const Square& b) {
#pragma omp parallel
#pragma omp single
  Multiply(c, a, b);
}

const Registration matmul("matmul", [](Run& run) { TimeProduct(run, MultiplyInTeam); });

}  // namespace
}  // namespace bench
