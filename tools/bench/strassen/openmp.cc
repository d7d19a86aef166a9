#include "tools/bench/strassen/strassen.h"

namespace bench {
namespace {

void Multiply(const Square& c, const Square& a, const Square& b) {
  MultiplyStrassen(c, a, b, Multiply, [](const auto& f) {
    for (std::size_t i = 1; i < 7; ++i) {
#pragma omp task firstprivate(i)
      f(i);
    }
    f(0);
#pragma omp taskwait
  });
}

void MultiplyInTeam(const Square& c, const Square& a, const Square& b) {
#pragma omp parallel
#pragma omp single
  Multiply(c, a, b);
}

const Registration strassen("strassen", [](Run& run) { TimeStrassen(run, MultiplyInTeam); });

}  // namespace
}  // namespace bench
