#include "filch/pool/task_group.h"
#include "tools/bench/strassen/strassen.h"

namespace bench {
namespace {

void Multiply(const Square& c, const Square& a, const Square& b) {
  MultiplyStrassen(c, a, b, Multiply, [](const auto& f) {
    filch::TaskGroup group;
    for (std::size_t i = 1; i < 7; ++i) group.Run([&f, i] { f(i); });
    f(0);
    group.Wait();
  });
}

const Registration strassen("strassen", [](Run& run) { TimeStrassen(run, Multiply); });

}  // namespace
}  // namespace bench
