#include <tbb/task_group.h>

#include "tools/bench/matmul/matmul.h"

namespace bench {
namespace {

void Multiply(const Square& c, const Square& a, const Square& b) {
  if (c.size <= kLeafSize) return MultiplyLeaf(c, a, b);
  MultiplyQuadrants(c, a, b, Multiply,
                    [](const auto& f, const auto& g, const auto& h, const auto& i) {
                      tbb::task_group group;
                      group.run(f);
                      group.run(g);
                      group.run(h);
                      i();
                      group.wait();
                    });
}

const Registration matmul("matmul", [](Run& run) { TimeProduct(run, Multiply); });

}  // namespace
}  // namespace bench
