#include "tools/bench/strassen/strassen.h"

namespace bench {
namespace {

void Multiply(const Square& c, const Square& a, const Square& b) {
  MultiplyStrassen(c, a, b, Multiply, [](const auto& f) {
    for (std::size_t i = 0; i < 7; ++i) f(i);
  });
}

const Registration strassen("strassen", [](Run& run) { TimeStrassen(run, Multiply); });

}  // namespace
}  // namespace bench
