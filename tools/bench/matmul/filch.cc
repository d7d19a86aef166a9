#include "filch/pool/task_group.h"
#include "tools/bench/matmul/matmul.h"

namespace bench {
namespace {

void Multiply(const Square& c, const Square& a, const Square& b) {
  if (c.size <= kLeafSize) return MultiplyLeaf(c, a, b);
  MultiplyQuadrants(c, a, b, Multiply,
                    [](const auto& f, const auto& g, const auto& h, const auto& i) {
                      filch::TaskGroup group;
                      group.Run(f);
                      group.Run(g);
                      group.Run(h);
                      i();
                      group.Wait();
                    });
}

const Registration matmul("matmul", [](Run& run) { TimeProduct(run, Multiply); });

}  // namespace
}  // namespace bench
